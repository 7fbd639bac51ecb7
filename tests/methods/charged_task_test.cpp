// Costs as training charges them: in units of a row's optimum, with a price on infeasible decisions.
#include "methods/constraints/charged_task.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/constraint_tasks.hpp"

namespace polystep {
namespace {

class Charged : public testing::TestWithParam<const char*> {
 protected:
  Charged()
      : task_(constraint_task(GetParam())),
        team_(1),
        plain_(task_, team_),
        data_(prepare_data(task_, false, false)) {}

  Task task_;
  ThreadTeam team_;
  Evaluator plain_;
  PreparedData data_;
};

TEST_P(Charged, DividesEveryCostByTheOptimalOneAndAddsThePriceWhereInfeasible) {
  Preparation preparation;
  ChargedTask charged(plain_, data_, true, preparation);
  EXPECT_EQ(charged.reference_solves().requested, 800u);
  ASSERT_EQ(charged.training_optima().size(), data_.training.rows);
  for (const double cost : charged.training_optima()) EXPECT_EQ(std::abs(cost), 1);
  Evaluator evaluator(charged.task(), team_);
  const TiledRows rows(task_.data.validation), charged_rows(data_.validation);
  const std::vector<double> theta = task_.predictor->initial_parameters(3);
  const Evaluation expected = plain_.evaluate(theta, rows), optimal = plain_.optimal(rows);
  const Evaluation found = evaluator.evaluate(theta, charged_rows);
  charged.set_price(7);
  const Evaluation priced = evaluator.evaluate(theta, charged_rows);
  std::size_t dearer = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    EXPECT_EQ(found.costs[row], expected.costs[row] / std::abs(optimal.costs[row]));
    if (priced.costs[row] == found.costs[row]) continue;
    EXPECT_EQ(priced.costs[row], found.costs[row] + 7);
    ++dearer;
  }
  EXPECT_EQ(dearer, expected.infeasible);
  EXPECT_GT(dearer, 0u);
  EXPECT_EQ(priced.infeasible, expected.infeasible);
}

TEST_P(Charged, RowsAndTilesAreChargedAlike) {
  Preparation preparation;
  ChargedTask charged(plain_, data_, true, preparation);
  charged.set_price(0.5);
  Evaluator evaluator(charged.task(), team_);
  const TiledRows rows(data_.validation);
  const Problem& problem = *charged.task().problem;
  std::vector<double> foresight;  // [rows × outputs]
  for (std::size_t row = 0; row < data_.validation.rows; ++row) {
    const auto truth = data_.validation.truth_row(row).first(problem.outputs());
    foresight.insert(foresight.end(), truth.begin(), truth.end());
  }
  const Evaluation tiles = evaluator.decide(foresight, rows);
  std::vector<double> decision(problem.decision_size());
  for (std::size_t row = 0; row < 20; ++row) {
    const auto truth = data_.validation.truth_row(row);
    ASSERT_EQ(problem.decide(truth.first(problem.outputs()), row, decision), SolveStatus::kSolved);
    EXPECT_NEAR(problem.cost(decision, truth, row), tiles.costs[row], 1e-12);
    EXPECT_NEAR(std::abs(tiles.costs[row]), 1, 1e-12);  // the optimum, in its own unit
  }
}

TEST_P(Charged, CanLeaveTheUnitsAlone) {
  Preparation preparation;
  ChargedTask charged(plain_, data_, false, preparation);
  EXPECT_EQ(charged.reference_solves().requested, 0u);
  Evaluator evaluator(charged.task(), team_);
  const std::vector<double> theta = task_.predictor->initial_parameters(3);
  EXPECT_EQ(evaluator.evaluate(theta, TiledRows(data_.training)).costs,
            plain_.evaluate(theta, TiledRows(task_.data.training)).costs);
  EXPECT_EQ(charged.plain_training().truth, task_.data.training.truth);
}

INSTANTIATE_TEST_SUITE_P(Problems, Charged,
                         testing::Values("knapsack-capacity", "knapsack-weight", "set-cover"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace polystep
