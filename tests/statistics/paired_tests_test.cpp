#include "statistics/paired_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "polystep/random.hpp"

namespace polystep {
namespace {

std::vector<double> random_differences(std::size_t count, std::uint64_t index, double shift) {
  RandomStream stream(7, Purpose::kTest, index);
  std::vector<double> differences(count);
  for (double& difference : differences) difference = stream.normal() + shift;
  return differences;
}

// Whole numbers, so that there are zeros and ties and every sum is exact.
std::vector<double> coarse_differences(std::size_t count, std::uint64_t index) {
  RandomStream stream(8, Purpose::kTest, index);
  std::vector<double> differences(count);
  for (double& difference : differences) difference = static_cast<double>(stream.below(9)) - 3;
  return differences;
}

// The sum of the average ranks of positive values, by the definition: a rank is one more than the number of
// smaller magnitudes plus half the number of other equal ones.
double positive_ranks(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    if (value <= 0) continue;
    double rank = 0.5;
    for (const double other : values) {
      if (std::abs(other) < std::abs(value)) rank += 1;
      if (std::abs(other) == std::abs(value)) rank += 0.5;
    }
    sum += rank;
  }
  return sum;
}

// Tries all sign patterns one by one.
template <class Statistic>
double enumerate(const std::vector<double>& values, const Statistic& from_centre) {
  std::size_t extreme = 0;
  const double observed = from_centre(values);
  const std::size_t patterns = std::size_t{1} << values.size();
  for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
    std::vector<double> flipped = values;
    for (std::size_t i = 0; i < values.size(); ++i)
      if ((pattern >> i & 1) != 0) flipped[i] = -flipped[i];
    if (from_centre(flipped) >= observed - 1e-9) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(patterns);
}

double enumerate_wilcoxon(std::vector<double> values) {
  std::erase(values, 0.0);
  if (values.empty()) return 1;
  const auto n = static_cast<double>(values.size());
  return enumerate(
      values, [&](const std::vector<double>& v) { return std::abs(positive_ranks(v) - n * (n + 1) / 4); });
}

double enumerate_sign_flips(const std::vector<double>& values) {
  return enumerate(values, [](const std::vector<double>& v) {
    double sum = 0;
    for (const double value : v) sum += value;
    return std::abs(sum);
  });
}

TEST(PairedTests, TenWinsOutOfTenGiveTwoIn1024) {
  const std::vector<double> wins = {.3, .1, .25, .7, .05, .9, .4, .15, .6, .35};
  std::vector<double> losses = wins;
  for (double& loss : losses) loss = -loss;
  EXPECT_EQ(wilcoxon_signed_rank(wins), 2.0 / 1024);
  EXPECT_EQ(wilcoxon_signed_rank(losses), 2.0 / 1024);
  EXPECT_EQ(sign_flip_test(wins), 2.0 / 1024);
  EXPECT_EQ(sign_flip_test(losses), 2.0 / 1024);
}

TEST(PairedTests, HandValues) {
  // Ranks 1 to 5, only rank 1 negative: sums of positive ranks 14 and 15, 1 and 0 are as extreme.
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{-1, 2, 3, 4, 5}), 4.0 / 32);
  // The published p of 0.322 and 0.846: ten seeds with a rank sum of 17 or 25 on the smaller side.
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{1, 2, 3, 4, 5, 6, 7, -8, -9, 10}), 330.0 / 1024);
  EXPECT_NEAR(wilcoxon_signed_rank(std::vector<double>{-1, 2, 3, 4, -5, 6, 7, 8, -9, -10}), 0.846, 0.0005);
  // Means of 1, 2, -6: |-3|; of the eight patterns, those with |sum| 9, 7, 5 and 3 count: all.
  EXPECT_EQ(sign_flip_test(std::vector<double>{1, 2, -6}), 1.0);
  EXPECT_EQ(sign_flip_test(std::vector<double>{1, 2, 6}), 2.0 / 8);
  EXPECT_EQ(sign_flip_test(std::vector<double>{-1, 2, 6}), 4.0 / 8);
}

TEST(PairedTests, NothingToTellApart) {
  EXPECT_EQ(wilcoxon_signed_rank({}), 1);
  EXPECT_EQ(sign_flip_test({}), 1);
  const std::vector<double> zeros(7, 0.0);
  EXPECT_EQ(wilcoxon_signed_rank(zeros), 1);
  EXPECT_EQ(sign_flip_test(zeros), 1);
}

TEST(PairedTests, ZerosAreDroppedFromTheRanks) {
  const std::vector<double> with = {0, -1, 2, 0, 3, 4, 5, 0}, without = {-1, 2, 3, 4, 5};
  EXPECT_EQ(wilcoxon_signed_rank(with), wilcoxon_signed_rank(without));
  EXPECT_EQ(sign_flip_test(with), sign_flip_test(without));
}

TEST(PairedTests, AgreeWithTryingAllPatterns) {
  for (std::uint64_t index = 0; index < 40; ++index) {
    const std::size_t count = 1 + index % 11;
    for (const std::vector<double>& differences :
         {random_differences(count, index, 0.4), coarse_differences(count, index)}) {
      EXPECT_DOUBLE_EQ(wilcoxon_signed_rank(differences), enumerate_wilcoxon(differences)) << index;
      EXPECT_DOUBLE_EQ(sign_flip_test(differences), enumerate_sign_flips(differences)) << index;
    }
  }
}

// 0.1 + 0.2 and 0.3 differ in the last bit; patterns that tie in exact arithmetic must count as ties.
TEST(PairedTests, RoundingBreaksNoTies) {
  const std::vector<double> tenths = {0.1, 0.2, -0.3, 0.4}, whole = {1, 2, -3, 4};
  EXPECT_EQ(sign_flip_test(tenths), sign_flip_test(whole));
}

TEST(PairedTests, TheOrderOfPairsDoesNotMatter) {
  std::vector<double> differences = coarse_differences(12, 99);
  const double wilcoxon = wilcoxon_signed_rank(differences), flips = sign_flip_test(differences);
  std::reverse(differences.begin(), differences.end());
  EXPECT_EQ(wilcoxon_signed_rank(differences), wilcoxon);
  EXPECT_EQ(sign_flip_test(differences), flips);
}

// The formula by hand: five pairs of ties, the negative values hold the lower average ranks.
TEST(PairedTests, LargeSamplesUseTheCorrectedNormalApproximation) {
  std::vector<double> differences;
  for (int value = -5; value < 25; ++value) differences.push_back(value);
  const double n = 29, negative = 1.5 + 3.5 + 5.5 + 7.5 + 9.5;
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - 5 * 6.0 / 48;
  const double z = (n * (n + 1) / 4 - negative - 0.5) / std::sqrt(variance);
  EXPECT_NEAR(wilcoxon_signed_rank(differences), std::erfc(z / std::sqrt(2.0)), 1e-15);
}

// More differences than are counted exactly: random patterns come close, and to the same bits every time.
TEST(PairedTests, RandomSignFlipsComeCloseToAllOfThem) {
  const std::vector<double> many = random_differences(kExactPairs + 1, 200, 0.3);
  const double p = sign_flip_test(many);
  EXPECT_NEAR(p, enumerate_sign_flips(many), 0.005);
  EXPECT_EQ(sign_flip_test(many), p);
}

}  // namespace
}  // namespace polystep
