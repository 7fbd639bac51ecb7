// The knapsack's runner-up gaps and margins against the exact gap.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "knapsack_instances.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/knapsack/knapsack.hpp"

namespace polystep::solvers {
namespace {

TEST(KnapsackMargins, TheTwoInstructionSetsAgreeBitForBitOnGaps) {
  if (!is_supported(InstructionSet::kAvx512)) GTEST_SKIP() << "skipped: this processor has no AVX-512";
  for (const int capacity : {60, 120, 180}) {
    const Knapsack baseline(benchmark_weights(), capacity, InstructionSet::kBaseline);
    const Knapsack wide(benchmark_weights(), capacity, InstructionSet::kAvx512);
    RandomStream random(15, Purpose::kTest, static_cast<std::uint64_t>(capacity));
    for (int trial = 0; trial < 140; ++trial) {
      const auto predicted = draw_values(random, kAllValues[trial % 7], baseline.items() * kLanes);
      double first[kLanes];
      double second[kLanes];
      ASSERT_TRUE(baseline.gap_tile(predicted.data(), first));
      ASSERT_TRUE(wide.gap_tile(predicted.data(), second));
      for (std::size_t lane = 0; lane < kLanes; ++lane) ASSERT_EQ(first[lane], second[lane]);
    }
  }
}

void expect_gap_is_bound(const Knapsack& knapsack, const std::vector<double>& predicted, Values kind) {
  double gap[kLanes];
  ASSERT_TRUE(knapsack.gap_tile(predicted.data(), gap));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double exact = knapsack.runner_up_gap(lane_of(predicted, lane));
    ASSERT_GE(gap[lane], 0.0);
    ASSERT_LE(gap[lane], exact);
    const bool tight = kind == Values::kReal || kind == Values::kAllEqual || !knapsack.has_tile_kernel();
    if (tight && std::isfinite(exact)) {
      ASSERT_NEAR(gap[lane], exact, 1e-8);
    } else if (tight) {
      ASSERT_EQ(gap[lane], exact);
    }
  }
}

TEST(KnapsackMargins, GapsAreLowerBoundsAndTightForPositiveValues) {
  for (const InstructionSet set : supported_sets()) {
    for (const Values kind : kAllValues) {
      RandomStream random(16, Purpose::kTest, static_cast<std::uint64_t>(kind));
      for (int trial = 0; trial < 100; ++trial) {
        const Instance instance = draw_instance(random, 30);
        const Knapsack small(instance.weights, instance.capacity, set);
        expect_gap_is_bound(small, draw_values(random, kind, small.items() * kLanes), kind);
      }
      for (const int capacity : {60, 120, 180}) {
        const Knapsack knapsack(benchmark_weights(), capacity, set);
        for (int trial = 0; trial < 5; ++trial) {
          expect_gap_is_bound(knapsack, draw_values(random, kind, knapsack.items() * kLanes), kind);
        }
      }
    }
  }
}

TEST(KnapsackMargins, MarginsAreTheGapWithTheSignOfTheDecision) {
  RandomStream random(17, Purpose::kTest);
  for (int trial = 0; trial < 400; ++trial) {
    const Instance instance = draw_instance(random, 24);
    const Knapsack knapsack(instance.weights, instance.capacity);
    const auto predicted = draw_values(random, kAllValues[trial % 7], knapsack.items() * kLanes);
    std::vector<double> margin(predicted.size());
    double gap[kLanes];
    ASSERT_TRUE(knapsack.margins_tile(predicted.data(), margin.data()));
    ASSERT_TRUE(knapsack.gap_tile(predicted.data(), gap));
    std::vector<double> take(knapsack.items());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      knapsack.solve_by_classes(lane_of(predicted, lane), take);
      for (std::size_t item = 0; item < take.size(); ++item) {
        const double found = margin[item * kLanes + lane];
        ASSERT_EQ(std::signbit(found), take[item] == 1.0);
        const bool too_heavy = instance.weights[item] > instance.capacity;
        ASSERT_EQ(std::abs(found), too_heavy ? std::numeric_limits<double>::infinity() : gap[lane]);
      }
    }
  }
}

TEST(KnapsackMargins, MarginsRefuseValuesThatAreNotFinite) {
  for (const std::vector<int>& weights : {benchmark_weights(), std::vector<int>{1, 2, 3, 4, 5}}) {
    const Knapsack knapsack(weights, 12);
    std::vector<double> predicted(knapsack.items() * kLanes, 1.0);
    std::vector<double> margin(predicted.size());
    predicted[11] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(knapsack.margins_tile(predicted.data(), margin.data()));
    predicted[11] = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(knapsack.margins_tile(predicted.data(), margin.data()));
  }
}

}  // namespace
}  // namespace polystep::solvers
