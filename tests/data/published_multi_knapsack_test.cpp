// The multi-dimensional knapsacks published beside the alloy benchmark, against figures of NumPy itself.
#include "data/benchmarks/published_multi_knapsack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/benchmarks/numpy_random.hpp"
#include "data/benchmarks/numpy_shuffle.hpp"
#include "data/published_files.hpp"

namespace polystep {
namespace {

constexpr std::size_t kItems = kPublishedKnapsackItems, kWeights = 3 * kItems;

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

TEST(NumpyRandom, DrawsWhatNumpyDraws) {
  NumpyRandom random(11);
  EXPECT_EQ(random.uniform(), 0.1802696888767692);  // RandomState(11).uniform()
  EXPECT_INPUT_ERROR(NumpyRandom(4294967296), "numpy generator: found seed 4294967296",
                     "expected 0 to 4294967295");
}

TEST(NumpyTrainTest, TakesTestRowsFirst) {
  const TrainTestOrder order = numpy_train_test(10, 3, 0);  // the shuffled order is 2 8 4 9 1 6 7 3 0 5
  EXPECT_EQ(order.test, (std::vector<std::size_t>{2, 8, 4}));
  EXPECT_EQ(order.training, (std::vector<std::size_t>{9, 1, 6, 7, 3, 0, 5}));
}

struct Sums {
  std::uint64_t seed;
  double features, weights, capacities, values;
};

TEST(PublishedMultiKnapsack, UnknownWeightsHaveTheSumsOfNumpy) {
  for (const Sums& expected : {Sums{11, 7470.240118640057, 4184227.2, 2324091, 8372027.628007378},
                               {12, 7501.472583411087, 4041352.8, 2249343, 8362501.111077456},
                               {15, 7548.125120835912, 4116248.1, 2247249, 8365102.970322557}}) {
    const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_weights(expected.seed);
    EXPECT_NEAR(sum(drawn.features), expected.features, 1e-8);
    EXPECT_NEAR(sum(drawn.weights), expected.weights, 1e-5);
    EXPECT_EQ(sum(drawn.capacities), expected.capacities);
    EXPECT_NEAR(sum(drawn.values), expected.values, 1e-5);
  }
  const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_weights(11);
  EXPECT_EQ(*std::ranges::min_element(drawn.weights), 3.2);
  EXPECT_EQ(*std::ranges::max_element(drawn.weights), 121);
  EXPECT_EQ((std::vector(drawn.weights.begin() + 50, drawn.weights.begin() + 54)),
            (std::vector<double>{7.9, 14.9, 8.4, 14.6}));
  EXPECT_EQ((std::vector(drawn.weights.end() - 3, drawn.weights.end())),
            (std::vector<double>{7, 13.4, 16.9}));
  EXPECT_EQ((std::vector(drawn.capacities.end() - 3, drawn.capacities.end())),
            (std::vector<double>{524., 561, 645}));
  EXPECT_NEAR(drawn.values[150], 102.26424029, 1e-8);
}

TEST(PublishedMultiKnapsack, UnknownCapacitiesHaveTheSumsOfNumpy) {
  for (const Sums& expected : {Sums{11, 188415, 337462.57, 88204, 8362190.551096664},
                               {12, 186839, 337303.98, 105152, 8378164.483907126},
                               {15, 188124, 337455.95, 108164, 8366702.859739062}}) {
    const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_capacities(expected.seed);
    EXPECT_EQ(sum(drawn.features), expected.features);
    EXPECT_NEAR(sum(drawn.weights), expected.weights, 1e-6);
    EXPECT_EQ(sum(drawn.capacities), expected.capacities);
    EXPECT_NEAR(sum(drawn.values), expected.values, 1e-5);
  }
  const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_capacities(11);
  EXPECT_EQ(*std::ranges::min_element(drawn.capacities), 7);
  EXPECT_EQ(*std::ranges::max_element(drawn.capacities), 25);
  EXPECT_EQ((std::vector(drawn.weights.begin() + 50, drawn.weights.begin() + 54)),
            (std::vector<double>{1.03, 1.81, 1.25, 1.14}));
  EXPECT_EQ((std::vector(drawn.capacities.end() - 3, drawn.capacities.end())),
            (std::vector<double>{16., 25, 25}));
}

// RandomState(11): permutation(1500), then permutation(1000) of what is not for test.
constexpr std::size_t kFirstTraining = 1082, kFirstValidation = 1311, kFirstTest = 1122;

template <class Numbers>
std::vector<double> row(const Numbers& numbers, std::size_t number, std::size_t columns) {
  const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(number * columns);
  return {begin, begin + static_cast<std::ptrdiff_t>(columns)};
}

TEST(PublishedMultiKnapsack, AlignedKeepsInstancesWhole) {
  const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_weights(11);
  const PublishedKnapsackData dealt = published_multi_knapsack_weights(11, KnapsackPairing::kAligned);
  EXPECT_EQ(dealt.data.training.rows, 900u);
  EXPECT_EQ(dealt.data.validation.rows, 100u);
  EXPECT_EQ(dealt.data.test.rows, 500u);
  const std::pair<const Split*, std::size_t> firsts[] = {{&dealt.data.training, kFirstTraining},
                                                         {&dealt.data.validation, kFirstValidation},
                                                         {&dealt.data.test, kFirstTest}};
  for (const auto& [split, first] : firsts) {
    EXPECT_EQ(row(split->features, 0, 10), row(drawn.features, first, 10));
    EXPECT_EQ(row(split->truth, 0, kWeights), row(drawn.weights, first, kWeights));
    EXPECT_EQ(row(dealt.known, split->instance(0), 3), row(drawn.capacities, first, 3));
    EXPECT_EQ(row(dealt.values, split->instance(0), kItems), row(drawn.values, first, kItems));
  }
}

TEST(PublishedMultiKnapsack, PublishedLeavesCapacitiesAndValuesBehind) {
  const PublishedKnapsacks drawn = draw_knapsacks_of_unknown_capacities(11);
  const PublishedKnapsackData dealt = published_multi_knapsack_capacities(11, KnapsackPairing::kAsPublished);
  const std::pair<const Split*, std::size_t> firsts[] = {{&dealt.data.training, kFirstTraining},
                                                         {&dealt.data.validation, kFirstValidation},
                                                         {&dealt.data.test, kFirstTest}};
  for (const auto& [split, first] : firsts) {
    EXPECT_EQ(row(split->features, 0, 10), row(drawn.features, first, 10));
    EXPECT_EQ(row(dealt.known, split->instance(0), kWeights), row(drawn.weights, first, kWeights));
    for (const std::size_t i : {std::size_t{0}, std::size_t{99}}) {
      EXPECT_EQ(row(split->truth, i, 3), row(drawn.capacities, i, 3));
      EXPECT_EQ(row(dealt.values, split->instance(i), kItems), row(drawn.values, i, kItems));
    }
  }
  EXPECT_EQ(dealt.data.test.instance(499), 1499u);
}

TEST(PublishedMultiKnapsack, RefusesSeedsNumpyCannotTake) {
  EXPECT_INPUT_ERROR(draw_knapsacks_of_unknown_weights(4294967296), "multi-knapsack: found seed 4294967296",
                     "expected 0 to 4294967295");
}

}  // namespace
}  // namespace polystep
