// The published knapsack with several resources: values of its own in every instance, sets scaled to fit.
#include "problems/scaled_multi_knapsack.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/benchmarks/published_multi_knapsack.hpp"
#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using Predicted = ScaledMultiKnapsack::Predicted;
using Numbers = std::vector<double>;

// Two items, two resources, two instances.
ScaledMultiKnapsack predicting_weights(double penalty = 1) {
  return {2, 2, Predicted::kWeights, {10, 4, 3, 7}, {5, 6, 4, 0}, penalty};
}
ScaledMultiKnapsack predicting_capacities() {
  return {2, 2, Predicted::kCapacities, {10, 4, 3, 7}, {3, 2, 4, 1, 1, 1, 0.1, 0.2}, 1};
}

Numbers decide(const Problem& problem, const Numbers& prediction, std::size_t instance) {
  Numbers decision(problem.decision_size());
  EXPECT_EQ(problem.decide(prediction, instance, decision), SolveStatus::kSolved);
  return decision;
}

TEST(ScaledMultiKnapsack, InstancesHaveValuesAndRoomOfTheirOwn) {
  EXPECT_EQ(decide(predicting_weights(), {3, 3, 1, 1}, 0), (Numbers{1, 0}));
  EXPECT_EQ(decide(predicting_weights(), {3, 3, 0, 0}, 1), (Numbers{0, 1}));
  EXPECT_EQ(decide(predicting_weights(), {3, 3, 1, 1}, 1), (Numbers{0, 0}));
  EXPECT_EQ(decide(predicting_capacities(), {4, 9}, 0), (Numbers{1, 0}));
  EXPECT_EQ(decide(predicting_capacities(), {1, 9}, 1), (Numbers{0, 1}));
}

TEST(ScaledMultiKnapsack, PredictionsAreNotRounded) {
  EXPECT_EQ(decide(predicting_weights(), {2.6, 2.5, 1, 1}, 0), (Numbers{1, 0}));
  EXPECT_EQ(decide(predicting_weights(), {2.5, 2.5, 1, 1}, 0), (Numbers{1, 1}));
}

// 0.1 + 0.2 is more than 0.3 in the arithmetic of the machine.
TEST(ScaledMultiKnapsack, SumsOfTenthsFit) {
  EXPECT_EQ(decide(predicting_capacities(), {2, 0.3}, 1), (Numbers{1, 1}));
  EXPECT_FALSE(predicting_capacities().realise(Numbers{1, 1}, Numbers{2, 0.3}, 1).recourse.infeasible);
}

TEST(ScaledMultiKnapsack, PredictionsBelowZeroNeverFail) {
  EXPECT_EQ(decide(predicting_capacities(), {-3, 50}, 0), (Numbers{0, 0}));
  EXPECT_EQ(decide(predicting_capacities(), {0, 0}, 0), (Numbers{0, 0}));
  EXPECT_EQ(decide(predicting_weights(), {-1, 6, 0, -2}, 0), (Numbers{1, 1}));
  Numbers decision(2);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(predicting_capacities().decide(Numbers{5, bad}, 0, decision), SolveStatus::kFailed);
    EXPECT_EQ(predicting_weights().decide(Numbers{1, 1, bad, 1}, 0, decision), SolveStatus::kFailed);
  }
}

TEST(ScaledMultiKnapsack, SetsAreScaledToFitAndPayForIt) {
  const ScaledMultiKnapsack problem = predicting_weights();  // values 10, 4; capacities 5, 6
  const Realisation fits = problem.realise(Numbers{1, 1}, Numbers{3, 2, 5, 1}, 0);
  EXPECT_EQ(fits.cost, -14);
  EXPECT_FALSE(fits.recourse.infeasible || fits.recourse.changed);
  const Realisation scaled = problem.realise(Numbers{1, 1}, Numbers{6, 4, 5, 4}, 0);  // tau = 10 / 5
  EXPECT_DOUBLE_EQ(scaled.cost, -7 + 7);
  EXPECT_TRUE(scaled.recourse.infeasible && scaled.recourse.changed);
  // Post-hoc regret with r = 14: (14 - 7) / 14 + |14 - 7| / 14.
  EXPECT_DOUBLE_EQ((scaled.cost + 14) / 14, 1);
  EXPECT_DOUBLE_EQ(predicting_weights(3).realise(Numbers{1, 1}, Numbers{6, 4, 5, 4}, 0).cost, -7 + 3 * 7);
}

TEST(ScaledMultiKnapsack, NothingIsLeftWhereATrueCapacityIsZero) {
  const Realisation gone = predicting_weights().realise(Numbers{1, 0}, Numbers{1, 1, 2, 1}, 1);
  EXPECT_DOUBLE_EQ(gone.cost, 3);  // nothing left of a value of 3, and its penalty
  EXPECT_TRUE(gone.recourse.infeasible);
  EXPECT_EQ(predicting_weights().realise(Numbers{0, 0}, Numbers{1, 1, 2, 1}, 1).cost, 0);
  EXPECT_DOUBLE_EQ(predicting_capacities().realise(Numbers{1, 0}, Numbers{-2, 9}, 0).cost, 10);
}

// The optima of the first three instances that seed 11 draws.
TEST(ScaledMultiKnapsack, FindsThePublishedOptima) {
  const auto expect = [](const PublishedKnapsacks& drawn, Predicted predicted, const Numbers& optima) {
    const bool weights = predicted == Predicted::kWeights;
    const ScaledMultiKnapsack problem(kPublishedKnapsackItems, kPublishedKnapsackResources, predicted,
                                      drawn.values, weights ? drawn.capacities : drawn.weights, 1);
    const Numbers& all = weights ? drawn.weights : drawn.capacities;
    for (std::size_t i = 0; i < optima.size(); ++i) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * problem.outputs());
      const Numbers truth(begin, begin + static_cast<std::ptrdiff_t>(problem.outputs()));
      const Realisation result = problem.realise(decide(problem, truth, i), truth, i);
      EXPECT_NEAR(-result.cost, optima[i], 5e-5);
      EXPECT_FALSE(result.recourse.infeasible);
    }
  };
  expect(draw_knapsacks_of_unknown_weights(11), Predicted::kWeights, {4148.3351, 4001.6307, 3620.2896});
  expect(draw_knapsacks_of_unknown_capacities(11), Predicted::kCapacities, {1961.5161, 1308.2622, 1490.4157});
}

Task make(const std::vector<std::pair<const char*, const char*>>& given, std::uint64_t seed = 0) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("multi-knapsack", "test");
  Options options(entry.options, entry.name);
  for (const auto& [key, value] : given) options.set_text(key, value, "test");
  entry.settle(options, {"", seed});
  Task task = entry.make(options, {"", seed});
  EXPECT_EQ(entry.stated_facts(options), task.problem->facts());
  return task;
}

TEST(ScaledMultiKnapsack, FastPathEqualsPlainPath) {
  for (const char* predict : {"weights", "capacities"}) {
    const Task task = make({{"predict", predict}, {"source", "aligned"}});
    const TiledRows rows(task.data.test);
    const auto fast = task.problem->make_tile_solver();
    const auto plain = task.problem->Problem::make_tile_solver();
    RandomStream stream(31, Purpose::kTest);
    AlignedDoubles prediction(task.problem->outputs() * kLanes);
    for (std::size_t draw = 0; draw < 20; ++draw) {
      const Tile tile = rows.tile(draw % rows.tiles());
      for (double& number : prediction) number = stream.uniform(-2, 35);
      TileOutcome a, b;
      fast->solve(tile, prediction.data(), a);
      plain->solve(tile, prediction.data(), b);
      const std::uint32_t used = (1u << tile.lanes) - 1;
      ASSERT_EQ(a.failed & used, b.failed & used);
      ASSERT_EQ(a.infeasible & used, b.infeasible & used);
      ASSERT_EQ(a.changed & used, b.changed & used);
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) ASSERT_EQ(a.cost[lane], b.cost[lane]);
    }
  }
}

TEST(ScaledMultiKnapsack, TrueParametersLeadToNoRecourse) {
  for (const char* source : {"published", "aligned"})
    for (const char* predict : {"weights", "capacities"}) {
      const Task task = make({{"predict", predict}, {"source", source}});
      ThreadTeam team(1);
      Evaluator evaluator(task, team);
      const Evaluation optimal = evaluator.optimal(TiledRows(task.data.test));
      EXPECT_EQ(optimal.infeasible, 0u);
      EXPECT_EQ(optimal.changed, 0u);
      EXPECT_EQ(optimal.solves.failed, 0u);
      for (const double cost : optimal.costs) EXPECT_LT(cost, 0);  // regret is relative
    }
}

TEST(ScaledMultiKnapsack, SeedsNameThePublishedRuns) {
  const Task first = make({{"source", "published"}});
  EXPECT_EQ(first.setting, "predict=weights source=published");
  EXPECT_EQ(first.problem->outputs(), 150u);
  EXPECT_EQ(first.problem->decision_size(), 50u);
  EXPECT_TRUE(first.problem->facts().needs_instance_data);
  const auto features = [](const Task& task) { return task.data.training.features; };
  EXPECT_EQ(features(first), features(make({{"source", "published"}}, 5)));
  EXPECT_NE(features(first), features(make({{"source", "published"}}, 1)));
  const Task twelve = make({{"source", "published"}, {"published-seed", "12"}});
  EXPECT_EQ(twelve.setting, "predict=weights source=published published-seed=12");
  EXPECT_EQ(features(twelve), features(make({{"source", "published"}}, 1)));
  const Task dear = make({{"source", "aligned"}, {"predict", "capacities"}, {"penalty", "2"}});
  EXPECT_EQ(dear.setting, "predict=capacities source=aligned penalty=2");
  EXPECT_EQ(dear.problem->outputs(), 3u);
}

TEST(ScaledMultiKnapsack, EachSourceHasOptionsOfItsOwn) {
  EXPECT_EQ(
      input_error([] {
        make({{"source", "aligned"}, {"rho", "10"}});
      }),
      "multi-knapsack: found rho = 10.0 with source = aligned, expected the default, since it is an option "
      "of source = generated; penalty is the price here");
  for (const char* option : {"dataset", "split", "data-seed"}) {
    const std::string refusal = input_error([&] { make({{"source", "published"}, {option, "1"}}); });
    EXPECT_NE(refusal.find("published-seed says which data to draw"), std::string::npos) << refusal;
  }
  for (const char* option : {"penalty", "published-seed"}) {
    const std::string refusal = input_error([&] { make({{option, "2"}}); });
    EXPECT_NE(refusal.find("with source = generated, expected the default"), std::string::npos) << refusal;
  }
}

TEST(ScaledMultiKnapsack, ShowsItsRows) {
  Numbers a(4), b(2), x(2);
  const ScaledMultiKnapsack weights = predicting_weights(), capacities = predicting_capacities();
  weights.predicted_rows()->write_rows(Numbers{1, 2, 3, 4}, 1, a, b);
  EXPECT_EQ(a, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(b, (Numbers{-4, 0}));
  capacities.predicted_rows()->write_rows(Numbers{5, 6}, 0, a, b);
  EXPECT_EQ(a, (Numbers{3, 2, 4, 1}));
  EXPECT_EQ(b, (Numbers{-5, -6}));
  EXPECT_TRUE(capacities.predicted_rows()->solve_rows(Numbers{1, 9}, 1, Numbers{1, 1}, x));
  EXPECT_EQ(x, (Numbers{0, 1}));
  EXPECT_FALSE(capacities.predicted_rows()->solve_rows(Numbers{-1, 9}, 1, Numbers{1, 1}, x));
  Numbers gradient(2);
  capacities.predicted_rows()->add_gradient(Numbers{1, 2, 3, 4}, Numbers{5, 6}, gradient);
  EXPECT_EQ(gradient, (Numbers{-5, -6}));
}

TEST(ScaledMultiKnapsack, RefusesHalfAnInstance) {
  EXPECT_EQ(input_error([] {
              ScaledMultiKnapsack(2, 3, Predicted::kWeights, {1, 2}, {1, 2}, 1);
            }),
            "multi-knapsack: found 2 values and 2 known capacities, expected 2 and 3 per instance");
  EXPECT_EQ(input_error([] {
              ScaledMultiKnapsack(2, 3, Predicted::kCapacities, {1, 2, 3}, {1}, 1);
            }),
            "multi-knapsack: found 3 values and 1 known weights, expected 2 and 6 per instance");
}

}  // namespace
}  // namespace polystep
