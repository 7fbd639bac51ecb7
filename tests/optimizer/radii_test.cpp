#include "optimizer/radii.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polystep {
namespace {

TEST(Radii, SitStrictlyInsideTheOuterRadius) {
  std::vector<double> radii;
  spread_radii(10, 1, radii);
  EXPECT_EQ(radii, (std::vector<double>{5}));
  spread_radii(1, 4, radii);
  ASSERT_EQ(radii.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(radii[k], 0.2 * static_cast<double>(k + 1));
}

TEST(Radii, SingleStandInIsTheOuterMiddle) {
  EXPECT_DOUBLE_EQ(single_radius(1, 1), 0.5);
  EXPECT_DOUBLE_EQ(single_radius(1, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(single_radius(1, 3), 0.5);
  EXPECT_DOUBLE_EQ(single_radius(1, 4), 0.6);
}

TEST(Radii, JitterStaysInBoundsAndVariesByStep) {
  EXPECT_EQ(jitter_factor(0, 1, 7), 1.0);
  double low = 2, high = 0;
  for (std::size_t step = 0; step < 200; ++step) {
    const double factor = jitter_factor(0.05, 1, step);
    EXPECT_EQ(factor, jitter_factor(0.05, 1, step));
    low = std::min(low, factor);
    high = std::max(high, factor);
  }
  EXPECT_GE(low, 0.95);
  EXPECT_LT(low, 0.955);
  EXPECT_LE(high, 1.05);
  EXPECT_GT(high, 1.045);
}

TEST(RadiiCounter, PaperRuleNeedsThreeDecreasesInARow) {
  RadiiCounter counter(RadiiRule::kPaper);
  for (const double cost : {5.0, 4.0, 3.0}) {
    counter.finish_step(cost);
    EXPECT_FALSE(counter.single());
  }
  counter.finish_step(-2.0);  // the third decrease; negative costs count
  EXPECT_TRUE(counter.single());
  counter.finish_step(-3.0);
  EXPECT_TRUE(counter.single());
  counter.finish_step(-3.0);
  EXPECT_FALSE(counter.single());
}

TEST(RadiiCounter, UpstreamRuleWarmsUpAndNeedsFivePositiveDecreasingCosts) {
  RadiiCounter counter(RadiiRule::kUpstream);
  std::size_t first_single = 0;
  for (std::size_t step = 0; step < 30 && first_single == 0; ++step) {
    counter.finish_step(100.0 - static_cast<double>(step));
    if (counter.single()) first_single = step + 1;
  }
  EXPECT_EQ(first_single, 22u);

  counter.finish_step(200);
  EXPECT_FALSE(counter.single());
  for (const double cost : {199.0, 198.0, 197.0}) counter.finish_step(cost);
  EXPECT_FALSE(counter.single());
  counter.finish_step(196);  // five in strict decrease
  EXPECT_TRUE(counter.single());
  counter.finish_step(-1);
  EXPECT_FALSE(counter.single());
}

TEST(RadiiCounter, FixedRuleNeverReduces) {
  RadiiCounter counter(RadiiRule::kFixed);
  for (int i = 0; i < 50; ++i) counter.finish_step(-i);
  EXPECT_FALSE(counter.single());
}

TEST(RadiusFactor, GrowsOnAStallAndShrinksOnProgress) {
  RadiusFactor factor(true);
  for (int i = 0; i < 10; ++i) factor.finish_step(1.0);
  EXPECT_EQ(factor.value(), 1.0);  // nine changes so far
  factor.finish_step(1.0);
  EXPECT_EQ(factor.value(), 1.5);
  for (int i = 0; i < 5; ++i) factor.finish_step(1.0);
  EXPECT_EQ(factor.value(), 3.0);
  factor.finish_step(0.5);
  EXPECT_DOUBLE_EQ(factor.value(), 2.7);
  for (int i = 0; i < 40; ++i) factor.finish_step(std::pow(0.5, i + 2));
  EXPECT_EQ(factor.value(), 0.5);
  factor.finish_step(9.0);
  EXPECT_EQ(factor.value(), 0.5);
}

TEST(RadiusFactor, StaysOneUnlessSwitchedOn) {
  RadiusFactor factor(false);
  for (int i = 0; i < 30; ++i) factor.finish_step(1.0);
  EXPECT_EQ(factor.value(), 1.0);
}

}  // namespace
}  // namespace polystep
