// The knapsack's methods against the enumeration of all decisions and against each other.
#include "solvers/knapsack/knapsack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "knapsack_instances.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep::solvers {
namespace {

// Holds a tile's decisions against solve_by_classes, lane by lane.
void expect_tile_matches_scalar(const Knapsack& knapsack, const std::vector<double>& predicted,
                                const std::vector<double>& truth) {
  TileOutcome outcome;
  knapsack.solve_tile(predicted.data(), truth.data(), outcome.cost.data(), outcome.signature.data());
  std::vector<double> take(knapsack.items());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    knapsack.solve_by_classes(lane_of(predicted, lane), take);
    ASSERT_EQ(outcome.signature[lane], knapsack.signature(take));
    const auto true_values = lane_of(truth, lane);
    double realised = 0.0;
    for (std::size_t item = 0; item < take.size(); ++item) {
      if (take[item] != 0.0) realised += true_values[item];
    }
    ASSERT_EQ(std::bit_cast<std::uint64_t>(outcome.cost[lane]), std::bit_cast<std::uint64_t>(realised));
  }
}

TEST(Knapsack, BothMethodsFindTheBestOfAllDecisions) {
  int enumerated = 0;
  int unique = 0;
  for (const Values kind : kAllValues) {
    RandomStream random(11, Purpose::kTest, static_cast<std::uint64_t>(kind));
    for (int trial = 0; trial < 800; ++trial) {
      const Instance instance = draw_instance(random, trial % 20 == 0 ? 14 : 9);
      const auto values = draw_values(random, kind, instance.weights.size());
      const TwoBest best = enumerate(instance, values);
      const Knapsack knapsack(instance.weights, instance.capacity);
      std::vector<double> take(values.size());
      const double value = knapsack.solve(values, take);
      expect_valid(instance, values, take, value);
      ASSERT_NEAR(value, best.best, 1e-10);
      if (std::isfinite(best.second)) {
        ASSERT_NEAR(knapsack.runner_up_gap(values), best.best - best.second, 1e-10);
      } else {
        ASSERT_EQ(knapsack.runner_up_gap(values), std::numeric_limits<double>::infinity());
      }

      std::vector<double> take_by_classes(values.size());
      const double value_by_classes = knapsack.solve_by_classes(values, take_by_classes);
      expect_valid(instance, values, take_by_classes, value_by_classes);
      ASSERT_NEAR(value_by_classes, best.best, 1e-10);
      enumerated += knapsack.has_classes() ? 1 : 0;
      if (best.best - best.second > 1e-9) {
        ASSERT_EQ(take, take_by_classes);
        ++unique;
      }
    }
  }
  EXPECT_GT(enumerated, 4000);
  EXPECT_GT(unique, 1500);
}

TEST(Knapsack, ValuesAreNeverTakenForNothing) {
  const Knapsack knapsack({0, 0, 3, 3, 9}, 6);
  std::vector<double> take(5);
  for (const bool by_classes : {false, true}) {
    const std::vector<double> values{2.0, 0.0, -1.0, 4.0, 100.0};
    by_classes ? knapsack.solve_by_classes(values, take) : knapsack.solve(values, take);
    EXPECT_EQ(take, (std::vector<double>{1, 0, 0, 1, 0}));
  }
}

TEST(Knapsack, OfEqualItemsTheFirstAreTaken) {
  const Knapsack knapsack({3, 3, 3, 3}, 7);
  std::vector<double> take(4);
  const std::vector<double> equal(4, 1.0);
  knapsack.solve(equal, take);
  EXPECT_EQ(take, (std::vector<double>{1, 1, 0, 0}));
  knapsack.solve_by_classes(equal, take);
  EXPECT_EQ(take, (std::vector<double>{1, 1, 0, 0}));
}

TEST(Knapsack, TilesMatchTheScalarPathOnTheBenchmarkInstance) {
  for (const InstructionSet set : supported_sets()) {
    for (const int capacity : {60, 120, 180}) {
      const Knapsack knapsack(benchmark_weights(), capacity, set);
      ASSERT_TRUE(knapsack.has_tile_kernel());
      for (const Values kind : kAllValues) {
        RandomStream random(12, Purpose::kTest, static_cast<std::uint64_t>(kind),
                            static_cast<std::uint64_t>(capacity));
        for (int trial = 0; trial < 60; ++trial) {
          const auto predicted = draw_values(random, kind, knapsack.items() * kLanes);
          const auto truth = draw_values(random, Values::kReal, knapsack.items() * kLanes);
          expect_tile_matches_scalar(knapsack, predicted, truth);
        }
      }
    }
  }
}

TEST(Knapsack, TilesMatchTheScalarPathOnSmallInstances) {
  for (const InstructionSet set : supported_sets()) {
    for (const Values kind : kAllValues) {
      RandomStream random(13, Purpose::kTest, static_cast<std::uint64_t>(kind));
      for (int trial = 0; trial < 200; ++trial) {
        const Instance instance = draw_instance(random, 40);
        const Knapsack knapsack(instance.weights, instance.capacity, set);
        auto predicted = draw_values(random, kind, knapsack.items() * kLanes);
        if (trial % 10 == 0)
          predicted[random.below(predicted.size())] = std::numeric_limits<double>::quiet_NaN();
        const auto truth = draw_values(random, Values::kMixedSigns, knapsack.items() * kLanes);
        expect_tile_matches_scalar(knapsack, predicted, truth);
      }
    }
  }
}

TEST(Knapsack, MoreThanSixtyFourItemsAreNamedByAHash) {
  std::vector<int> weights;
  for (int item = 0; item < 90; ++item) weights.push_back(1 + item % 7);
  const Knapsack knapsack(weights, 60);
  EXPECT_FALSE(knapsack.has_tile_kernel());
  RandomStream random(14, Purpose::kTest);
  const auto predicted = draw_values(random, Values::kReal, knapsack.items() * kLanes);
  expect_tile_matches_scalar(knapsack, predicted, predicted);
  std::vector<double> take(90, 0.0);
  take[3] = take[80] = 1.0;
  const auto first = knapsack.signature(take);
  take[80] = 0.0, take[81] = 1.0;
  EXPECT_NE(knapsack.signature(take), first);
}

// The gap of the tile kernel never exceeds the true one, and equals it where all values are positive.
TEST(Knapsack, RefusesImpossibleInstances) {
  EXPECT_THROW(Knapsack({}, 3), InputError);
  EXPECT_THROW(Knapsack({1, -2}, 3), InputError);
  EXPECT_THROW(Knapsack({1, 2}, -1), InputError);
  EXPECT_THROW(Knapsack(std::vector<int>(1000, 1000000), 900000000), InputError);
}

}  // namespace
}  // namespace polystep::solvers
