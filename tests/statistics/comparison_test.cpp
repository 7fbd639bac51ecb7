#include "statistics/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "statistics/natural_order.hpp"

namespace polystep {
namespace {

RunRecord run_of(const std::string& problem, const std::string& setting, const std::string& method,
                 std::uint64_t seed, double regret, const std::string& preset = "paper") {
  RunRecord run;
  run.problem = problem;
  run.setting = setting;
  run.method = method;
  run.preset = preset;
  run.seed = seed;
  run.test_regret = regret;
  run.training_solves = 100 * (seed + 1);
  run.core_seconds_train = 2;
  return run;
}

TEST(Comparison, MeansAndPopulationDeviations) {
  const auto tables = compare_runs(
      {run_of("knapsack", "capacity=60", "mse", 0, 0.1), run_of("knapsack", "capacity=60", "mse", 1, 0.3)});
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 1u);
  const ComparisonRow& row = tables[0].rows[0];
  ASSERT_EQ(row.cells.size(), 1u);  // one setting: nothing to pool
  EXPECT_EQ(row.cells[0].ours->runs, 2u);
  EXPECT_DOUBLE_EQ(row.cells[0].ours->mean, 0.2);
  EXPECT_DOUBLE_EQ(row.cells[0].ours->deviation, 0.1);
  EXPECT_EQ(row.cells[0].published->mean, .149);
  EXPECT_EQ(row.training_solves, 150);
  EXPECT_EQ(row.core_seconds, 2);
  EXPECT_TRUE(tables[0].tests.empty());
}

TEST(Comparison, PoolsSeedsThatHaveEverySetting) {
  const auto tables = compare_runs({run_of("own", "n=2", "mse", 0, 0.1), run_of("own", "n=10", "mse", 0, 0.3),
                                    run_of("own", "n=10", "mse", 1, 9.0)});
  ASSERT_EQ(tables[0].settings, (std::vector<std::string>{"n=2", "n=10"}));
  const ComparisonRow& row = tables[0].rows[0];
  ASSERT_EQ(row.cells.size(), 3u);
  EXPECT_EQ(row.cells[2].ours->runs, 1u);
  EXPECT_DOUBLE_EQ(row.cells[2].ours->mean, 0.2);
  EXPECT_FALSE(row.cells[2].published);
}

// Files of one name in two folders, or one file before and after a change.
TEST(Comparison, TasksOfOneNameAndDifferentFingerprintsAreDifferentSettings) {
  const auto of_task = [](const char* fingerprint, const char* method, std::uint64_t seed, double regret) {
    RunRecord run = run_of("own", "task=my", method, seed, regret);
    run.fingerprint = fingerprint;
    return run;
  };
  const auto tables = compare_runs({of_task("00aa", "polystepor", 0, 0.1), of_task("00bb", "mse", 0, 0.3),
                                    of_task("00bb", "mse", 1, 0.3), of_task("", "mse", 0, 0.5)});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].settings, (std::vector<std::string>{"task=my", "task=my (00aa)", "task=my (00bb)"}));
  EXPECT_TRUE(tables[0].tests.empty());  // no two runs are of one task

  const auto same = compare_runs({of_task("00aa", "polystepor", 0, 0.1), of_task("00aa", "mse", 0, 0.3)});
  EXPECT_EQ(same[0].settings, (std::vector<std::string>{"task=my"}));
  ASSERT_EQ(same[0].tests.size(), 1u);
  EXPECT_EQ(same[0].tests[0].pairs, 1u);
}

TEST(Comparison, TablesDoNotDependOnTheOrderOfRuns) {
  std::vector<RunRecord> runs;
  for (const char* method : {"polystepor", "zeta", "dbb", "alpha", "mse"})
    for (const char* setting : {"capacity=180", "capacity=60"})
      runs.push_back(run_of("knapsack", setting, method, 0, 0.1));
  runs.push_back(run_of("own", "n=1", "mse", 0, 0.1));
  runs.push_back(run_of("knapsack", "capacity=60", "dbb", 0, 0.05, "corrected"));
  const auto tables = compare_runs({runs.rbegin(), runs.rend()});
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].problem, "knapsack");  // published problems first
  std::vector<std::string> labels;
  for (const ComparisonRow& row : tables[0].rows) labels.push_back(row.label());
  EXPECT_EQ(labels,
            (std::vector<std::string>{"mse", "dbb", "dbb (corrected)", "polystepor", "alpha", "zeta"}));
  EXPECT_EQ(tables[0].settings.front(), "capacity=60");
  EXPECT_TRUE(tables[0].rows[2].cells[0].winner);
  EXPECT_FALSE(tables[0].rows[2].cells[0].published);  // another preset than the published one
  EXPECT_FALSE(tables[0].rows[2].cells[2].ours);       // no pooled figure without every setting
}

TEST(Comparison, TestsPolystepAgainstTheBestOfTheOthers) {
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const double noise = 0.001 * static_cast<double>(seed);
    runs.push_back(run_of("own", "n=1", "mse", seed, 0.3 + noise));
    runs.push_back(run_of("own", "n=1", "dbb", seed, 0.2 + 2 * noise));
    if (seed != 4) runs.push_back(run_of("own", "n=1", "polystepor", seed, 0.1 + noise));
  }
  const auto tables = compare_runs(runs);
  ASSERT_EQ(tables[0].tests.size(), 1u);
  const ComparisonTest& test = tables[0].tests[0];
  EXPECT_EQ(test.method, "polystepor");
  EXPECT_EQ(test.baseline, "dbb");
  EXPECT_EQ(test.pairs, 9u);
  EXPECT_NEAR(test.difference, -0.1 - 0.041 / 9, 1e-12);
  EXPECT_EQ(test.wilcoxon, 2.0 / 512);
  EXPECT_EQ(test.sign_flip, 2.0 / 512);
  EXPECT_FALSE(test.as_published);
}

TEST(Comparison, ThePublishedTestNeedsItsFiveBaselines) {
  std::vector<RunRecord> runs;
  for (const std::string& method : published_methods())
    runs.push_back(run_of("knapsack", "capacity=60", method, 0, method == "map" ? 0.1 : 0.2));
  auto tests = compare_runs(runs)[0].tests;
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].baseline, "map");
  EXPECT_FALSE(tests[0].published_wilcoxon);
  EXPECT_EQ(tests[1].baseline, "mse");
  EXPECT_EQ(tests[1].published_wilcoxon, .322);
  std::erase_if(runs, [](const RunRecord& run) { return run.method == "imle"; });
  tests = compare_runs(runs)[0].tests;
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_FALSE(tests[0].as_published);
}

TEST(Comparison, WithoutPolystepTheWinnerMeetsTheNextBest) {
  const auto tables =
      compare_runs({run_of("own", "n=1", "dbb", 0, 0.3, "corrected"), run_of("own", "n=1", "dbb", 0, 0.2),
                    run_of("own", "n=1", "mse", 0, 0.4)});
  ASSERT_EQ(tables[0].tests.size(), 1u);
  EXPECT_EQ(tables[0].tests[0].method, "dbb");
  EXPECT_EQ(tables[0].tests[0].baseline, "dbb (corrected)");
}

std::vector<RunRecord> clear_win(const std::string& winner, const std::vector<std::string>& others) {
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    runs.push_back(run_of("own", "n=1", winner, seed, 0.1 + 0.001 * static_cast<double>(seed)));
    for (const std::string& other : others)
      runs.push_back(run_of("own", "n=1", other, seed, 0.3 + 0.002 * static_cast<double>(seed)));
  }
  for (RunRecord& run : runs) run.test_failed = run.reference_failed = 0;
  return runs;
}

TEST(Comparison, GivesNoVerdictAboveOnePercentFailed) {
  using Share = std::optional<double> RunRecord::*;
  for (const Share share : {&RunRecord::test_failed, &RunRecord::reference_failed})
    for (const char* method : {"polystepor", "mse"}) {
      std::vector<RunRecord> runs = clear_win("polystepor", {"mse"});
      for (RunRecord& run : runs)
        if (run.method == method) run.*share = 0.01;
      EXPECT_EQ(compare_runs(runs)[0].tests.size(), 1u);
      EXPECT_TRUE(compare_runs(runs)[0].rows[1].cells[0].winner);
      for (RunRecord& run : runs)
        if (run.method == method && run.seed == 7) run.*share = 0.02;
      const ProblemComparison table = compare_runs(runs)[0];
      EXPECT_TRUE(table.tests.empty());
      for (const ComparisonRow& row : table.rows) {
        EXPECT_FALSE(row.cells[0].winner);  // not the other one either, which is just the only one left
        EXPECT_EQ(row.cells[0].judged, row.method != method);
        EXPECT_EQ(row.most_failed, row.method == method ? 0.02 : 0);
      }
    }
}

TEST(Comparison, OthersAreComparedWithoutTheOneThatFailed) {
  std::vector<RunRecord> runs = clear_win("polystepor", {"mse", "dbb"});
  for (RunRecord& run : runs)
    if (run.method == "dbb") {
      run.test_regret = 0;  // nobody could solve its rows
      run.reference_failed = run.test_failed = 0.9;
    }
  const ProblemComparison table = compare_runs(runs)[0];
  ASSERT_EQ(table.tests.size(), 1u);
  EXPECT_EQ(table.tests[0].baseline, "mse");
  for (const ComparisonRow& row : table.rows) EXPECT_EQ(row.cells[0].winner, row.method == "polystepor");
}

TEST(Comparison, PooledFiguresAreJudgedOnlyWithEverySetting) {
  std::vector<RunRecord> runs = clear_win("polystepor", {"mse"});
  for (RunRecord run : clear_win("polystepor", {"mse"})) {
    run.setting = "n=2";
    run.test_failed = 0.02;
    runs.push_back(run);
  }
  const ProblemComparison table = compare_runs(runs)[0];
  ASSERT_EQ(table.tests.size(), 1u);
  EXPECT_EQ(table.tests[0].setting, "n=1");
}

// Results from before failed shares were told.
TEST(Comparison, FailedSolvesThatAreNotToldApartGiveNoVerdict) {
  std::vector<RunRecord> runs = clear_win("polystepor", {"mse"});
  for (RunRecord& run : runs) run.test_failed = run.reference_failed = std::nullopt;
  EXPECT_EQ(compare_runs(runs)[0].tests.size(), 1u);
  for (RunRecord& run : runs) run.solves_failed = 3;
  EXPECT_TRUE(compare_runs(runs)[0].tests.empty());
}

TEST(Comparison, RefusesTheSameRunTwice) {
  EXPECT_EQ(input_error([] {
              compare_runs({run_of("own", "n=1", "mse", 3, 0.1), run_of("own", "n=1", "mse", 3, 0.1)});
            }),
            "found two runs of own (n=1) with method mse, preset paper, seed 3, expected one");
}

TEST(NaturalOrder, CountsNumbersAsNumbers) {
  const NaturalOrder before;
  EXPECT_TRUE(before("degree=2", "degree=16"));
  EXPECT_FALSE(before("degree=16", "degree=2"));
  EXPECT_TRUE(before("degree=2 grid=10", "degree=2 grid=11"));
  EXPECT_TRUE(before("a", "a1"));
  EXPECT_TRUE(before("n=07", "n=7") != before("n=7", "n=07"));
  EXPECT_FALSE(before("n=7", "n=7"));
}

}  // namespace
}  // namespace polystep
