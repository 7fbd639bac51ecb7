// Decides new rows with a trained run. Rows pass one by one: a file of any size takes little memory.
#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/csv.hpp"
#include "data/csv_reader.hpp"
#include "polystep/error.hpp"
#include "saved_run.hpp"

namespace polystep {
namespace {

constexpr std::size_t kPieceBytes = 1 << 18;

// Named features were looked up one by one; nameless ones are the whole table, which may have any width.
void check_width(const CsvReader& table, const Predictor& predictor) {
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

// A solver that throws has failed on this row alone, as in training.
bool decide_row(const Problem& problem, std::span<const double> prediction, std::size_t instance,
                std::vector<double>& decision) {
  decision.assign(problem.decision_size(), 0.0);
  try {
    if (problem.decide(prediction, instance, decision) == SolveStatus::kSolved) return true;
  } catch (const std::exception&) {
  }
  decision.assign(problem.decision_size(), 0.0);
  return false;
}

}  // namespace

int decide_command(const DecideArguments& arguments, const ProblemRegistry& problems) {
  if (std::filesystem::exists(arguments.out) && !arguments.force)
    throw InputError(fmt::format(
        "polystepor decide: {} exists, expected a new file; give --force to replace it", arguments.out));
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  const Problem& problem = *run.task.problem;
  if (problem.facts().needs_instance_data)
    throw InputError(
        fmt::format("polystepor decide: {} needs data of each instance besides its predictions, which new "
                    "rows do not have",
                    run.task.setting));
  CsvReader table(arguments.features, run.model.feature_names);
  const Predictor& predictor = *run.task.predictor;
  check_width(table, predictor);

  std::vector<std::string> columns = {"instance", "solved"};
  for (std::size_t i = 0; i < problem.decision_size(); ++i) columns.push_back(problem.decision_name(i));
  std::vector<double> raw, features, prediction(predictor.outputs()), decision, row;
  ReplacedFile out(arguments.out);
  std::string text;
  append_csv_header(columns, text);
  std::size_t instance = 0;
  for (; next_instance(table, predictor, raw); ++instance) {
    predictor.predict(run.model.parameters, load_instance(raw, run, instance, features), prediction.data());
    const bool solved = decide_row(problem, prediction, instance, decision);
    row = {static_cast<double>(instance), solved ? 1.0 : 0.0};
    for (const double component : decision) row.push_back(component + 0.0);  // -0 is written as 0
    append_csv_row(row, text);
    if (text.size() < kPieceBytes) continue;
    out.append(text);
    text.clear();
  }
  out.append(text);
  out.complete();
  print_out("{} decisions written to {}\n", instance, arguments.out);
  return 0;
}

}  // namespace polystep
