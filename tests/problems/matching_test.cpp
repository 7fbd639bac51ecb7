#include "problems/matching.hpp"

#include <gtest/gtest.h>

#include "evaluation/evaluator.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

Task make_matching(const char* type, const char* model, const char* split = "held-out") {
  const ProblemEntry entry = matching_entry();
  Options options(entry.options);
  options.set_text("type", type, "test");
  options.set_text("model", model, "test");
  options.set_text("split", split, "test");
  options.set_text("source", "generated", "test");
  return entry.make(options, {});
}

TEST(Matching, DealsTheInstancesAsTheSplitSays) {
  const Task held_out = make_matching("1", "ilp");
  EXPECT_EQ(held_out.data.training.instances.back(), 16u);
  EXPECT_EQ(held_out.data.validation.instances.front(), 17u);
  EXPECT_EQ(held_out.data.validation.rows, 5u);
  EXPECT_EQ(held_out.data.test.instances.front(), 22u);
  const Task published = make_matching("1", "ilp", "test-validates");
  EXPECT_EQ(published.data.training.rows, 22u);
  EXPECT_EQ(published.data.validation.instances, published.data.test.instances);
}

TEST(Matching, SolvesTilesLikeSingleInstances) {
  for (const char* model : {"ilp", "lp"}) {
    const Task task = make_matching("3", model);
    const auto solver = task.problem->make_tile_solver();
    const TiledRows rows(task.data.validation);
    const Tile tile = rows.tile(0);
    AlignedDoubles prediction(kLanes * task.problem->outputs());
    for (std::uint64_t trial = 0; trial < 3; ++trial) {
      RandomStream stream(7, Purpose::kTest, trial);
      for (double& weight : prediction) weight = stream.uniform();
      TileOutcome outcome;
      solver->solve(tile, prediction.data(), outcome);
      EXPECT_EQ(outcome.failed, 0u);
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        std::vector<double> weights(task.problem->outputs()), decision(weights.size());
        for (std::size_t pair = 0; pair < weights.size(); ++pair)
          weights[pair] = prediction[pair * kLanes + lane];
        ASSERT_EQ(task.problem->decide(weights, tile.instance[lane], decision), SolveStatus::kSolved);
        EXPECT_EQ(outcome.cost[lane],
                  task.problem->cost(decision, task.data.validation.truth_row(lane), tile.instance[lane]));
      }
    }
  }
}

TEST(Matching, RelaxingNeverLosesValue) {
  const Task whole = make_matching("2", "ilp"), relaxed = make_matching("2", "lp");
  ThreadTeam team(1);
  const TiledRows rows(whole.data.training);
  const Evaluation best = Evaluator(whole, team).optimal(rows);
  const Evaluation bound = Evaluator(relaxed, team).optimal(rows);
  for (std::size_t row = 0; row < rows.rows(); ++row) EXPECT_LE(bound.costs[row], best.costs[row] + 1e-9);
}

TEST(Matching, CountsWeightsThatAreNotNumbersAsFailures) {
  const Task task = make_matching("1", "ilp");
  const TiledRows rows(task.data.test);
  AlignedDoubles prediction(kLanes * task.problem->outputs(), 0.5);
  prediction[3 * kLanes + 1] = std::numeric_limits<double>::quiet_NaN();
  TileOutcome outcome;
  task.problem->make_tile_solver()->solve(rows.tile(0), prediction.data(), outcome);
  EXPECT_EQ(outcome.failed, 2u);
}

}  // namespace
}  // namespace polystep
