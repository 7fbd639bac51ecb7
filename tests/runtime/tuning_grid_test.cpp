#include "runtime/bench/tuning_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "data/data_directory.hpp"
#include "input_error.hpp"
#include "runtime/bench/grid_runner.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// The published search over settings of the moving basis, in the order of its coordinates. The mode with a
// constant basis lacks the last one.
const std::vector<std::string> kPublishedAxes = {"step-start=log:1..5000",
                                                 "radius-start+radius-end=temperature-start*log:10..100000",
                                                 "temperature-start+temperature-end=linear:0.1..1",
                                                 "dimension=8,32,128",
                                                 "radii=1,2",
                                                 "momentum-start+momentum-end=0,0.5+0.9",
                                                 "step-end=step-start*linear:0.05..0.5"};

TuningRequest small_request() {
  TuningRequest request;
  request.problem = "shortest-path";
  request.method = "polystepor";
  request.preset = "paper";
  request.axes = kPublishedAxes;
  request.given = {{"source", "generated", "--set"}, {"degree", "1", "--set"}, {"steps", "2", "--set"}};
  return request;
}

std::vector<TuningPoint> published_points(bool moving) {
  TuningRequest request = small_request();
  if (!moving) request.axes.pop_back();
  return tuning_grid(builtin_problems(), request).points;
}

using Values = std::vector<std::string>;

TEST(TuningDesign, BothPublishedWinnersReappear) {
  const std::vector<TuningPoint> moving = published_points(true);
  ASSERT_EQ(moving.size(), 32u);
  EXPECT_EQ(moving[1].values, (Values{"2.6658", "652.5121", "0.7067", "128", "2", "0", "0.4715"}));
  EXPECT_EQ(
      moving[1].text(),
      "step-start=2.6658 radius-start=461.1303011 radius-end=461.1303011 temperature-start=0.7067 "
      "temperature-end=0.7067 dimension=128 radii=2 momentum-start=0 momentum-end=0 step-end=1.2569247");
  const std::vector<TuningPoint> constant = published_points(false);
  EXPECT_EQ(constant[29].values, (Values{"6.2353", "948.0546", "0.5652", "128", "1", "0.5+0.9"}));
}

TEST(TuningDesign, IsThePublishedOnePointForPoint) {
  const std::string directory = find_data_directory("");
  std::ifstream file(directory + "/alloy/sobol_designs.csv");
  if (directory.empty() || !file) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const std::vector<TuningPoint> moving = published_points(true), constant = published_points(false);
  std::string line;
  std::getline(file, line);
  std::size_t compared = 0;
  while (std::getline(file, line)) {
    std::vector<std::string> fields;
    std::stringstream cells(line);
    for (std::string field; std::getline(cells, field, ',');) fields.push_back(field);
    const bool moves = fields[0] == "moving";
    const TuningPoint& point = (moves ? moving : constant).at(std::stoul(fields[1]));
    Values expected(fields.begin() + 2, fields.end());
    expected[5] = expected[5] == "1" ? "0.5+0.9" : "0";
    expected.resize(moves ? 7 : 6);
    EXPECT_EQ(point.values, expected) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 64u);
}

TEST(TuningDesign, RoundsToWhatIsPrintedAndKeepsThreeDigits) {
  const TuningAxis rate = parse_axis("rate=log:0.00001..0.1", "test");
  EXPECT_EQ(rate.number(0), 0.00001);
  EXPECT_EQ(rate.number(0.25), 0.0001);
  EXPECT_NEAR(rate.number(0.1), 0.0000251, 1e-12);
  const TuningAxis share = parse_axis("share=linear:0..1", "test");
  EXPECT_EQ(share.number(1.0 / 3), 0.3333);
  const TuningAxis kind = parse_axis("kind=a,b,c", "test");
  EXPECT_EQ(kind.choice(0), 0u);
  EXPECT_EQ(kind.choice(0.34), 1u);
  EXPECT_EQ(kind.choice(0.999999), 2u);
}

TEST(TuningDesign, RefusesAxesThatCannotBeRead) {
  const auto error = [](const std::string& text) { return input_error([&] { parse_axis(text, "--axis"); }); };
  EXPECT_EQ(error("rate"),
            "--axis: found 'rate', expected option=log:LOW..HIGH, option=linear:LOW..HIGH or option=a,b,c");
  EXPECT_EQ(error("=1,2"), "--axis: found '=1,2', expected the name of an option before '='");
  EXPECT_EQ(error("rate=log:0..1"),
            "--axis: found 'rate=log:0..1', expected a range above 0, which log: needs");
  EXPECT_EQ(
      error("rate=linear:2..1"),
      "--axis: found 'rate=linear:2..1', expected a range LOW..HIGH of two numbers, the lower one first");
  EXPECT_EQ(error("rate=1"), "--axis: found 'rate=1', expected a range or at least two choices");
  EXPECT_EQ(error("a+b=1+2+3,4"),
            "--axis: found 'a+b=1+2+3,4', expected choices a,b,c, each one value, or as many as there are "
            "options, joined by +");
  EXPECT_EQ(error("a=b*3,4"),
            "--axis: found 'a=b*3,4', expected log:LOW..HIGH or linear:LOW..HIGH after '*'");
}

TEST(TuningGrid, RefusesWhatCannotBeTuned) {
  const auto error = [](const std::vector<std::string>& axes) {
    TuningRequest request = small_request();
    request.axes = axes;
    return input_error([&] { tuning_grid(builtin_problems(), request); });
  };
  EXPECT_NE(error({"stepstart=log:1..2"}).find("did you mean 'step-start'"), std::string::npos);
  EXPECT_NE(error({"radii=1,1000"}).find("--axis: option 'radii' is 1000, expected an integer from 1 to 64"),
            std::string::npos);
  EXPECT_EQ(error({"radii=1,2", "radii=3,4"}), "--axis: option 'radii' is set by two axes, expected one");
  EXPECT_EQ(error({"steps=1,2"}),
            "--set: option 'steps' is both set and tuned by 'steps=1,2', expected one of them");
  EXPECT_EQ(
      error({"step-start=step-end*linear:1..2", "step-end=step-start*linear:1..2"}),
      "--axis: 'step-start=step-end*linear:1..2' is a multiple of what it sets itself, expected another "
      "option");
  EXPECT_EQ(
      error({"step-end=polytope*linear:1..2"}),
      "--axis: 'step-end=polytope*linear:1..2' is a multiple of 'polytope', expected a number's option");
  TuningRequest none = small_request();
  none.method = "mse";
  none.preset = "least-squares";
  none.axes = {};
  none.given.pop_back();
  EXPECT_EQ(
      input_error([&] { tuning_grid(builtin_problems(), none); }),
      "polystepor tune: method mse, preset least-squares states no ranges to tune over, expected --axis "
      "option=log:LOW..HIGH, option=linear:LOW..HIGH or option=a,b,c");
}

// Everything that methods state must be readable and within the bounds of their own options.
TEST(TuningGrid, WhatMethodsStateIsAGrid) {
  std::size_t stated = 0;
  for (const MethodEntry& method : methods())
    for (const Preset& preset : method.presets) {
      TuningRequest request;
      request.problem = "set-cover";
      request.method = method.name;
      request.preset = preset.name;
      request.given = {{"source", "generated", "--set"}};
      try {
        const TuningGrid grid = tuning_grid(builtin_problems(), request);
        EXPECT_EQ(grid.cells.size(), 64u) << method.name;
        ++stated;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("states no ranges"), std::string::npos) << error.what();
      }
    }
  EXPECT_GT(stated, 10u);
}

TEST(TuningGrid, TrainsEveryPointAndRanksByMeanValidationCost) {
  TuningRequest request = small_request();
  request.method = "spo+";
  request.given = {{"source", "generated", "--set"}, {"degree", "1", "--set"}, {"epochs", "1", "--set"}};
  request.axes = {"rate=log:0.000001..1", "batch=16,64"};
  request.points = 4;
  request.seeds = {7, 9};
  const ProblemRegistry problems = builtin_problems();
  const TuningGrid grid = tuning_grid(problems, request);
  ASSERT_EQ(grid.cells.size(), 8u);
  EXPECT_EQ(grid.cells[3].task, 0u);
  EXPECT_EQ(grid.cells[4].task, 1u);
  EXPECT_EQ(grid.cells[4].request.seed, 9u);
  const TemporaryDirectory directory;
  {
    ResultsFile results(directory / "results.csv", ExistingResults::kRefuse);
    Progress progress(ProgressStyle::kQuiet);
    ThreadTeam team(2);
    EXPECT_EQ(run_grid(grid.cells, results, team, progress).trained, 8u);
  }
  const std::vector<RunRecord> runs = read_results(directory / "results.csv").runs;
  const std::vector<TuningTrial> trials = rank_trials(grid, request.seeds, runs);
  ASSERT_EQ(trials.size(), 4u);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    ASSERT_TRUE(trials[k].mean);
    EXPECT_DOUBLE_EQ(*trials[k].mean, (*trials[k].costs[0] + *trials[k].costs[1]) / 2);
    if (k > 0) {
      EXPECT_GE(*trials[k].mean, *trials[k - 1].mean);
    }
  }
  // Of an unfinished point nothing is known, however good its other runs were.
  std::vector<RunRecord> fewer = runs;
  std::erase_if(fewer, [&](const RunRecord& run) {
    return run.seed == 9 && run.preset == grid.cells[trials[0].point].preset;
  });
  const std::vector<TuningTrial> without = rank_trials(grid, request.seeds, fewer);
  EXPECT_EQ(without.front().point, trials[1].point);
  EXPECT_EQ(without.back().point, trials[0].point);
  EXPECT_FALSE(without.back().mean);
  // The winner's configuration is the winner's run.
  const TuningPoint& best = grid.points[trials[0].point];
  RunConfig config = tuned_config(grid.cells[trials[0].point], best, request);
  config.seed = 7;
  EXPECT_EQ(identity_of(resolve_run(problems, config, "test", {})),
            identity_of(grid.cells[trials[0].point].request));
}

TEST(TuningGrid, OptionsOfTheProblemMakeATaskOfTheirOwn) {
  TuningRequest request = small_request();
  request.given = {{"source", "generated", "--set"}, {"steps", "2", "--set"}};
  request.axes = {"degree=1,8"};
  request.points = 2;
  const TuningGrid grid = tuning_grid(builtin_problems(), request);
  ASSERT_EQ(grid.cells.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(grid.cells[k].task, k);
  EXPECT_NE(grid.cells[0].request.problem_options.integer("degree"),
            grid.cells[1].request.problem_options.integer("degree"));
}

// A grid that is interrupted keeps what is finished, and what it trains later is what it would have been.
TEST(TuningGrid, StopsOnRequestAndGoesOn) {
  TuningRequest request = small_request();
  request.axes = {"step-start=log:0.1..10"};
  request.points = 4;
  const ProblemRegistry problems = builtin_problems();
  const TuningGrid grid = tuning_grid(problems, request);
  const TemporaryDirectory directory;
  Progress progress(ProgressStyle::kQuiet);
  const auto run = [&](const std::string& name, ExistingResults existing, const std::function<bool()>& stop) {
    ResultsFile results(directory / name, existing);
    ThreadTeam team(1);
    return run_grid(grid.cells, results, team, progress, stop);
  };
  EXPECT_EQ(run("whole.csv", ExistingResults::kRefuse, {}).trained, 8u);
  // How often it is asked depends on the machine; what is written by then does not.
  const auto three_are_written = [&] {
    std::ifstream file(directory / "parts.csv");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n') >= 1 + 3;
  };
  const GridOutcome first = run("parts.csv", ExistingResults::kRefuse, three_are_written);
  EXPECT_TRUE(first.interrupted);
  EXPECT_GT(first.trained, 0u);
  EXPECT_LT(first.trained, 8u);
  const GridOutcome second = run("parts.csv", ExistingResults::kResume, {});
  EXPECT_FALSE(second.interrupted);
  EXPECT_EQ(first.trained + second.trained, 8u);
  const auto costs = [&](const std::string& name) {
    std::map<std::pair<std::string, std::uint64_t>, double> found;
    for (const RunRecord& record : read_results(directory / name).runs)
      found[{record.preset, record.seed}] = record.validation_cost;
    return found;
  };
  EXPECT_EQ(costs("parts.csv"), costs("whole.csv"));
}

}  // namespace
}  // namespace polystep
