#include "evaluation/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "input_error.hpp"

namespace polystep {
namespace {

// Order as much as is predicted; missing units cost 3, left-over units 1. Fails where told to.
class Ordering final : public Problem {
 public:
  Ordering() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    if (instance == 3) return SolveStatus::kFailed;
    if (instance == 4) throw std::runtime_error("solver crashed");
    decision[0] = instance == 5 ? std::nan("") : prediction[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return decision[0] < truth[0] ? 3 * (truth[0] - decision[0]) : decision[0] - truth[0];
  }
};

Task ordering_task(std::size_t rows, std::vector<std::size_t> instances) {
  Task task;
  task.problem = std::make_unique<Ordering>();
  task.predictor = make_linear(1, 1);
  Split& test = task.data.test;
  test.rows = rows;
  test.feature_columns = test.truth_columns = 1;
  test.instances = std::move(instances);
  for (std::size_t row = 0; row < rows; ++row) {
    test.features.push_back(static_cast<double>(row));
    test.truth.push_back(2.0 * static_cast<double>(row) + 1);
  }
  return task;
}

TEST(Evaluator, MeasuresRealisedCostsRowByRow) {
  const Task task = ordering_task(11, std::vector<std::size_t>(11, 0));
  for (const std::size_t threads : {1u, 3u}) {
    ThreadTeam team(threads);
    Evaluator evaluator(task, team);
    const TiledRows rows(task.data.test);
    EXPECT_EQ(rows.tiles(), 2u);
    const Evaluation perfect = evaluator.evaluate(std::vector<double>{2, 1}, rows);
    EXPECT_EQ(perfect.mean_cost, 0);
    const Evaluation short_by_row =
        evaluator.evaluate(std::vector<double>{1, 1}, rows);  // row r lacks r units
    for (std::size_t row = 0; row < 11; ++row)
      EXPECT_EQ(short_by_row.costs[row], 3.0 * static_cast<double>(row));
    EXPECT_EQ(short_by_row.mean_cost, 15);
    EXPECT_EQ(short_by_row.solves.requested, 11u);
    EXPECT_EQ(short_by_row.solves.performed, 11u);
    EXPECT_EQ(evaluator.optimal(rows).mean_cost, 0);
  }
}

TEST(Evaluator, ChargesFailuresAFiniteCostAndCountsThem) {
  const Task task = ordering_task(5, {0, 3, 4, 5, 1});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.test);
  const SolveCounts counts = evaluator.calibrate_failure_cost(std::vector<double>{0, 0}, rows);
  EXPECT_EQ(counts.failed, 3u);
  EXPECT_EQ(evaluator.failure_cost(), 2 * 27 + 1);  // the worst decided row lacks 9 units
  const Evaluation evaluation = evaluator.evaluate(std::vector<double>{2, 1}, rows);
  EXPECT_EQ(evaluation.costs, (std::vector<double>{0, 55, 55, 55, 0}));
  EXPECT_EQ(evaluation.solves.failed, 3u);
}

TEST(MeanRegret, FollowsTheMetric) {
  const std::vector<double> optimal = {-10, 2, 0, 0};
  Evaluation decided;
  decided.costs = {-8, 3, 0, 2};
  decided.failed.resize(4);
  EXPECT_DOUBLE_EQ(mean_regret(RegretMetric::kAbsolute, decided, optimal), (2 + 1 + 0 + 2) / 4.0);
  EXPECT_DOUBLE_EQ(mean_regret(RegretMetric::kRelative, decided, optimal), (0.2 + 0.5 + 0 + 1) / 4.0);
}

TEST(MeanRegret, IsOverRowsWithAReferenceAndChargesMissingDecisions) {
  const double none = std::nan("");
  const std::vector<double> optimal = {10, none, none, 20, 400};
  Evaluation decided;
  decided.costs = {15, 12, 101, 101, 101};  // the failure cost is 101
  decided.failed = {0, 0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(mean_regret(RegretMetric::kAbsolute, decided, optimal), (5 + 81 + 401) / 3.0);
  EXPECT_DOUBLE_EQ(mean_regret(RegretMetric::kRelative, decided, optimal),
                   (0.5 + 81 / 20.0 + 401 / 400.0) / 3);
  EXPECT_TRUE(std::isnan(mean_regret(RegretMetric::kAbsolute, decided, std::vector<double>(5, none))));
}

TEST(Evaluator, KnowsWhichRowsFailedAndMeasuresNothingAgainstACharge) {
  const Task task = ordering_task(5, {0, 3, 4, 5, 1});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.test);
  evaluator.calibrate_failure_cost(std::vector<double>{0, 0}, rows);
  const Evaluation decided = evaluator.evaluate(std::vector<double>{1, 1}, rows);  // row r lacks r units
  EXPECT_EQ(decided.failed, (std::vector<std::uint8_t>{0, 1, 1, 1, 0}));
  const Evaluation references = evaluator.optimal(rows);
  EXPECT_EQ(references.failed, decided.failed);
  for (std::size_t row = 0; row < 5; ++row)
    EXPECT_EQ(std::isnan(references.costs[row]), decided.failed[row] == 1) << row;
  EXPECT_EQ(references.mean_cost, 0);
  EXPECT_DOUBLE_EQ(failed_share(decided), 0.6);
  EXPECT_EQ(mean_regret(RegretMetric::kAbsolute, decided, references.costs), (0 + 12) / 2.0);
}

TEST(Evaluator, FindsNoFailureCostWhereNothingIsSolved) {
  const Task task = ordering_task(3, {3, 4, 5});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  EXPECT_EQ(input_error([&] {
              evaluator.calibrate_failure_cost(std::vector<double>{0, 0}, TiledRows(task.data.test));
            }),
            "the failure cost, by decisions of the untrained predictor: the solver failed on all of 3 rows, "
            "expected "
            "at least one to be solved");
}

TEST(TiledRows, RepeatsTheLastRowInUnusedLanes) {
  const Task task = ordering_task(3, {7, 8, 9});
  const std::vector<std::size_t> picked = {2, 0};
  TiledRows rows;
  rows.gather(task.data.test, picked);
  const Tile tile = rows.tile(0);
  EXPECT_EQ(tile.lanes, 2u);
  EXPECT_EQ(tile.features[0], 2);
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    EXPECT_EQ(tile.features[lane], 0);
    EXPECT_EQ(tile.truth[lane], 1);
    EXPECT_EQ(tile.instance[lane], 7u);
  }
}

}  // namespace
}  // namespace polystep
