// Fresh rows: kept ones say what those say that are drawn for one measurement, and grids share them.
#include "runtime/run/fresh_figures.hpp"

#include <gtest/gtest.h>

#include "polystep/team.hpp"
#include "runtime/bench/alloy_grid.hpp"

namespace polystep {
namespace {

std::vector<GridCell> small_cells(const ProblemRegistry& problems, const std::vector<std::string>& methods) {
  GridRequest request;
  request.methods = methods;
  request.seeds = {11, 12};
  request.given = {{"source", "generated", "--set"},  {"features", "8", "--set"},
                   {"hidden", "4", "--set"},          {"training-rows", "20", "--set"},
                   {"validation-rows", "8", "--set"}, {"test-rows", "8", "--set"},
                   {"profile", "arc", "--set"}};
  request.fresh = {77, 0, 230};
  return alloy_grid(problems, request);
}

TEST(FreshFigures, KeptRowsSayTheSame) {
  const ProblemRegistry problems = builtin_problems();
  const std::vector<GridCell> cells = small_cells(problems, {"mse:paper"});
  ThreadTeam team(2);
  const KeptFreshRows kept(cells.front().request, cells.front().fresh, team);
  RunRequest request = cells.back().request;  // of another seed
  const Task task = make_task(request);
  for (const std::uint64_t seed : {1, 2}) {
    std::vector<double> theta = task.predictor->initial_parameters(seed);
    theta.back() += 25;
    const FreshFigures once = measure_fresh(cells.back().request, theta, 1e4, cells.back().fresh, team);
    const FreshFigures again = kept.measure(theta, 1e4, team);
    EXPECT_EQ(once.rows, 230u);
    EXPECT_EQ(again.rows, 230u);
    EXPECT_EQ(again.regret, once.regret);
    EXPECT_EQ(again.infeasible, once.infeasible);
    EXPECT_EQ(again.conditional_regret, once.conditional_regret);
    EXPECT_GT(*once.infeasible, 0);
  }
}

TEST(AlloyGrid, HasTheFrontierOfPresetBestBesideTheLaddersOfOdece) {
  const ProblemRegistry problems = builtin_problems();
  std::size_t limits = 0, alphas = 0;
  for (const GridCell& cell : small_cells(problems, {})) {
    if (cell.request.seed != 11) continue;
    if (cell.preset.starts_with("best max-infeasibility=")) {
      ++limits;
      EXPECT_EQ(cell.request.method_options.number("max-infeasibility"),
                std::stod(cell.preset.substr(cell.preset.find('=') + 1)));
    }
    alphas += cell.request.method->name == "odece";
  }
  EXPECT_EQ(limits, 7u);
  EXPECT_EQ(alphas, 21u);  // as published, as written and on few inputs
}

}  // namespace
}  // namespace polystep
