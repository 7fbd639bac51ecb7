// The portfolio benchmark as a task: golden values of other solvers, tiles against single decisions.
#include "problems/portfolio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "data/data_directory.hpp"
#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/starts/least_squares.hpp"

#define POLYSTEP_NEEDS_DATA() \
  if (find_data_directory("").empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md"

namespace polystep {
namespace {

Task make_task(int degree, const std::string& sign, const std::string& source) {
  const ProblemEntry entry = portfolio_entry();
  Options options(entry.options);
  options.set("degree", std::int64_t{degree}, "degree");
  options.set("sign", sign, "sign");
  options.set("source", source, "source");
  return entry.make(options, {source == "published" ? find_data_directory("") : "", 0});
}

std::vector<double> optimal_values(const Task& task, const Split& split) {
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  std::vector<double> values = evaluator.optimal(TiledRows(split)).costs;
  for (double& value : values) value = 0.0 - value;
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

struct Golden {
  int degree;
  double returns[5];       // optimal values for +r, training instances 0..4
  std::size_t nonzero[3];  // for -r: the first training instances with an optimum above 0
  double published[3];     // and those optima
  double mean_test;        // optimum for -r
  double mean_tolerance;   // half a unit of its last printed digit
  double regret;           // of least squares for -r, times 1000, to 0.5 %

  friend std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << "degree " << golden.degree;
  }
};

class PublishedPortfolioDegree : public ::testing::TestWithParam<Golden> {};

TEST_P(PublishedPortfolioDegree, OptimaOfReturnsMatch) {
  POLYSTEP_NEEDS_DATA();
  const Task task = make_task(GetParam().degree, "returns", "published");
  const std::vector<double> values = optimal_values(task, task.data.training);
  const double tolerance = GetParam().degree == 16 ? 6e-7 : 1e-7;  // six or seven digits are printed
  for (std::size_t row = 0; row < 5; ++row) EXPECT_NEAR(values[row], GetParam().returns[row], tolerance);
}

TEST_P(PublishedPortfolioDegree, OptimaOfThePublishedSignMatch) {
  POLYSTEP_NEEDS_DATA();
  const Golden& golden = GetParam();
  const Task task = make_task(golden.degree, "published", "published");
  const std::vector<double> values = optimal_values(task, task.data.training);
  std::size_t found = 0;
  for (std::size_t row = 0; row < values.size() && found < 3; ++row) {
    if (values[row] == 0) continue;
    EXPECT_EQ(row, golden.nonzero[found]);
    EXPECT_NEAR(values[row], golden.published[found], 1e-7);
    ++found;
  }
  EXPECT_EQ(found, golden.published[0] > 0 ? 3u : 0u);
  EXPECT_NEAR(mean(optimal_values(task, task.data.test)), golden.mean_test, golden.mean_tolerance);
}

TEST_P(PublishedPortfolioDegree, LeastSquaresRegretMatches) {
  POLYSTEP_NEEDS_DATA();
  const Task task = make_task(GetParam().degree, "published", "published");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.test);
  const Evaluation found = evaluator.evaluate(least_squares_linear(task.data.training), rows);
  const double regret = 1000 * mean_regret(task.metric, found, evaluator.optimal(rows).costs);
  EXPECT_NEAR(regret, GetParam().regret, 0.005 * GetParam().regret);
}

INSTANTIATE_TEST_SUITE_P(Degrees, PublishedPortfolioDegree,
                         ::testing::Values(Golden{1,
                                                  {0.1216048, 0.1312589, 0.0942682, 0.1397963, 0.1180078},
                                                  {8, 10, 21},
                                                  {0.0003738, 0.0069448, 0.0002986},
                                                  4.61805e-4,
                                                  0.5e-9,
                                                  0.1366},
                                           Golden{4,
                                                  {0.1197429, 0.1251757, 0.0985704, 0.1329786, 0.1148505},
                                                  {0, 0, 0},
                                                  {0, 0, 0},
                                                  3.111e-8,
                                                  0.5e-11,
                                                  0.0380},
                                           Golden{8,
                                                  {0.1288934, 0.1399776, 0.0946525, 0.1527230, 0.1208180},
                                                  {406, 838, 840},
                                                  {0.0005470, 0.0010238, 0.0006202},
                                                  1.6932e-6,
                                                  0.5e-10,
                                                  0.6490},
                                           Golden{16,
                                                  {0.158778, 0.182847, 0.087405, 0.211982, 0.137810},
                                                  {10, 14, 38},
                                                  {0.0000631, 0.0007422, 0.0017852},
                                                  6.7592e-5,
                                                  0.5e-9,
                                                  3.937}),
                         [](const auto& golden) { return "Degree" + std::to_string(golden.param.degree); });

TEST(PortfolioTask, TilesDecideLikeSingleInstances) {
  const Task task = make_task(8, "returns", "generated");
  EXPECT_EQ(task.metric, RegretMetric::kAbsolute);
  const auto solver = task.problem->make_tile_solver();
  const TiledRows rows(task.data.validation);
  TileOutcome outcome;
  std::vector<double> margin(50 * kLanes), decision(50);
  for (std::size_t t = 0; t < rows.tiles(); ++t) {
    const Tile tile = rows.tile(t);
    solver->solve(tile, tile.truth, outcome);
    EXPECT_EQ(outcome.failed, 0u);
    EXPECT_FALSE(solver->margins(tile, tile.truth, margin.data()));
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const auto truth = task.data.validation.truth_row(t * kLanes + lane);
      ASSERT_EQ(task.problem->decide(truth, 0, decision), SolveStatus::kSolved);
      ASSERT_EQ(task.problem->cost(decision, truth, 0), outcome.cost[lane]);
    }
  }
}

TEST(PortfolioTask, AFailureIsReported) {
  const Task task = make_task(1, "published", "generated");
  std::vector<double> prediction(50, 0.1), decision(50);
  prediction[20] = std::nan("");
  EXPECT_EQ(task.problem->decide(prediction, 0, decision), SolveStatus::kFailed);
  EXPECT_EQ(task.problem->decision_name(20), "asset_20");
}

TEST(PortfolioTask, SettingsNameWhatDiffers) {
  EXPECT_EQ(make_task(4, "returns", "generated").setting, "degree=4 sign=returns data-seed=0");
  EXPECT_EQ(make_task(4, "published", "generated").setting, "degree=4 data-seed=0");
}

TEST(PortfolioTask, MissingDataAreNamed) {
  const ProblemEntry entry = portfolio_entry();
  Options options(entry.options);
  options.set("source", std::string("published"), "source");
  EXPECT_EQ(input_error([&] { entry.make(options, {}); }),
            "portfolio: the published data were not found; give --data DIR or --source generated");
}

TEST(PortfolioTask, AutomaticSourceSettlesOnWhatIsThere) {
  const ProblemEntry entry = portfolio_entry();
  const auto settled = [&entry](const std::string& directory, bool with_seed) {
    Options options(entry.options);
    if (with_seed) options.set("data-seed", std::int64_t{3}, "data-seed");
    entry.settle(options, {directory, 0});
    return options.text("source");
  };
  EXPECT_EQ(settled("", false), "generated");
  EXPECT_EQ(settled("somewhere", false), "published");
  EXPECT_EQ(settled("somewhere", true), "generated");
}

}  // namespace
}  // namespace polystep
