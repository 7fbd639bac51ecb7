#include "base/sobol.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/pcg.hpp"
#include "input_error.hpp"

namespace polystep {
namespace {

// numpy.random.default_rng(seed).random(3).
TEST(Pcg, DrawsWhatNumpyDraws) {
  Pcg zero(0);
  EXPECT_DOUBLE_EQ(zero.uniform(), 0.6369616873214543);
  EXPECT_DOUBLE_EQ(zero.uniform(), 0.2697867137638703);
  EXPECT_DOUBLE_EQ(zero.uniform(), 0.04097352393619469);
  Pcg other(42);
  EXPECT_DOUBLE_EQ(other.uniform(), 0.7739560485559633);
  EXPECT_DOUBLE_EQ(other.uniform(), 0.4388784397520523);
}

TEST(Pcg, HandsOutTheLowerHalfFirst) {
  Pcg whole(7), halves(7);
  for (int k = 0; k < 5; ++k) {
    const std::uint64_t bits = whole.bits();
    EXPECT_EQ(halves.half(), static_cast<std::uint32_t>(bits));
    EXPECT_EQ(halves.half(), static_cast<std::uint32_t>(bits >> 32));
  }
}

// The sequence as Joe and Kuo print it for three dimensions.
TEST(Sobol, PlainPointsAreThePublishedOnes) {
  Sobol sobol(3);
  const std::vector<std::vector<double>> expected = {{0, 0, 0},
                                                     {0.5, 0.5, 0.5},
                                                     {0.75, 0.25, 0.25},
                                                     {0.25, 0.75, 0.75},
                                                     {0.375, 0.375, 0.625},
                                                     {0.875, 0.875, 0.125},
                                                     {0.625, 0.125, 0.875},
                                                     {0.125, 0.625, 0.375},
                                                     {0.1875, 0.3125, 0.9375},
                                                     {0.6875, 0.8125, 0.4375}};
  for (const std::vector<double>& point : expected) EXPECT_EQ(sobol.next(), point);
}

// Any 2^k first points have one in each of 2^k equal intervals of every coordinate, scrambled or not.
TEST(Sobol, EveryCoordinateIsEvenlySpread) {
  for (const std::optional<std::uint64_t>& seed :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(0), std::optional<std::uint64_t>(91)}) {
    for (const std::size_t count : {1u, 2u, 16u, 512u}) {
      Sobol sobol(Sobol::kMostDimensions, seed);
      std::vector<std::set<std::size_t>> intervals(Sobol::kMostDimensions);
      for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double> point = sobol.next();
        for (std::size_t d = 0; d < point.size(); ++d) {
          ASSERT_GE(point[d], 0);
          ASSERT_LT(point[d], 1);
          intervals[d].insert(static_cast<std::size_t>(point[d] * static_cast<double>(count)));
        }
      }
      for (const std::set<std::size_t>& hit : intervals) EXPECT_EQ(hit.size(), count);
    }
  }
}

// The first two coordinates are a net: every box of area 2^-k with binary sides holds one of 2^k points.
TEST(Sobol, TheFirstTwoCoordinatesAreANet) {
  for (const std::optional<std::uint64_t>& seed :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(5)})
    for (std::size_t split = 0; split <= 8; ++split) {
      Sobol sobol(2, seed);
      std::set<std::pair<int, int>> boxes;
      for (int k = 0; k < 256; ++k) {
        const std::vector<double> point = sobol.next();
        boxes.emplace(static_cast<int>(point[0] * std::exp2(split)),
                      static_cast<int>(point[1] * std::exp2(8 - split)));
      }
      EXPECT_EQ(boxes.size(), 256u);
    }
}

TEST(Sobol, ScramblingDependsOnTheSeedAlone) {
  Sobol one(4, 3), again(4, 3), other(4, 4);
  const std::vector<double> first = one.next();
  EXPECT_EQ(first, again.next());
  EXPECT_NE(first, other.next());
}

TEST(Sobol, RefusesMoreDimensionsThanItKnows) {
  EXPECT_EQ(input_error([] { Sobol(0); }), "Sobol points: found 0 dimensions, expected 1 to 32");
  EXPECT_EQ(input_error([] { Sobol(33); }), "Sobol points: found 33 dimensions, expected 1 to 32");
}

}  // namespace
}  // namespace polystep
