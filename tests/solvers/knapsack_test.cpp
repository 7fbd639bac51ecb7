// The knapsack's methods against the enumeration of all decisions and against each other.
#include "solvers/knapsack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep::solvers {
namespace {

enum class Values { kReal, kMixedSigns, kFewIntegers, kSignedIntegers, kAllEqual, kAllZero, kAllNegative };
constexpr Values kAllValues[] = {Values::kReal,           Values::kMixedSigns, Values::kFewIntegers,
                                 Values::kSignedIntegers, Values::kAllEqual,   Values::kAllZero,
                                 Values::kAllNegative};

double draw(RandomStream& random, Values kind) {
  switch (kind) {
    case Values::kReal:
      return random.uniform(1.0, 400.0);
    case Values::kMixedSigns:
      return random.uniform(-3.0, 5.0);
    case Values::kFewIntegers:
      return static_cast<double>(random.below(4));
    case Values::kSignedIntegers:
      return static_cast<double>(random.below(7)) - 2.0;
    case Values::kAllEqual:
      return 2.0;
    case Values::kAllZero:
      return 0.0;
    case Values::kAllNegative:
      return -random.uniform(0.5, 2.0);
  }
  return 0.0;
}

std::vector<double> draw_values(RandomStream& random, Values kind, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = draw(random, kind);
  return values;
}

// A small instance: weights from 1 to 4 different ones (0 among them), capacity from 0 to beyond the total.
struct Instance {
  std::vector<int> weights;
  std::int64_t capacity;
};

Instance draw_instance(RandomStream& random, std::size_t most_items) {
  Instance instance;
  std::vector<int> kinds(1 + random.below(4));
  for (int& kind : kinds) kind = static_cast<int>(random.below(9));
  instance.weights.resize(1 + random.below(most_items));
  int total = 0;
  for (int& weight : instance.weights) total += weight = kinds[random.below(kinds.size())];
  instance.capacity = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(total) + 3));
  return instance;
}

struct TwoBest {
  double best = -std::numeric_limits<double>::infinity();
  double second = -std::numeric_limits<double>::infinity();
};

TwoBest enumerate(const Instance& instance, const std::vector<double>& values) {
  TwoBest found;
  for (unsigned decision = 0; decision < 1u << values.size(); ++decision) {
    std::int64_t weight = 0;
    double value = 0.0;
    for (std::size_t item = 0; item < values.size(); ++item) {
      if ((decision >> item & 1) == 0) continue;
      weight += instance.weights[item];
      value += values[item];
    }
    if (weight > instance.capacity) continue;
    found.second = std::max(found.second, std::min(value, found.best));
    found.best = std::max(found.best, value);
  }
  return found;
}

void expect_valid(const Instance& instance, const std::vector<double>& values,
                  const std::vector<double>& take, double value) {
  std::int64_t weight = 0;
  double sum = 0.0;
  for (std::size_t item = 0; item < values.size(); ++item) {
    ASSERT_TRUE(take[item] == 0.0 || take[item] == 1.0);
    if (take[item] == 0.0) continue;
    ASSERT_GT(values[item], 0.0);
    weight += instance.weights[item];
    sum += values[item];
  }
  ASSERT_LE(weight, instance.capacity);
  ASSERT_EQ(sum, value);
}

std::vector<InstructionSet> supported_sets() {
  std::vector<InstructionSet> sets{InstructionSet::kBaseline};
  if (is_supported(InstructionSet::kAvx512)) sets.push_back(InstructionSet::kAvx512);
  return sets;
}

std::vector<double> lane_of(const std::vector<double>& tile, std::size_t lane) {
  std::vector<double> column;
  for (std::size_t at = lane; at < tile.size(); at += kLanes) column.push_back(tile[at]);
  return column;
}

std::vector<int> benchmark_weights() {
  std::vector<int> weights;
  for (int item = 0; item < 48; ++item) weights.push_back(3 + 2 * (item * 7 % 3));
  return weights;
}

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

TEST(Knapsack, TheTwoInstructionSetsAgreeBitForBitOnGaps) {
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

// The gap of the tile kernel never exceeds the true one, and equals it where all values are positive.
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

TEST(Knapsack, GapsAreLowerBoundsAndTightForPositiveValues) {
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

TEST(Knapsack, MarginsAreTheGapWithTheSignOfTheDecision) {
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

TEST(Knapsack, MarginsRefuseValuesThatAreNotFinite) {
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

TEST(Knapsack, RefusesImpossibleInstances) {
  EXPECT_THROW(Knapsack({}, 3), InputError);
  EXPECT_THROW(Knapsack({1, -2}, 3), InputError);
  EXPECT_THROW(Knapsack({1, 2}, -1), InputError);
  EXPECT_THROW(Knapsack(std::vector<int>(1000, 1000000), 900000000), InputError);
}

}  // namespace
}  // namespace polystep::solvers
