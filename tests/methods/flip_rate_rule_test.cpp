#include "methods/polystepor/flip_rate_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr FlipRateBand kBand{0.01, 0.5};

TEST(FlipRateRule, LeavesTheRadiusAloneWithinTheBand) {
  FlipRateRule rule(kBand);
  for (const double rate : {0.01, 0.2, 0.5}) rule.finish_step(rate);
  EXPECT_EQ(rule.factor(), 1);
}

TEST(FlipRateRule, GrowsOnAPlateauAndShrinksWhereEverythingFlips) {
  FlipRateRule rule(kBand);
  rule.finish_step(0);
  EXPECT_DOUBLE_EQ(rule.factor(), 1.5);
  rule.finish_step(0.98);
  EXPECT_LT(rule.factor(), 1.5);
}

// Decisions that flip in proportion to the radius: the rule must find the band from far away on either side.
TEST(FlipRateRule, FindsTheBandFromAnyUnit) {
  for (const double unit : {1e-3, 1.0, 1e3}) {
    FlipRateRule rule(kBand);
    double rate = 0;
    for (int step = 0; step < 60; ++step) {
      rate = std::min(1.0, 0.1 * unit * rule.factor());
      rule.finish_step(rate);
    }
    EXPECT_GE(rate, 0.9 * kBand.low) << unit;
    EXPECT_LE(rate, 1.1 * kBand.high) << unit;
  }
}

TEST(FlipRateRule, GoesOnFromWhereItWasSaved) {
  FlipRateRule rule(kBand), other(kBand);
  for (const double rate : {0.0, 0.001, 0.9}) rule.finish_step(rate);
  ArchiveWriter writer;
  rule.save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  other.load(reader);
  EXPECT_EQ(other.factor(), rule.factor());
}

}  // namespace
}  // namespace polystep
