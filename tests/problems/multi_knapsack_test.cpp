// What is special about the knapsack with several resources; fast and plain paths are compared with those of
// the other predicted constraints.
#include "problems/multi_knapsack.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "polystep/random.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

using Predicted = MultiKnapsack::Predicted;
using Numbers = std::vector<double>;

// Two items, two resources.
MultiKnapsack predicting_weights() { return {{10, 4}, 2, Predicted::kWeights, {5, 6}, 5}; }
MultiKnapsack predicting_capacities() { return {{10, 4}, 2, Predicted::kCapacities, {3, 2, 4, 1}, 5}; }

Numbers decide(const MultiKnapsack& problem, const Numbers& prediction) {
  Numbers decision(problem.decision_size());
  EXPECT_EQ(problem.decide(prediction, 0, decision), SolveStatus::kSolved);
  return decision;
}

TEST(MultiKnapsackProblem, EveryResourceCounts) {
  const MultiKnapsack weights = predicting_weights();
  EXPECT_EQ(decide(weights, {3, 2, 4, 2}), (Numbers{1, 1}));
  EXPECT_EQ(decide(weights, {4, 2, 4, 2}), (Numbers{1, 0}));
  EXPECT_EQ(decide(weights, {3, 2, 5, 2}), (Numbers{1, 0}));
  EXPECT_EQ(decide(weights, {3, 2, 7, 2}), (Numbers{0, 1}));
  const MultiKnapsack capacities = predicting_capacities();
  EXPECT_EQ(decide(capacities, {5, 5}), (Numbers{1, 1}));
  EXPECT_EQ(decide(capacities, {5, 4}), (Numbers{1, 0}));
  EXPECT_EQ(decide(capacities, {2, 5}), (Numbers{0, 1}));
}

TEST(MultiKnapsackProblem, PredictionsAreRoundedToWholeNumbers) {
  EXPECT_EQ(decide(predicting_capacities(), {4.5, 5}), (Numbers{1, 0}));  // half to even
  EXPECT_EQ(decide(predicting_capacities(), {4.6, 4.6}), (Numbers{1, 1}));
  EXPECT_EQ(decide(predicting_weights(), {3.4, 2.4, 4.4, 2.4}), (Numbers{1, 1}));
}

TEST(MultiKnapsackProblem, NothingIsTakenWhereNothingFits) {
  EXPECT_EQ(decide(predicting_capacities(), {-3, 50}), (Numbers{0, 0}));
  EXPECT_EQ(decide(predicting_capacities(), {0, 0}), (Numbers{0, 0}));
  EXPECT_EQ(decide(predicting_weights(), {6, 6, 1, 1}), (Numbers{0, 0}));
}

TEST(MultiKnapsackProblem, NegativeWeightsMakeRoom) {
  EXPECT_EQ(decide(predicting_weights(), {8, -3, 1, 0}), (Numbers{1, 1}));
  EXPECT_EQ(decide(predicting_weights(), {8, -3, 7, 0}), (Numbers{0, 1}));
}

TEST(MultiKnapsackProblem, PredictionsThatAreNotFiniteFail) {
  Numbers decision(2);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(predicting_capacities().decide(Numbers{5, bad}, 0, decision), SolveStatus::kFailed);
    EXPECT_EQ(predicting_weights().decide(Numbers{1, 1, bad, 1}, 0, decision), SolveStatus::kFailed);
  }
}

TEST(MultiKnapsackProblem, LateChangesCost) {
  const MultiKnapsack problem = predicting_capacities();  // weights (3, 2) and (4, 1), rho 5
  const Realisation removed = problem.realise(Numbers{1, 1}, Numbers{9, 4}, 0);
  EXPECT_DOUBLE_EQ(removed.cost, -(10 + 4 - 5 * 4));  // the cheap item goes, at five times its value
  EXPECT_TRUE(removed.recourse.infeasible && removed.recourse.changed);
  const Realisation added = problem.realise(Numbers{1, 0}, Numbers{9, 9}, 0);
  EXPECT_DOUBLE_EQ(added.cost, -(10 + 4.0 / 5));
  EXPECT_FALSE(added.recourse.infeasible);
  EXPECT_TRUE(added.recourse.changed);
  const Realisation kept = problem.realise(Numbers{1, 0}, Numbers{4, 4}, 0);
  EXPECT_DOUBLE_EQ(kept.cost, -10);
  EXPECT_FALSE(kept.recourse.infeasible || kept.recourse.changed);
}

// Rows as methods see them: they hold exactly for the sets that fit, and their gradient is that of the rows.
TEST(MultiKnapsackProblem, ShowsItsRows) {
  const Numbers prediction_of[] = {{3, 2, 5, 2}, {5, 4.5}};
  const MultiKnapsack problems[] = {predicting_weights(), predicting_capacities()};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const PredictedRows& rows = *problems[kind].predicted_rows();
    const Numbers& prediction = prediction_of[kind];
    Numbers a(4), b(2);
    rows.write_rows(prediction, 0, a, b);
    Numbers best(2);
    ASSERT_TRUE(rows.solve_rows(prediction, 0, Numbers{1, 1}, best));
    double best_value = -1, found_value = 10 * best[0] + 4 * best[1];
    for (const Numbers& x : {Numbers{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
      bool holds = true;
      for (std::size_t r = 0; r < 2; ++r) holds &= a[2 * r] * x[0] + a[2 * r + 1] * x[1] + b[r] <= 0;
      if (holds) best_value = std::max(best_value, 10 * x[0] + 4 * x[1]);
    }
    EXPECT_EQ(found_value, best_value);

    const Numbers a_gradient = {1, 2, 3, 4}, b_gradient = {5, 6};
    const auto weighted = [&](const Numbers& at) {
      rows.write_rows(at, 0, a, b);
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += a_gradient[k] * a[k];
      return sum + b_gradient[0] * b[0] + b_gradient[1] * b[1];
    };
    Numbers gradient(prediction.size());
    rows.add_gradient(a_gradient, b_gradient, gradient);
    for (std::size_t k = 0; k < prediction.size(); ++k) {
      Numbers moved = prediction;
      moved[k] += 1;
      EXPECT_DOUBLE_EQ(gradient[k], weighted(moved) - weighted(prediction));
    }
  }
  Numbers x(2);
  EXPECT_FALSE(predicting_capacities().predicted_rows()->solve_rows(Numbers{-1, 5}, 0, Numbers{1, 1}, x));
}

Task make(const std::vector<std::pair<const char*, const char*>>& given) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("multi-knapsack", "test");
  Options options(entry.options, entry.name);
  for (const auto& [key, value] : given) options.set_text(key, value, "test");
  entry.settle(options, {"", 0});
  return entry.make(options, {"", 0});
}

TEST(MultiKnapsackProblem, IsGeneratedUnlessThePublishedOneIsWanted) {
  const Task weights = make({});
  EXPECT_EQ(weights.setting, "predict=weights rho=5 data-seed=0");
  EXPECT_EQ(weights.problem->outputs(), 60u);
  EXPECT_EQ(weights.problem->decision_size(), 20u);
  const Task capacities = make({{"predict", "capacities"}, {"rho", "10"}, {"data-seed", "4"}});
  EXPECT_EQ(capacities.setting, "predict=capacities rho=10 data-seed=4");
  EXPECT_EQ(capacities.problem->outputs(), 3u);
  const std::string refusal = input_error([] { make({{"source", "files"}}); });
  EXPECT_NE(refusal.find("files"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("expected"), std::string::npos) << refusal;
}

TEST(MultiKnapsackProblem, RefusesHalfAProblem) {
  EXPECT_EQ(input_error([] {
              MultiKnapsack({1, 2}, 3, Predicted::kWeights, {1, 2}, 5);
            }),
            "multi-knapsack: found 2 known capacities, expected 3");
  EXPECT_EQ(input_error([] {
              MultiKnapsack({1, 2}, 3, Predicted::kCapacities, {1, 2}, 5);
            }),
            "multi-knapsack: found 2 known weights, expected 6");
}

}  // namespace
}  // namespace polystep
