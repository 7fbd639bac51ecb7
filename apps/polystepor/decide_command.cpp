#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "data/csv.hpp"
#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "saved_run.hpp"

namespace polystep {
namespace {

// One instance per table row, or per as many rows as the predictor has slots.
std::size_t instances_in(const CsvTable& table, const Predictor& predictor) {
  // Named features were looked up one by one; nameless ones are the whole table, which may have any width.
  if (table.columns.size() != predictor.row_features())
    throw InputError(fmt::format("{}: found {} columns, expected {}, one per feature", table.name,
                                 table.columns.size(), predictor.row_features()));
  const std::size_t rows_each = predictor.feature_columns() / predictor.row_features();
  if (table.rows % rows_each != 0)
    throw InputError(
        fmt::format("{}: found {} rows, expected a multiple of {} (one row per slot of an instance)",
                    table.name, table.rows, rows_each));
  return table.rows / rows_each;
}

double scaled(double raw, const FeatureScaling& scaling, std::size_t feature) {
  return scaling.mean.empty() ? raw : (raw - scaling.mean[feature]) / scaling.deviation[feature];
}

// The features of one instance in lane 0 of a tile; the other lanes repeat it.
void load_instance(const CsvTable& table, std::size_t instance, const SavedRun& run, AlignedDoubles& tile) {
  const std::size_t columns = run.task.predictor->feature_columns();
  const std::size_t features = run.task.predictor->row_features();
  for (std::size_t f = 0; f < columns; ++f) {
    const double value = scaled(table.values[instance * columns + f], run.model.scaling, f % features);
    for (std::size_t lane = 0; lane < kLanes; ++lane) tile[f * kLanes + lane] = value;
  }
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
  const CsvTable table = read_csv(arguments.features, run.model.feature_names);
  const Problem& problem = *run.task.problem;
  const Predictor& predictor = *run.task.predictor;
  const std::size_t instances = instances_in(table, predictor);

  std::vector<std::string> columns = {"instance", "solved"};
  for (std::size_t i = 0; i < problem.decision_size(); ++i) columns.push_back(problem.decision_name(i));
  std::vector<double> values;
  AlignedDoubles features(predictor.feature_columns() * kLanes), predictions(predictor.outputs() * kLanes);
  std::vector<double> prediction(predictor.outputs()), decision;
  for (std::size_t instance = 0; instance < instances; ++instance) {
    load_instance(table, instance, run, features);
    predictor.predict(run.model.parameters, features.data(), predictions.data());
    for (std::size_t o = 0; o < prediction.size(); ++o) prediction[o] = predictions[o * kLanes];
    const bool solved = decide_row(problem, prediction, instance, decision);
    values.push_back(static_cast<double>(instance));
    values.push_back(solved ? 1 : 0);
    for (const double component : decision) values.push_back(component + 0.0);  // -0 is written as 0
  }
  write_csv(arguments.out, columns, values);
  fmt::print("{} decisions written to {}\n", instances, arguments.out);
  return 0;
}

}  // namespace polystep
