#include "runtime/bench/benchmark_grid.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "input_error.hpp"

namespace polystep {
namespace {

std::string error_of(const GridRequest& request) {
  return input_error([&] { benchmark_grid(builtin_problems(), request); });
}

TEST(BenchmarkGrid, IsEveryProblemSettingMethodAndSeed) {
  const ProblemRegistry problems = builtin_problems();
  GridRequest request;
  request.problems = {"shortest-path", "knapsack"};
  const std::vector<GridCell> cells = benchmark_grid(problems, request);
  EXPECT_EQ(cells.size(), (5u + 3u) * 10 * (10 + 1));  // ten methods as published, and our default preset
  std::set<std::string> kinds;
  for (const GridCell& cell : cells)
    kinds.insert(cell.request.problem->name + cell.setting + cell.request.method->name + cell.preset +
                 std::to_string(cell.request.seed));
  EXPECT_EQ(kinds.size(), cells.size());
  EXPECT_EQ(cells.back().task + 1, 80u);
  EXPECT_EQ(cells.front().setting, "degree=1");
  EXPECT_EQ(cells.front().request.problem_options.integer("degree"), 1);
}

TEST(BenchmarkGrid, FollowsWhatPublishedRunsDidUnlessToldOtherwise) {
  const ProblemRegistry problems = builtin_problems();
  GridRequest request;
  request.problems = {"matching"};
  request.methods = {"polystepor",  "polystepor-output:best", "mse", "mse:weighted",
                     "spo+:helped", "dbb:corrected"};
  std::map<std::size_t, std::string> split_of_task;
  for (const GridCell& cell : benchmark_grid(problems, request)) {
    const std::string& split = cell.request.problem_options.text("split");
    EXPECT_EQ(split_of_task.emplace(cell.task, split).first->second, split)
        << "cells of a task share its data";
    // Rows with help are compared with preset best: they must not see test rows either.
    const bool published =
        cell.request.method->facts.baseline && (cell.preset == "paper" || cell.preset == "corrected");
    EXPECT_EQ(cell.request.problem_options.text("model"), "lp");
    EXPECT_EQ(cell.request.problem_options.text("split"), published ? "test-validates" : "held-out");
  }
  request.given = {{"model", "ilp", "--set"}, {"split", "held-out", "--set"}};
  for (const GridCell& cell : benchmark_grid(problems, request)) {
    EXPECT_EQ(cell.request.problem_options.text("model"), "ilp");
    EXPECT_EQ(cell.request.problem_options.text("split"), "held-out");
  }
}

TEST(BenchmarkGrid, CellsOfATaskLieTogether) {
  const ProblemRegistry problems = builtin_problems();
  std::size_t task = 0;
  for (const GridCell& cell : benchmark_grid(problems, {})) {
    EXPECT_TRUE(cell.task == task || cell.task == task + 1);
    task = cell.task;
  }
}

TEST(BenchmarkGrid, HasThePresetThatTrainingUsesByDefaultBesideThePublishedOne) {
  const ProblemRegistry problems = builtin_problems();
  for (const Suite suite : {Suite::kClassical, Suite::kConstraint}) {
    GridRequest request;
    request.suite = suite;
    request.seeds = {0};
    std::map<std::string, std::set<std::string>> presets_by_setting;
    for (const GridCell& cell : benchmark_grid(problems, request))
      if (cell.request.method->name == "polystepor")
        presets_by_setting[cell.request.problem->name + cell.setting].insert(cell.preset);
    EXPECT_FALSE(presets_by_setting.empty());
    const std::string by_default = find_method("polystepor", "test").presets.front().name;
    EXPECT_EQ(by_default, "best");
    for (const auto& [setting, presets] : presets_by_setting)
      EXPECT_EQ(presets, (std::set<std::string>{"paper", by_default})) << setting;
    request.preset = by_default;  // asked for once, it is there once
    request.methods = {"polystepor"};
    EXPECT_EQ(benchmark_grid(problems, request).size(), presets_by_setting.size());
  }
}

TEST(BenchmarkGrid, MethodsMayNameTheirPreset) {
  const ProblemRegistry problems = builtin_problems();
  GridRequest request;
  request.problems = {"knapsack"};
  request.methods = {"dbb", "dbb:corrected", "dbb:paper"};
  request.seeds = {5};
  request.given = {{"capacity", "60", "--set"}};
  const std::vector<GridCell> cells = benchmark_grid(problems, request);
  ASSERT_EQ(cells.size(), 2u);  // dbb and dbb:paper are the same
  EXPECT_EQ(cells[0].preset, "paper");
  EXPECT_EQ(cells[1].preset, "corrected");
  EXPECT_EQ(cells[1].request.seed, 5u);
}

TEST(BenchmarkGrid, GivenOptionsGoWhereTheyBelong) {
  const ProblemRegistry problems = builtin_problems();
  GridRequest request;
  request.methods = {"mse", "polystepor"};
  request.problems = {"shortest-path", "knapsack"};
  request.seeds = {0};
  request.given = {{"steps", "3", "--set"}, {"degree", "8", "--set"}, {"grid", "4", "--set"}};
  const std::vector<GridCell> cells = benchmark_grid(problems, request);
  ASSERT_EQ(cells.size(), (1u + 3u) * 2);  // degree 8 alone, all capacities
  EXPECT_EQ(cells[0].preset, "paper");     // mse has no steps
  EXPECT_EQ(cells[1].preset, "paper steps=3");
  EXPECT_EQ(cells[1].request.method_options.integer("steps"), 3);
  EXPECT_EQ(cells[1].request.problem_options.integer("grid"), 4);
}

TEST(BenchmarkGrid, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(error_of({.problems = {"knapsak"}}),
            "polystepor bench --problems: unknown classical problem 'knapsak'; did you mean 'knapsack'?");
  EXPECT_EQ(error_of({.methods = {"dbbb"}}),
            "polystepor bench --methods: unknown method 'dbbb'; did you mean 'dbb'?");
  EXPECT_EQ(error_of({.methods = {"dbb:corected"}}),
            "polystepor bench --methods: unknown preset of method dbb 'corected'; did you mean 'corrected'?");
  GridRequest useless;
  useless.methods = {"mse"};
  useless.given = {{"capacitty", "3", "--set"}};
  EXPECT_EQ(error_of(useless),
            "--set: unknown option of these problems and methods 'capacitty'; did you mean 'capacity'?");
  GridRequest outside;
  outside.given = {{"degree", "0", "--set"}};
  EXPECT_NE(error_of(outside).find("degree"), std::string::npos);
}

TEST(BenchmarkGrid, ReadsSeeds) {
  EXPECT_EQ(parse_seeds("0-2,7,1", "--seeds"), (std::vector<std::uint64_t>{0, 1, 2, 7}));
  EXPECT_EQ(parse_seeds("18446744073709551615", "--seeds").size(), 1u);
  for (const char* bad : {"", "a", "1-", "-1", "1,,2", "3-1", "0-99999999", "1.5", " 1"})
    EXPECT_TRUE(input_error([&] { parse_seeds(bad, "--seeds"); }).starts_with("--seeds: found")) << bad;
}

TEST(BenchmarkGrid, ReadsNames) {
  EXPECT_EQ(parse_names("a,b:c", "--methods"), (std::vector<std::string>{"a", "b:c"}));
  EXPECT_EQ(input_error([] { parse_names("a,", "--methods"); }),
            "--methods: found an empty name, expected names separated by commas");
}

TEST(BenchmarkGrid, ConstraintSuiteHasTwelveSettingsAndFifteenRuns) {
  const ProblemRegistry problems = builtin_problems();
  GridRequest request;
  request.suite = Suite::kConstraint;
  const std::vector<GridCell> cells = benchmark_grid(problems, request);
  // No comboptnet where the capacity is predicted; our default preset besides what was published.
  EXPECT_EQ(cells.size(), (3u * (3 + 1) + 9u * (4 + 1)) * 15);
  std::set<std::string> settings;
  for (const GridCell& cell : cells) {
    settings.insert(cell.request.problem->name + " " + cell.setting);
    if (cell.setting == "size=5x25 rho=10") {
      EXPECT_EQ(cell.request.problem_options.text("size"), "5x25");
      EXPECT_EQ(cell.request.problem_options.number("rho"), 10);
    }
  }
  EXPECT_EQ(settings.size(), 12u);
  request.methods = {"polystepor", "polystepor:best", "comboptnet"};
  EXPECT_EQ(benchmark_grid(problems, request).size(), (3u * 2 + 9u * 3) * 15);
  request.problems = {"knapsack-capacity"};  // alone, comboptnet's own refusal is the answer
  EXPECT_EQ(benchmark_grid(problems, request).size(), 3u * 3 * 15);
  request.problems = {"knapsack"};
  EXPECT_EQ(error_of(request).substr(0, 92),
            "polystepor bench --problems: unknown problem with predicted constraints 'knapsack'; did you ");
}

}  // namespace
}  // namespace polystep
