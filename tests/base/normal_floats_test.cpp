// Normal numbers in single precision: their distribution, and that they depend on their name alone.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "polystep/random.hpp"

namespace polystep {
namespace {

std::vector<float> normals(std::size_t count, std::uint64_t index) {
  std::vector<float> numbers(count);
  RandomStream(11, Purpose::kTest, index).fill_normal(std::span<float>(numbers));
  return numbers;
}

TEST(NormalFloats, HaveTheMomentsOfANormalDistribution) {
  const std::vector<float> numbers = normals(1'000'000, 0);
  double moments[5] = {};
  for (const float x : numbers)
    for (int power = 1; power <= 4; ++power) moments[power] += std::pow(static_cast<double>(x), power) / 1e6;
  EXPECT_NEAR(moments[1], 0, 0.005);
  EXPECT_NEAR(moments[2], 1, 0.01);
  EXPECT_NEAR(moments[3], 0, 0.02);
  EXPECT_NEAR(moments[4], 3, 0.06);
}

TEST(NormalFloats, FallBelowEachBoundAsOftenAsTheyShould) {
  const std::vector<float> numbers = normals(1'000'000, 1);
  for (double bound = -4; bound <= 4; bound += 0.25) {
    double below = 0;
    for (const float x : numbers) below += x < bound ? 1e-6 : 0;
    const double expected = 0.5 * std::erfc(-bound / std::sqrt(2.0));
    EXPECT_NEAR(below, expected, 5 * std::sqrt(expected * (1 - expected) / 1e6) + 1e-9) << bound;
  }
}

TEST(NormalFloats, NeighboursAndPairsAreUncorrelated) {
  const std::vector<float> numbers = normals(1'000'000, 2);
  for (const std::size_t distance : {1u, 2u, 128u, 256u}) {
    double product = 0, of_squares = 0;
    const std::size_t count = numbers.size() - distance;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = numbers[i], b = numbers[i + distance];
      product += a * b / static_cast<double>(count);
      of_squares += (a * a - 1) * (b * b - 1) / static_cast<double>(count);
    }
    EXPECT_NEAR(product, 0, 0.005) << distance;
    EXPECT_NEAR(of_squares, 0, 0.015) << distance;
  }
}

TEST(NormalFloats, DependOnTheirNameAndPlaceAlone) {
  const std::vector<float> all = normals(1000, 3), few = normals(10, 3);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], all[i]);
  EXPECT_NE(normals(10, 4), few);
}

// Against the mathematical library, entry by entry: the polynomials are good to single precision.
TEST(NormalFloats, AreTheTransformationOfTheirBits) {
  const std::vector<float> numbers = normals(256, 5);
  RandomStream stream(11, Purpose::kTest, 5);
  for (std::size_t i = 0; i < 128; ++i) {
    const std::uint64_t word = stream.bits();
    const double u = (static_cast<double>(word & 0x7fffffffu) + 0.5) * 0x1.0p-31;
    const double turns = static_cast<double>(static_cast<std::int32_t>(word >> 32)) * 0x1.0p-32;
    const double radius = std::sqrt(-2 * std::log(u));
    EXPECT_NEAR(numbers[i], radius * std::cos(2 * std::numbers::pi * turns), 3e-6);
    EXPECT_NEAR(numbers[128 + i], radius * std::sin(2 * std::numbers::pi * turns), 3e-6);
  }
}

}  // namespace
}  // namespace polystep
