// Decides new rows with a trained run. Rows pass one by one: a file of any size takes little memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/tables/csv.hpp"
#include "data/tables/csv_reader.hpp"
#include "interrupts.hpp"
#include "own/long_table.hpp"
#include "own/own_task.hpp"
#include "own/process_problem.hpp"
#include "polystep/error.hpp"
#include "saved_run.hpp"

namespace polystep {
namespace {

constexpr std::size_t kPieceBytes = 1 << 18;

// Named features were looked up one by one; nameless ones are the whole table, which may have any width.
template <class Table>
void check_width(const Table& table, const Predictor& predictor) {
  if (table.columns().size() != predictor.row_features())
    throw InputError(fmt::format("{}: found {} columns, expected {}, one per feature", table.name(),
                                 table.columns().size(), predictor.row_features()));
}

// The raw features of the next instance: one table row, or as many as the predictor has slots. False at the
// end of the table.
bool next_instance(CsvReader& table, const Predictor& predictor, std::vector<double>& raw) {
  raw.clear();
  while (raw.size() < predictor.feature_columns())
    if (!table.next(raw)) break;
  if (!raw.empty() && raw.size() < predictor.feature_columns())
    throw InputError(
        fmt::format("{}: found {} rows, expected a multiple of {} (one row per slot of an instance)",
                    table.name(), table.rows(), predictor.feature_columns() / predictor.row_features()));
  return !raw.empty();
}

double scaled(double raw, const FeatureScaling& scaling, std::size_t feature) {
  return scaling.mean.empty() ? raw : (raw - scaling.mean[feature]) / scaling.deviation[feature];
}

// The features of one instance as the predictor sees them, a tile of one lane.
Tile load_instance(const std::vector<double>& raw, const SavedRun& run, std::size_t instance,
                   std::vector<double>& features) {
  const std::size_t row_features = run.task.predictor->row_features();
  features.clear();
  for (std::size_t f = 0; f < raw.size(); ++f)
    features.push_back(scaled(raw[f], run.model.scaling, f % row_features));
  Tile tile;
  tile.features = features.data();
  tile.shape.features = features.size();
  tile.width = tile.lanes = 1;
  tile.instance.fill(instance);
  return tile;
}

// Whether it was solved; nothing where it was stopped. A solver that throws has failed on this row alone, as
// in training.
std::optional<bool> decide_row(const Problem& problem, std::span<const double> prediction,
                               std::size_t instance, std::vector<double>& decision, RunWatch& watch) {
  std::fill(decision.begin(), decision.end(), 0.0);
  ProgressState state;
  state.unit = "row";
  state.step = static_cast<std::int64_t>(instance);
  watch.show(state);
  try {
    stop_if_wanted();
    if (problem.decide(prediction, instance, decision) == SolveStatus::kSolved) return true;
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const std::exception&) {
  }
  std::fill(decision.begin(), decision.end(), 0.0);
  return false;
}

// How the task's tables name instances and outputs; only tables in long format have any number of outputs.
LongColumns long_columns(const SavedRun& run) {
  const Options& options = run.request.problem_options;
  if (run.request.problem->name == kOwnProblem) {
    const OwnTaskFile file = parse_own_task(options.text("task-text"), options.text("task-file"));
    if (file.data.long_format) return file.data.long_columns;
  }
  throw InputError(
      fmt::format("polystepor decide: instances of {} differ in size, expected a task whose instances are "
                  "alike, or one of your own with tables in long format",
                  run.task.setting));
}

// Long tables in, long tables out: a line per instance and component of its decision, which has the name of
// its output where there are names.
std::size_t decide_long(const SavedRun& run, const std::string& features_file, RunWatch& watch,
                        ReplacedFile& out) {
  const LongColumns columns = long_columns(run);
  const Predictor& predictor = *run.task.predictor;
  LongReader table(features_file, run.model.feature_names, columns);
  check_width(table, predictor);
  std::string text;
  append_csv_header({columns.instance, columns.name, "solved", "value"}, text);
  std::vector<double> features, prediction, decision;
  LongInstance rows;
  std::size_t instance = 0;
  for (; table.next(rows); ++instance) {
    const std::optional<std::size_t> size = decision_size_of_new(*run.task.problem, rows.rows);
    if (!size || *size == 0)
      throw InputError(
          fmt::format("polystepor decide: the solver of {} sends no decisions back, expected "
                      "them",
                      run.task.setting));
    prediction.assign(rows.rows, 0.0);
    decision.resize(*size);
    predictor.predict(run.model.parameters, load_instance(rows.values, run, instance, features),
                      prediction.data());
    const std::optional<bool> solved = decide_row(*run.task.problem, prediction, instance, decision, watch);
    if (!solved) break;
    const bool named = rows.names.size() == decision.size();
    for (std::size_t i = 0; i < decision.size(); ++i) {
      append_csv_text(rows.label, text);
      append_csv_text(named ? rows.names[i] : std::to_string(i), text);
      append_csv_row(std::array{*solved ? 1.0 : 0.0, decision[i] + 0.0}, text);
    }
    if (text.size() < kPieceBytes) continue;
    out.append(text);
    text.clear();
  }
  out.append(text);
  return instance;
}

// A row per instance, with a column per component of its decision.
std::size_t decide_wide(const SavedRun& run, const std::string& features_file, RunWatch& watch,
                        ReplacedFile& out) {
  const Problem& problem = *run.task.problem;
  CsvReader table(features_file, run.model.feature_names);
  const Predictor& predictor = *run.task.predictor;
  check_width(table, predictor);
  std::vector<std::string> columns = {"instance", "solved"};
  for (std::size_t i = 0; i < problem.decision_size(); ++i) columns.push_back(problem.decision_name(i));
  std::vector<double> raw, features, prediction(predictor.outputs()), decision(problem.decision_size()), row;
  std::string text;
  append_csv_header(columns, text);
  std::size_t instance = 0;
  for (; next_instance(table, predictor, raw); ++instance) {
    predictor.predict(run.model.parameters, load_instance(raw, run, instance, features), prediction.data());
    const std::optional<bool> solved = decide_row(problem, prediction, instance, decision, watch);
    if (!solved) break;
    row = {static_cast<double>(instance), *solved ? 1.0 : 0.0};
    for (const double component : decision) row.push_back(component + 0.0);  // -0 is written as 0
    append_csv_row(row, text);
    if (text.size() < kPieceBytes) continue;
    out.append(text);
    text.clear();
  }
  out.append(text);
  return instance;
}

}  // namespace

int decide_command(const DecideArguments& arguments, const ProblemRegistry& problems) {
  if (std::filesystem::exists(arguments.out) && !arguments.force)
    throw InputError(fmt::format(
        "polystepor decide: {} exists, expected a new file; give --force to replace it", arguments.out));
  RunWatch watch(watched_command(arguments.watch));
  const StoppedBy stopped_by(&watch);
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  if (run.task.problem->facts().needs_instance_data)
    throw InputError(
        fmt::format("polystepor decide: {} needs data of each instance besides its predictions, which new "
                    "rows do not have",
                    run.task.setting));
  const bool any_size = run.task.predictor->feature_columns() == 0;
  if (any_size) long_columns(run);  // refuse it before anything is written
  ReplacedFile out(arguments.out);
  const std::size_t decided = any_size ? decide_long(run, arguments.features, watch, out)
                                       : decide_wide(run, arguments.features, watch, out);
  out.complete();
  watch.clear();
  print_out("{} decisions written to {}\n", decided, arguments.out);
  if (!stop_wanted()) return 0;
  print_err("{}, the first {} rows are decided.\n", watch.interrupted() ? "Stopped" : "Out of time", decided);
  return kInterrupted;
}

}  // namespace polystep
