#include "runtime/bench/regret_curve.hpp"

#include <gtest/gtest.h>

#include "polystep/train.hpp"

namespace polystep {
namespace {

std::vector<GridCell> small_grid(std::vector<std::string> methods, GivenOption length) {
  GridRequest request;
  request.problems = {"shortest-path"};
  request.methods = std::move(methods);
  request.seeds = {0, 1};
  request.given = {
      {"degree", "4", "--set"}, {"source", "generated", "--set"}, {"grid", "3", "--set"}, std::move(length)};
  static const ProblemRegistry problems = builtin_problems();  // cells point into it
  return benchmark_grid(problems, request);
}

std::vector<RegretCurve> curves_of(const std::vector<GridCell>& cells, std::size_t threads) {
  Progress progress(ProgressStyle::kQuiet);
  ThreadTeam team(threads);
  return regret_curves(cells, team, progress);
}

TEST(RegretCurve, LooksAtTheFirstStepsAndThenEverMoreRarely) {
  EXPECT_EQ(traced_steps(0), (std::vector<std::size_t>{0}));
  EXPECT_EQ(traced_steps(6), (std::vector<std::size_t>{0, 1, 2, 3, 4, 6}));
  const std::vector<std::size_t> steps = traced_steps(1000);
  EXPECT_EQ(steps.back(), 1000u);
  EXPECT_LT(steps.size(), 30u);
}

TEST(RegretCurve, EndsWithTheSolvesAndTheRegretOfAPlainTraining) {
  const std::vector<GridCell> cells = small_grid({"fenchel-young"}, {"epochs", "1", "--set"});
  const std::vector<RegretCurve> curves = curves_of(cells, 1);
  ASSERT_EQ(curves.size(), 1u);
  double solves = 0, regret = 0;
  for (const GridCell& cell : cells) {
    RunRequest request = cell.request;
    TrainingSettings settings;
    settings.seed = request.seed;
    const TrainingResult result =
        train(make_task(request), *request.method, request.method_options, settings);
    solves += static_cast<double>(result.setup_solves.performed + result.training_solves.performed +
                                  result.validation_solves.performed) /
              2;
    regret += result.test_regret / 2;
  }
  // The method keeps its last parameters, so the curve ends where the result is. References of test rows are
  // no part of the curve, those of training rows are.
  EXPECT_DOUBLE_EQ(curves[0].points.back().regret, regret);
  EXPECT_GT(curves[0].points.back().solves, solves);
}

TEST(RegretCurve, IsTheSameForAnyNumberOfThreads) {
  const std::vector<GridCell> cells =
      small_grid({"polystepor:paper", "polystepor-output:best"}, {"steps", "6", "--set"});
  const std::vector<RegretCurve> one = curves_of(cells, 1), three = curves_of(cells, 3);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].method, "polystepor (paper steps=6)");
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t p = 0; p < one[i].points.size(); ++p) {
      EXPECT_GE(one[i].points[p].solves, p == 0 ? 0 : one[i].points[p - 1].solves);
      EXPECT_EQ(one[i].points[p].solves, three[i].points[p].solves);
      EXPECT_EQ(one[i].points[p].regret, three[i].points[p].regret);
    }
}

TEST(RegretCurve, ReachesARegretWhereItStaysBelow) {
  const RegretCurve curve{"any", {{0, 10, 0.5}, {1, 20, 0.1}, {2, 30, 0.3}, {3, 40, 0.2}, {4, 50, 0.15}}};
  EXPECT_EQ(solves_to_reach(curve, 0.2), 40);
  EXPECT_EQ(solves_to_reach(curve, 0.9), 10);
  EXPECT_EQ(solves_to_reach(curve, 0.05), std::nullopt);
}

}  // namespace
}  // namespace polystep
