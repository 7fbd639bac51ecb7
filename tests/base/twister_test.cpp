#include "base/twister.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace polystep {
namespace {

// Sequences as tests/methods/released_steps.py draws prints them.
struct Sequence {
  std::uint64_t seed;
  std::vector<std::size_t> permutation;  // of ten rows
  std::vector<double> normal;            // 32 numbers
  std::vector<double> uneven;            // the last 16 of 20 numbers
};

const std::vector<Sequence>& sequences() {
  static const std::vector<Sequence> all = {
      {0,
       {4, 1, 7, 5, 3, 9, 0, 8, 6, 2},
       {-1.1258398, -1.1523602, -0.2505786, -0.4338788, 0.8487103, 0.6920092,  -0.3160128, -2.1152194,
        0.3222749,  -1.2633348, 0.3499832,  0.3081339,  0.1198415, 1.2376580,  1.1167772,  -0.2472782,
        -1.3526537, -1.6959312, 0.5666506,  0.7935084,  0.5988395, -1.5550951, -0.3413604, 1.8530061,
        0.7501895,  -0.5854976, -0.1733968, 0.1834779,  1.3893661, 1.5863342,  0.9462984,  -0.8436767},
       {0.5988395, -1.5550951, -0.3413604, 1.8530061, 0.4680964, -0.1577124, 1.4436601, 0.2660494, 1.3893661,
        1.5863342, 0.9462984, -0.8436767, 0.9318267, 1.2590092, 2.0049806, 0.0537369}},
      {7,
       {5, 0, 3, 4, 1, 7, 9, 6, 8, 2},
       {-0.8201345, 0.3956312,  0.8989085,  -1.3884039, -0.1669960, 0.2851500, -0.6410916, -0.8936554,
        0.9265430,  -0.5355122, -1.1597203, -0.4601571, 0.7085390,  1.0127554, 0.2303969,  1.0901651,
        -1.5826646, -0.3245666, 1.9263681,  -0.3300117, 0.1984451,  0.7820727, 1.0391077,  -0.7245107,
        -0.2093404, -0.2153415, -1.8157287, -0.3452420, -2.0614779, 0.6741007, -1.3233458, -1.3597690},
       {0.1984451, 0.7820727, 1.0391077, -0.7245107, -0.8489086, -1.2169294, -0.0810216, 1.3614851,
        -2.0614779, 0.6741007, -1.3233458, -1.3597690, -0.8667016, -0.5640067, -2.0564625, -0.3567225}},
  };
  return all;
}

// Single-precision logarithms and sines of two libraries may differ in the last bit.
constexpr double kRounding = 2e-6;

void expect_near(std::span<const double> numbers, std::span<const double> expected) {
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], expected[i], kRounding) << i;
}

std::vector<double> normal_numbers(Twister& twister, std::size_t count) {
  std::vector<double> numbers(count);
  twister.fill_normal(numbers);
  return numbers;
}

TEST(Twister, StartsAsTheGeneratorIsKnownTo) {
  Twister twister(5489);
  for (const std::uint32_t word : {3499211612u, 581869302u, 3890346734u, 3586334585u, 545404204u})
    EXPECT_EQ(twister.word(), word);
  for (int i = 5; i < 9999; ++i) twister.word();
  EXPECT_EQ(twister.word(), 4123659995u);  // the ten thousandth, by the C++ standard
}

TEST(Twister, UniformNumbersAreTheLowBitsOfAWord) {
  EXPECT_EQ(Twister(5489).uniform(),
            static_cast<float>(3499211612u % (1u << 24)) / static_cast<float>(1u << 24));
}

TEST(Twister, PermutesAsReleased) {
  for (const Sequence& sequence : sequences()) {
    SCOPED_TRACE(sequence.seed);
    std::vector<std::size_t> rows(10);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    Twister twister(sequence.seed);
    twister.permute(rows);
    EXPECT_EQ(rows, sequence.permutation);
    Twister other(sequence.seed);
    other.seek(9);
    EXPECT_EQ(twister.word(), other.word());  // a word less than there are rows
  }
}

TEST(Twister, DrawsNormalNumbersAsReleased) {
  for (const Sequence& sequence : sequences()) {
    SCOPED_TRACE(sequence.seed);
    Twister twister(sequence.seed);
    expect_near(normal_numbers(twister, 32), sequence.normal);
  }
}

TEST(Twister, RedrawsTheLastSixteenWhereSixteenDoesNotDivideTheLength) {
  for (const Sequence& sequence : sequences()) {
    SCOPED_TRACE(sequence.seed);
    Twister twister(sequence.seed);
    const std::vector<double> numbers = normal_numbers(twister, 20);
    expect_near(std::span(numbers).first(4), std::span(sequence.normal).first(4));
    expect_near(std::span(numbers).last(16), sequence.uneven);
    // They are what comes after the twenty words of the first drawing.
    Twister later(sequence.seed);
    later.seek(20);
    const std::vector<double> redrawn = normal_numbers(later, 16);
    EXPECT_TRUE(std::ranges::equal(std::span(numbers).last(16), redrawn));
  }
}

TEST(Twister, SaysHowManyWordsNormalNumbersTake) {
  for (const std::size_t count : {5u, 16u, 20u, 32u, 33u, 55000u}) {
    Twister read(3), sought(3);
    normal_numbers(read, count);
    sought.seek(Twister::normal_words(count));
    EXPECT_EQ(read.word(), sought.word()) << count;
  }
}

TEST(Twister, SeekingIsReadingOn) {
  Twister read(7);
  std::vector<std::uint32_t> words(2000);
  for (std::uint32_t& word : words) word = read.word();
  Twister sought(7);
  for (const std::size_t position : {1u, 0u, 623u, 624u, 625u, 1999u, 12u, 12u}) {  // forwards and backwards
    sought.seek(position);
    EXPECT_EQ(sought.word(), words[position]) << position;
  }
}

}  // namespace
}  // namespace polystep
