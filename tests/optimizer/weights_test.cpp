#include "optimizer/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "optimizer/sinkhorn.hpp"
#include "optimizer/weight_table.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

std::vector<double> softmax(const std::vector<double>& costs, double temperature) {
  std::vector<double> weights(costs.size());
  softmax_weights(costs, temperature, weights);
  return weights;
}

std::vector<double> random_costs(std::size_t count, std::uint64_t index = 0) {
  std::vector<double> costs(count);
  RandomStream(6, Purpose::kTest, index).fill_normal(costs);
  return costs;
}

TEST(Softmax, MatchesItsFormula) {
  const auto weights = softmax({0, std::log(3.0), 0}, 1);
  EXPECT_NEAR(weights[0], 3.0 / 7, 1e-15);
  EXPECT_NEAR(weights[1], 1.0 / 7, 1e-15);
}

TEST(Softmax, SurvivesExtremeTemperatures) {
  const auto cold = softmax({0, 1, 2}, 1e-300);
  EXPECT_EQ(cold, (std::vector<double>{1, 0, 0}));
  const auto hot = softmax({0, 1, 2}, 1e300);
  for (const double weight : hot) EXPECT_NEAR(weight, 1.0 / 3, 1e-15);
}

TEST(Greedy, PutsAllMassOnTheFirstCheapest) {
  std::vector<double> weights(4);
  greedy_weights(std::vector<double>{3, 0, 0, 1}, weights);
  EXPECT_EQ(weights, (std::vector<double>{0, 1, 0, 0}));
}

TEST(TopCount, SharesMassAmongTheCheapest) {
  std::vector<double> weights(5);
  std::vector<std::size_t> order;
  top_weights(std::vector<double>{5, 1, 0, 1, 1}, 3, order, weights);
  EXPECT_EQ(weights, (std::vector<double>{0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0}));
  top_weights(std::vector<double>{5, 1, 0, 1, 1}, 9, order, weights);
  for (const double weight : weights) EXPECT_EQ(weight, 0.2);
}

TEST(Entropy, RunsFromZeroToOne) {
  EXPECT_NEAR(entropy_share(std::vector<double>(7, 1.0 / 7)), 1.0, 1e-14);
  EXPECT_EQ(entropy_share(std::vector<double>{0, 1, 0}), 0.0);
}

TEST(Sinkhorn, MeetsBothMarginalsAndIsAScaledKernel) {
  constexpr std::size_t kRows = 5, kColumns = 4;
  const auto costs = random_costs(kRows * kColumns);
  std::vector<double> weights(costs.size());
  SinkhornWeights sinkhorn({});
  sinkhorn.balanced(costs, kColumns, 0.3, weights);
  EXPECT_LT(sinkhorn.iterations(), 2000u);
  for (std::size_t j = 0; j < kRows; ++j) {
    double sum = 0;
    for (std::size_t v = 0; v < kColumns; ++v) sum += weights[j * kColumns + v];
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
  for (std::size_t v = 0; v < kColumns; ++v) {
    double sum = 0;
    for (std::size_t j = 0; j < kRows; ++j) sum += weights[j * kColumns + v];
    EXPECT_NEAR(sum, double(kRows) / kColumns, 1e-4);
  }
  // Of all plans with these marginals the optimal one is exp(f + g - C/eps): cross ratios are those of the
  // kernel.
  const auto log_ratio = [&](const std::vector<double>& x, auto f) {
    return f(x[0]) - f(x[1]) - f(x[kColumns]) + f(x[kColumns + 1]);
  };
  EXPECT_NEAR(log_ratio(weights, [](double w) { return std::log(w); }),
              log_ratio(costs, [](double c) { return -c / 0.3; }), 1e-9);
}

TEST(Sinkhorn, WarmStartSavesIterationsAndKeepsTheAnswer) {
  const auto costs = random_costs(40);
  auto nearby = costs;
  for (double& cost : nearby) cost *= 1.001;
  std::vector<double> cold_weights(40), warm_weights(40);
  SinkhornWeights warm({.tolerance = 1e-9}), cold({.tolerance = 1e-9});
  warm.balanced(costs, 4, 0.2, warm_weights);
  warm.balanced(nearby, 4, 0.19, warm_weights);
  cold.balanced(nearby, 4, 0.19, cold_weights);
  EXPECT_LE(warm.iterations(), cold.iterations());
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(warm_weights[i], cold_weights[i], 1e-6);
}

TEST(Sinkhorn, WithoutToleranceRunsTheFullCount) {
  const auto costs = random_costs(12);
  std::vector<double> weights(12);
  SinkhornWeights sinkhorn({.max_iterations = 37, .tolerance = 0});
  sinkhorn.balanced(costs, 4, 1, weights);
  EXPECT_EQ(sinkhorn.iterations(), 37u);
}

TEST(KlSoftmax, LiesBetweenSoftmaxAndSinkhorn) {
  const auto costs = random_costs(20);
  std::vector<double> none(20), huge(20), balanced(20);
  SinkhornWeights({}).penalised(costs, 4, 0.5, 0, none);
  SinkhornWeights({.tolerance = 1e-10}).penalised(costs, 4, 0.5, 1e9, huge);
  SinkhornWeights({.tolerance = 1e-10}).balanced(costs, 4, 0.5, balanced);
  for (std::size_t j = 0; j < 5; ++j) {
    const auto row = softmax({costs.begin() + 4 * long(j), costs.begin() + 4 * long(j) + 4}, 0.5);
    for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(none[4 * j + v], row[v], 1e-12);
  }
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(huge[i], balanced[i], 1e-6);
}

TEST(KlSoftmax, SolvesItsOptimalityConditions) {
  const auto costs = random_costs(20);
  const double temperature = 0.5, penalty = 0.8;
  std::vector<double> weights(20);
  SinkhornWeights({.tolerance = 1e-12}).penalised(costs, 4, temperature, penalty, weights);
  // Stationarity within a row: cost + eps log w + lambda log(column mass) is the same for every vertex.
  std::vector<double> mass(4, 0.0);
  for (std::size_t i = 0; i < 20; ++i) mass[i % 4] += weights[i] / 5;
  for (std::size_t j = 0; j < 5; ++j)
    for (std::size_t v = 1; v < 4; ++v) {
      const auto level = [&](std::size_t w) {
        return costs[4 * j + w] + temperature * std::log(weights[4 * j + w]) + penalty * std::log(mass[w]);
      };
      EXPECT_NEAR(level(v), level(0), 1e-8);
    }
}

TEST(WeightTable, SinkhornRefusesASingleBlock) {
  PolyStepOptions options;
  options.weight_rule = WeightRule::kSinkhorn;
  EXPECT_THROW(WeightTable(options, {1, 4, 4}), InputError);
  EXPECT_NO_THROW(WeightTable(options, {2, 4, 4}));
  EXPECT_THROW(WeightTable(options, {2, 4, 2}), InputError);
  options.weight_rule = WeightRule::kKlSoftmax;
  EXPECT_NO_THROW(WeightTable(options, {1, 4, 4}));
  EXPECT_THROW(WeightTable(options, {2, 4, 2}), InputError);
}

TEST(WeightTable, TemperedIgnoresTheSchedule) {
  PolyStepOptions options;
  options.weight_rule = WeightRule::kTempered;
  options.fixed_temperature = 2;
  CostRows rows({1, 3, 3});
  rows.assign(std::vector<double>{0, 1, 4}, 1, CostScale::kNone, 1);
  WeightTable table(options, {1, 3, 3});
  table.assign(rows, 0.01);
  const auto expected = softmax({0, 1, 4}, 2);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_DOUBLE_EQ(table.row(0)[v], expected[v]);
}

TEST(WeightTable, FlatRowMayMoveOnlyWhereBlocksAreCoupled) {
  CostRows rows({2, 2, 2});
  rows.assign(std::vector<double>{1, 1, 0, 5}, 1, CostScale::kNone, 1);
  PolyStepOptions options;
  WeightTable alone(options, {2, 2, 2});
  alone.assign(rows, 1);
  EXPECT_TRUE(alone.still(0));
  EXPECT_FALSE(alone.still(1));
  options.weight_rule = WeightRule::kSinkhorn;
  WeightTable coupled(options, {2, 2, 2});
  coupled.assign(rows, 1);
  EXPECT_FALSE(coupled.still(0));
  EXPECT_LT(coupled.row(0)[0], 0.4);  // the other row took this vertex's mass
}

}  // namespace
}  // namespace polystep
