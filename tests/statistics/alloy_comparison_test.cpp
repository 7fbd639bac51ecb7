// Runs on alloys as a table: means over the seeds that have a figure, and the published rows beside them.
#include "statistics/alloy_comparison.hpp"

#include <gtest/gtest.h>

#include "statistics/published_alloy.hpp"

namespace polystep {
namespace {

RunRecord run_of(std::uint64_t seed, double infeasible, std::optional<double> conditional, double regret) {
  RunRecord run;
  run.problem = "alloy";
  run.setting = "profile=blind";
  run.method = "sfge";
  run.preset = "paper";
  run.seed = seed;
  run.test_infeasible = run.batch_infeasible = infeasible;
  run.conditional_regret = run.batch_conditional_regret = conditional;
  run.test_regret = regret;
  run.batch_regret = regret;
  return run;
}

TEST(AlloyComparison, TakesMeansOverSeedsThatHaveTheFigure) {
  std::vector<RunRecord> runs = {run_of(11, 1, std::nullopt, .4), run_of(12, .5, .2, .3),
                                 run_of(13, .7, .3, .2)};
  runs[0].test_failed = 0.25;
  runs.push_back(run_of(11, .5, .1, .2));
  runs.back().method = "mse";
  const std::vector<AlloyTable> tables = compare_alloy_runs(runs);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 2u);
  const AlloyRow& row = tables[0].rows[0];
  EXPECT_EQ(row.method, "sfge");
  EXPECT_EQ(row.runs, 3u);
  EXPECT_NEAR(row.batches.infeasible.mean, 2.2 / 3, 1e-12);
  EXPECT_EQ(row.batches.conditional_regret.seeds, 2u);
  EXPECT_NEAR(row.batches.conditional_regret.mean, .25, 1e-12);
  EXPECT_NEAR(row.batches.conditional_regret.deviation, .05, 1e-12);  // of the population
  EXPECT_NEAR(row.test.regret.median, .3, 1e-12);
  EXPECT_EQ(row.fresh.regret.seeds, 0u);
  EXPECT_NEAR(row.failed, .25 / 3, 1e-12);
}

// The published picture takes the larger of the two shares, so that a collapsed run does not look feasible.
TEST(AlloyComparison, RunsWithoutDecisionsCountAsInfeasible) {
  RunRecord collapsed = run_of(11, 0, std::nullopt, 44);
  collapsed.batch_infeasible = std::nullopt;
  collapsed.test_failed = 1;
  const std::vector<AlloyTable> tables = compare_alloy_runs({collapsed, run_of(12, .48, .3, .3)});
  EXPECT_NEAR(tables[0].rows[0].batches.infeasible.mean, .74, 1e-12);
}

TEST(AlloyComparison, KnowsThePublishedRows) {
  ASSERT_NE(find_published_alloy("odece", "paper alpha=0.2"), nullptr);
  EXPECT_EQ(find_published_alloy("odece", "paper alpha=0.2")->infeasible, .790);
  EXPECT_EQ(find_published_alloy("polystepor", "paper")->conditional_regret, .154);
  EXPECT_EQ(find_published_alloy("polystepor", "best"), nullptr);
}

}  // namespace
}  // namespace polystep
