#include "runtime/bench/grid_runner.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "polystep/error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Small and quick; all of it drawn here, so that no files are needed.
GridRequest small_request() {
  GridRequest request;
  request.problems = {"shortest-path"};
  request.methods = {"mse", "polystepor"};
  request.seeds = {0, 1};
  request.given = {{"source", "generated", "--source"}, {"steps", "4", "--set"}, {"epochs", "2", "--set"}};
  return request;
}

GridOutcome run(const ProblemRegistry& problems, const GridRequest& request,
                const std::filesystem::path& path, ExistingResults existing, std::size_t threads = 1) {
  ResultsFile results(path, existing);
  Progress progress(ProgressStyle::kQuiet);
  ThreadTeam team(threads);
  return run_grid(benchmark_grid(problems, request), results, team, progress);
}

// Everything of a run but its times, by what it is.
std::map<std::string, std::string> results_in(const std::filesystem::path& path) {
  std::map<std::string, std::string> results;
  for (RunRecord record : read_results(path).runs) {
    record.seconds_train = record.core_seconds_train = record.seconds_total = 0;
    const std::string key = record.setting + record.method + std::to_string(record.seed);
    EXPECT_TRUE(results.emplace(key, render_result_line(record)).second) << key;
  }
  return results;
}

TEST(GridRunner, ResultsDoNotDependOnTheThreads) {
  const TemporaryDirectory directory;
  const ProblemRegistry problems = builtin_problems();
  const GridOutcome one = run(problems, small_request(), directory / "one.csv", ExistingResults::kRefuse, 1);
  EXPECT_EQ(one.trained, 20u);
  EXPECT_TRUE(one.failures.empty());
  run(problems, small_request(), directory / "four.csv", ExistingResults::kRefuse, 4);
  EXPECT_EQ(results_in(directory / "one.csv").size(), 20u);
  EXPECT_EQ(results_in(directory / "one.csv"), results_in(directory / "four.csv"));
}

TEST(GridRunner, RecordsWhatTheRunWas) {
  const TemporaryDirectory directory;
  const ProblemRegistry problems = builtin_problems();
  GridRequest request = small_request();
  request.methods = {"polystepor"};
  request.seeds = {1};
  std::erase_if(request.given, [](const GivenOption& option) { return option.key == "epochs"; });
  request.given.push_back({"degree", "2", "--set"});
  run(problems, request, directory / "results.csv", ExistingResults::kRefuse);
  const std::vector<RunRecord> runs = read_results(directory / "results.csv").runs;
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].setting, "degree=2 grid=5 noise=0.5 data-seed=0");
  EXPECT_EQ(runs[0].preset, "paper steps=4");
  EXPECT_EQ(runs[0].steps, 4u);
  EXPECT_EQ(runs[0].stopped_by, "budget");
  EXPECT_EQ(runs[0].training_solves, 4u * (61440 + 128));  // a step's published probes, and its incumbent
  EXPECT_EQ(runs[0].solves_requested, runs[0].solves_performed + runs[0].solves_certified);
  EXPECT_GT(runs[0].test_regret, 0);
  EXPECT_GE(runs[0].seconds_total, runs[0].seconds_train);
}

TEST(GridRunner, ResumesWithWhatIsMissing) {
  const TemporaryDirectory directory;
  const ProblemRegistry problems = builtin_problems();
  const auto path = directory / "results.csv";
  GridRequest first = small_request();
  first.seeds = {1};
  run(problems, first, path, ExistingResults::kRefuse);
  const GridOutcome rest = run(problems, small_request(), path, ExistingResults::kResume, 2);
  EXPECT_EQ(rest.skipped, 10u);
  EXPECT_EQ(rest.trained, 10u);
  run(problems, small_request(), directory / "whole.csv", ExistingResults::kRefuse);
  EXPECT_EQ(results_in(path), results_in(directory / "whole.csv"));
  // Other options are other runs.
  GridRequest longer = small_request();
  longer.given[1].text = "5";
  EXPECT_EQ(run(problems, longer, path, ExistingResults::kResume).skipped, 10u);  // those of mse
}

TEST(GridRunner, SurvivesBeingKilled) {
  const TemporaryDirectory directory;
  const ProblemRegistry problems = builtin_problems();
  const auto path = directory / "results.csv";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // waits in the middle of its work until it is killed, however busy the machine is
    ProblemRegistry waiting;
    for (ProblemEntry entry : problems.entries()) {
      entry.make = [make = entry.make](const Options& options, const TaskContext& context) {
        while (options.integer("degree") == 8) ::pause();
        return make(options, context);
      };
      waiting.add(entry);
    }
    run(waiting, small_request(), path, ExistingResults::kRefuse);
    ::_exit(0);
  }
  const auto lines = [&] {
    const std::string text = TemporaryDirectory::contents(path);
    return std::count(text.begin(), text.end(), '\n');
  };
  bool running = true;
  while (lines() < 4 && running) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running = ::waitpid(child, nullptr, WNOHANG) == 0;
  }
  ASSERT_TRUE(running);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const std::size_t survived = read_results(path).runs.size();
  ASSERT_GE(survived, 3u);
  const GridOutcome rest = run(problems, small_request(), path, ExistingResults::kResume);
  EXPECT_EQ(rest.skipped, survived);
  EXPECT_EQ(rest.trained + rest.skipped, 20u);
  run(problems, small_request(), directory / "whole.csv", ExistingResults::kRefuse);
  EXPECT_EQ(results_in(path), results_in(directory / "whole.csv"));
}

TEST(GridRunner, AFailingCellDoesNotStopTheOthers) {
  const TemporaryDirectory directory;
  ProblemRegistry real = builtin_problems(), problems;
  for (ProblemEntry entry : real.entries()) {
    if (entry.name == "shortest-path")
      entry.make = [make = entry.make](const Options& options, const TaskContext& context) {
        if (options.integer("degree") == 4 && context.seed == 1) throw InputError("the data are gone");
        return make(options, context);
      };
    problems.add(entry);
  }
  const GridOutcome outcome =
      run(problems, small_request(), directory / "results.csv", ExistingResults::kRefuse, 2);
  EXPECT_EQ(outcome.trained, 18u);
  ASSERT_EQ(outcome.failures.size(), 2u);
  EXPECT_EQ(outcome.failures[0],
            "shortest-path (degree=4) with method mse, preset paper epochs=2, seed 1: the data are gone");
  EXPECT_EQ(read_results(directory / "results.csv").runs.size(), 18u);
}

}  // namespace
}  // namespace polystep
