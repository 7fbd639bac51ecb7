// Generated data of the knapsack with several resources.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/benchmarks/constraint_data.hpp"
#include "solvers/knapsack/multi_knapsack.hpp"

namespace polystep {
namespace {

constexpr std::size_t kWeights = kMultiKnapsackItems * kMultiKnapsackResources;

double sum(const double* first, std::size_t count) { return std::accumulate(first, first + count, 0.0); }

void expect_whole(const std::vector<double>& numbers) {
  for (const double number : numbers) EXPECT_TRUE(number >= 0 && number == std::floor(number)) << number;
}

TEST(GeneratedMultiKnapsack, HalfOfTheMeanWeightFits) {
  const MultiKnapsackData knapsack = generated_multi_knapsack_weights(3, {1, 0});
  const Split& rows = knapsack.data.training;
  EXPECT_EQ(rows.rows, 720u);
  EXPECT_EQ(knapsack.data.validation.rows, 80u);
  EXPECT_EQ(knapsack.data.test.rows, 50u);
  EXPECT_EQ(rows.feature_columns, 5u);
  EXPECT_EQ(rows.truth_columns, kWeights);
  EXPECT_EQ(knapsack.values.size(), kMultiKnapsackItems);
  EXPECT_TRUE(knapsack.weights.empty());
  EXPECT_TRUE(std::ranges::all_of(knapsack.values, [](double value) { return value > 0; }));
  expect_whole(rows.truth);
  expect_whole(knapsack.capacities);
  ASSERT_EQ(knapsack.capacities.size(), kMultiKnapsackResources);
  for (std::size_t r = 0; r < kMultiKnapsackResources; ++r) {
    double total = 0;
    for (std::size_t row = 0; row < rows.rows; ++row)
      total += sum(rows.truth_row(row).data() + r * kMultiKnapsackItems, kMultiKnapsackItems);
    const double mean = total / static_cast<double>(rows.rows);
    EXPECT_NEAR(knapsack.capacities[r], 0.5 * mean, 0.05 * knapsack.capacities[r]);
  }
}

TEST(GeneratedMultiKnapsack, CapacitiesBind) {
  const MultiKnapsackData knapsack = generated_multi_knapsack_capacities(3, {1, 0});
  const Split& rows = knapsack.data.training;
  EXPECT_EQ(rows.truth_columns, kMultiKnapsackResources);
  EXPECT_TRUE(knapsack.capacities.empty());
  ASSERT_EQ(knapsack.weights.size(), kWeights);
  expect_whole(rows.truth);
  expect_whole(knapsack.weights);
  EXPECT_GE(std::ranges::min(knapsack.weights), 1);
  EXPECT_LE(std::ranges::max(knapsack.weights), 100);
  for (std::size_t r = 0; r < kMultiKnapsackResources; ++r) {
    const double total = sum(knapsack.weights.data() + r * kMultiKnapsackItems, kMultiKnapsackItems);
    std::size_t binding = 0;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      binding += rows.truth_row(row)[r] < total;
      EXPECT_GE(rows.truth_row(row)[r], std::nearbyint(0.1 * total));
    }
    EXPECT_GT(binding, rows.rows * 3 / 4);
  }
}

// Relative regret needs an optimum above 0.
TEST(GeneratedMultiKnapsack, SomethingFitsInEveryInstance) {
  solvers::MultiKnapsack solver(kMultiKnapsackItems, kMultiKnapsackResources);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const MultiKnapsackData weights = generated_multi_knapsack_weights(seed, {0, 0});
    const MultiKnapsackData capacities = generated_multi_knapsack_capacities(seed, {0, 0});
    for (std::size_t row = 0; row < 720; ++row) {
      EXPECT_GT(solver.solve(weights.values, weights.data.training.truth_row(row), weights.capacities), 0u);
      EXPECT_GT(solver.solve(capacities.values, capacities.weights, capacities.data.training.truth_row(row)),
                0u);
    }
  }
}

// Values are a mean weight plus up to the mean of all.
TEST(GeneratedMultiKnapsack, HeavyItemsAreValuable) {
  const MultiKnapsackData knapsack = generated_multi_knapsack_capacities(5, {0, 0});
  const double mean = sum(knapsack.weights.data(), kWeights) / kWeights;
  for (std::size_t j = 0; j < kMultiKnapsackItems; ++j) {
    double weight = 0;
    for (std::size_t r = 0; r < kMultiKnapsackResources; ++r)
      weight += knapsack.weights[r * kMultiKnapsackItems + j] / kMultiKnapsackResources;
    EXPECT_GE(knapsack.values[j], weight - 1e-9);
    EXPECT_LE(knapsack.values[j], weight + mean + 1e-9);
  }
}

TEST(GeneratedMultiKnapsack, DependsOnItsSeedAndRunAlone) {
  for (const auto& generate : {generated_multi_knapsack_weights, generated_multi_knapsack_capacities}) {
    const auto truth = [&](std::uint64_t seed, ConstraintRun run) {
      return generate(seed, run).data.training.truth;
    };
    EXPECT_EQ(truth(3, {1, 2}), truth(3, {1, 2}));
    EXPECT_NE(truth(3, {1, 2}), truth(4, {1, 2}));
    EXPECT_NE(truth(3, {1, 2}), truth(3, {2, 2}));
    EXPECT_NE(truth(3, {1, 2}), truth(3, {1, 1}));
    EXPECT_EQ(generate(3, {1, 0}).values, generate(3, {1, 2}).values);  // a split deals, and no more
    EXPECT_NE(generate(3, {1, 0}).values, generate(3, {2, 0}).values);
  }
}

}  // namespace
}  // namespace polystep
