#include "runtime/bench/results_csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

RunRecord some_run(std::uint64_t seed) {
  RunRecord run;
  run.problem = "knapsack";
  run.setting = "capacity=60";
  run.method = "mse";
  run.preset = "paper";
  run.seed = seed;
  run.test_regret = 1.0 / 3;
  run.validation_cost = -1e300;
  run.test_cost = std::numeric_limits<double>::denorm_min();
  run.prediction_error = 2.0 / 7;  // the other optional figures stay empty
  run.steps = 175;
  run.stopped_by = "budget";
  run.solves_requested = std::numeric_limits<std::uint64_t>::max();
  run.solves_performed = 1;
  run.solves_certified = 2;
  run.solves_failed = 3;
  run.reference_solves = 4;
  run.training_solves = 5;
  run.seconds_train = 0.1;
  run.core_seconds_train = 0.2;
  run.seconds_total = 0.3;
  return run;
}

std::string table_of(const std::string& lines) { return results_header() + "\n" + lines; }

TEST(ResultsCsv, ReadsBackToTheSameBits) {
  const RunRecord written = some_run(7);
  const std::string line = render_result_line(written);
  const ResultsTable table = parse_results(table_of(line + "\n"), "results.csv");
  ASSERT_EQ(table.runs.size(), 1u);
  const RunRecord& read = table.runs[0];
  EXPECT_EQ(read.test_regret, written.test_regret);
  EXPECT_EQ(read.validation_cost, written.validation_cost);
  EXPECT_EQ(read.test_cost, written.test_cost);
  EXPECT_EQ(read.solves_requested, written.solves_requested);
  EXPECT_EQ(read.seed, 7u);
  EXPECT_EQ(render_result_line(read), line);  // and so everything else
  EXPECT_FALSE(table.torn);
}

TEST(ResultsCsv, KeepsCommasAndQuotesOfNames) {
  RunRecord written = some_run(0);
  written.setting = "sides=3,4 \"wide\"";
  const ResultsTable table = parse_results(table_of(render_result_line(written) + "\n"), "results.csv");
  EXPECT_EQ(table.runs.at(0).setting, written.setting);
}

// Cut at every byte: whole lines are kept, a rest is left out, nothing is misread.
TEST(ResultsCsv, DropsATornLastLine) {
  const std::string text =
      table_of(render_result_line(some_run(0)) + "\n" + render_result_line(some_run(1)) + "\n");
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    const std::string cut = text.substr(0, bytes);
    const ResultsTable table = parse_results(cut, "results.csv");
    const auto lines = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
    EXPECT_EQ(table.runs.size(), lines == 0 ? 0 : lines - 1);
    EXPECT_EQ(table.whole_bytes, lines == 0 ? 0 : cut.rfind('\n') + 1);
    EXPECT_EQ(table.torn, bytes != table.whole_bytes);
  }
}

TEST(ResultsCsv, SaysWhatIsWrong) {
  const auto error_of = [](const std::string& text) {
    return input_error([&] { parse_results(text, "results.csv"); });
  };
  EXPECT_EQ(error_of("a,b\n").substr(0, 48), "results.csv line 1: found 'a,b', expected 'probl");
  EXPECT_EQ(error_of("no table").substr(0, 36), "results.csv line 1: found 'no table'");
  EXPECT_EQ(error_of(table_of("1,2,3\n")), "results.csv line 2: found 3 fields, expected 32");
  std::string line = render_result_line(some_run(0));
  const auto with = [&](const std::string& old, const std::string& text) {
    return table_of(std::string(line).replace(line.find(old), old.size(), text) + "\n");
  };
  EXPECT_EQ(error_of(with("0.3333333333333333", "nan")),
            "results.csv line 2, column test_regret: found 'nan', expected a number");
  EXPECT_EQ(error_of(with("0.3333333333333333", "0.3x")),
            "results.csv line 2, column test_regret: found '0.3x', expected a number");
  EXPECT_EQ(error_of(with("175", "-1")),
            "results.csv line 2, column steps: found '-1', expected a whole number from 0");
  EXPECT_EQ(error_of(with("mse", "")), "results.csv line 2, column method: found '', expected a text");
}

TEST(ResultsFile, RefusesResumesAndReplaces) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.csv";
  {
    ResultsFile file(path, ExistingResults::kRefuse);
    file.append(some_run(0));
  }
  EXPECT_EQ(input_error([&] { ResultsFile(path, ExistingResults::kRefuse); }),
            path.string() +
                " exists; give --resume to go on with it, --force to replace it or --out another directory");
  directory.file("results.csv", TemporaryDirectory::contents(path) + "knapsack,capa");
  {
    ResultsFile file(path, ExistingResults::kResume);
    ASSERT_EQ(file.earlier().size(), 1u);
    file.append(some_run(1));
  }
  EXPECT_EQ(read_results(path).runs.size(), 2u);
  EXPECT_FALSE(read_results(path).torn);
  ResultsFile(path, ExistingResults::kReplace);
  EXPECT_EQ(TemporaryDirectory::contents(path), results_header() + "\n");
}

TEST(ResultsFile, HasOneWriterAtATime) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.csv";
  const ResultsFile writer(path, ExistingResults::kRefuse);
  EXPECT_EQ(
      input_error([&] { ResultsFile(path, ExistingResults::kReplace); }),
      path.string() + " is being written by another process; wait for it or give --out another directory");
}

// Tables that were written before there were the last figures are read, and go on as they are.
TEST(ResultsCsv, TablesOfOldKeepTheirColumns) {
  const std::string header = results_header(), old = header.substr(0, header.find(",conditional_regret"));
  RunRecord run;
  run.problem = "alloy";
  run.setting = "profile=arc, small";
  run.method = run.preset = run.stopped_by = "x";
  run.fresh_regret = 0.25;
  const std::string line = render_result_line(run);
  const ResultsTable whole = parse_results(header + "\n" + line + "\n", "new.csv");
  EXPECT_EQ(whole.runs.at(0).fresh_regret, 0.25);
  const std::string short_line = line.substr(0, line.size() - std::string(",,,,,,,0.25,").size());
  const ResultsTable table = parse_results(old + "\n" + short_line + "\n", "old.csv");
  EXPECT_EQ(table.columns, 24u);
  EXPECT_EQ(table.runs.at(0).setting, "profile=arc, small");
  EXPECT_EQ(table.runs.at(0).fresh_regret, std::nullopt);
  const std::string later = header.substr(0, header.find(",prediction_deviation"));
  const ResultsTable fresh =
      parse_results(later + "\n" + line.substr(0, line.size() - 1) + "\n", "later.csv");
  EXPECT_EQ(fresh.columns, 31u);
  EXPECT_EQ(fresh.runs.at(0).fresh_regret, 0.25);
}

}  // namespace
}  // namespace polystep
