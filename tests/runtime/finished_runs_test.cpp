#include "runtime/bench/finished_runs.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "runtime/bench/results_csv.hpp"
#include "runtime/run/result_file.hpp"
#include "runtime/run/run_request.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

struct ShortRun {
  ProblemRegistry problems = builtin_problems();
  RunRequest request;
  Task task;
  TrainingResult result;

  ShortRun() : request(resolve(problems)), task(make_task(request)) {
    result = train(task, *request.method, request.method_options, {});
  }
  static RunRequest resolve(const ProblemRegistry& problems) {
    RunConfig config;
    config.problem = "shortest-path";
    return resolve_run(problems, config, "test", {{"steps", "2", "--set"}, {"source", "generated", "--set"}});
  }
};

// A run says the same of itself as a run directory and as a line of results.csv.
TEST(FinishedRuns, ResultFilesAndTablesAgree) {
  const ShortRun run;
  const TemporaryDirectory directory;
  directory.file("result.json", render_result(run.request, run.task, run.result, 0.25));
  const FinishedRuns from_json = load_finished_runs(directory.path());
  ASSERT_EQ(from_json.runs.size(), 1u);
  const double total = 0.25 + run.result.train_seconds + run.result.evaluate_seconds;
  const RunRecord record = record_of("shortest-path", run.task, "polystepor", "best", 0, run.result, total);
  EXPECT_EQ(render_result_line(from_json.runs[0]), render_result_line(record));
  EXPECT_EQ(load_finished_runs(directory / "result.json").runs.size(), 1u);

  const auto table =
      directory.file("other.csv", results_header() + "\n" + render_result_line(record) + "\nkn");
  const FinishedRuns from_table = load_finished_runs(table);
  EXPECT_EQ(render_result_line(from_table.runs.at(0)), render_result_line(record));
  ASSERT_EQ(from_table.notes.size(), 1u);
  EXPECT_EQ(from_table.notes[0], table.string() + ": the last line has no line break and was left out.");
}

// Runs on task files say of which; runs of old only in their configuration.
TEST(FinishedRuns, KnowTheFingerprintOfTheirTask) {
  ShortRun run;
  const TemporaryDirectory directory;
  const std::string plain = render_result(run.request, run.task, run.result, 0.25);
  directory.file("result.json", plain);
  EXPECT_EQ(load_finished_runs(directory.path()).runs.at(0).fingerprint, "");
  directory.file("config.toml",
                 "problem = \"shortest-path\"\n[shortest-path]\ntask-fingerprint = \"00aa\"\n");
  EXPECT_EQ(load_finished_runs(directory.path()).runs.at(0).fingerprint, "00aa");
  directory.file("result.json", "{\"task_fingerprint\": \"00bb\"," + plain.substr(1));
  EXPECT_EQ(load_finished_runs(directory.path()).runs.at(0).fingerprint, "00bb");

  ProblemEntry entry = *run.request.problem;
  entry.options.text("task-fingerprint", "00cc", "of the task");
  run.request.problem = &entry;
  run.request.problem_options = Options(entry.options, entry.name);
  directory.file("result.json", render_result(run.request, run.task, run.result, 0.25));
  EXPECT_EQ(load_finished_runs(directory.path()).runs.at(0).fingerprint, "00cc");
}

TEST(FinishedRuns, SaysWhatIsWrong) {
  const TemporaryDirectory directory;
  const auto error_of = [](const std::filesystem::path& place) {
    return input_error([&] { load_finished_runs(place); });
  };
  EXPECT_EQ(error_of(directory.path()),
            directory.path().string() + " has neither result.json nor results.csv, expected finished runs");
  const auto file = directory.file("result.json", "{");
  EXPECT_EQ(error_of(file), file.string() + " is not JSON, expected a run's result");
  directory.file("result.json", "{}");
  EXPECT_EQ(error_of(file), file.string() + " has no problem, expected a run's result");
  directory.file("result.json", R"({"problem": 3})");
  EXPECT_EQ(error_of(file), file.string() + ": problem is 3, expected a text");
  EXPECT_NE(error_of(directory / "nowhere.csv").find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace polystep
