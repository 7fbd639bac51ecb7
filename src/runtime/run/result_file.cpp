#include "runtime/run/result_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "polystep/version.hpp"

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const SolveCounts& counts) {
  return {{"requested", counts.requested},
          {"performed", counts.performed},
          {"certified", counts.certified},
          {"failed", counts.failed}};
}

// What the whole run took, to set beside a forecast.
double all_seconds(const TrainingResult& result, double setup_seconds) {
  return setup_seconds + result.train_seconds + result.evaluate_seconds;
}

Json compare_forecast(const RunForecast& forecast, const TrainingResult& result, double setup_seconds) {
  const auto solves = static_cast<double>(result.solves.requested);
  const double seconds = all_seconds(result, setup_seconds);
  return {
      {"solves", {{"forecast", forecast.solves}, {"actual", solves}, {"ratio", forecast.solves / solves}}},
      {"seconds",
       {{"forecast", forecast.seconds}, {"actual", seconds}, {"ratio", forecast.seconds / seconds}}}};
}

}  // namespace

std::string render_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                          double setup_seconds) {
  Json solves = to_json(result.solves);
  solves["setup"] = to_json(result.setup_solves);
  solves["training"] = to_json(result.training_solves);
  solves["validation"] = to_json(result.validation_solves);
  solves["reference"] = to_json(result.reference_solves);
  solves["test"] = to_json(result.test_solves);
  Json json = {{"problem", request.problem->name},
               {"setting", task.setting},
               {"method", request.method->name},
               {"preset", request.preset},
               {"seed", request.seed},
               {"threads", request.threads},
               {"steps", result.steps},
               {"stopped_by", result.stopped_by},
               {"validation_cost", result.validation_cost},
               {"test_cost", result.test_cost},
               {"test_regret", result.test_regret},
               {"regret_metric", task.metric == RegretMetric::kRelative ? "relative" : "absolute"},
               {"failure_cost", result.failure_cost},
               {"solves", solves},
               {"seconds",
                {{"setup", setup_seconds},
                 {"train", result.train_seconds},
                 {"train_core", result.train_core_seconds},
                 {"evaluate", result.evaluate_seconds}}},
               {"notes", result.notes},
               {"version", kVersion}};
  if (request.problem->options.find("task-fingerprint") != nullptr)
    json["task_fingerprint"] = request.problem_options.text("task-fingerprint");
  json["training_kept"] = !result.is_start;
  json["test_rows"] = result.test_rows;
  json["test_failed"] = result.test_failed;
  if (result.reference_failed) json["reference_failed"] = *result.reference_failed;
  if (result.rows_without_reference != 0) json["rows_without_reference"] = result.rows_without_reference;
  if (result.prediction_error) json["prediction_error"] = *result.prediction_error;
  json["prediction_deviation"] = result.prediction_deviation;
  if (result.test_infeasible) json["test_infeasible"] = *result.test_infeasible;
  if (result.validation_infeasible) json["validation_infeasible"] = *result.validation_infeasible;
  if (result.validation_infeasible && request.method->options.find("max-infeasibility") != nullptr)
    json["max_infeasibility"] = request.method_options.number("max-infeasibility");
  if (result.test_changed) json["test_changed"] = *result.test_changed;
  if (result.conditional_regret) json["conditional_regret"] = *result.conditional_regret;
  if (result.batch_figures) {
    Json& batches = json["batch_figures"] = {{"regret", result.batch_figures->regret}};
    if (result.batch_figures->infeasible) batches["infeasible"] = *result.batch_figures->infeasible;
    if (result.batch_figures->conditional_regret)
      batches["conditional_regret"] = *result.batch_figures->conditional_regret;
  }
  if (!result.solver_events.empty()) {
    Json& events = json["solver_process"] = Json::object();
    for (const auto& [name, count] : result.solver_events) events[name] = count;
  }
  if (request.chosen) {
    json["chosen"] = request.chosen->reason;
    if (request.chosen->seconds > 0) json["seconds"]["solve"] = request.chosen->seconds;
  }
  if (request.forecast) json["forecast"] = compare_forecast(*request.forecast, result, setup_seconds);
  return json.dump(2) + "\n";
}

namespace {

// Figures that there was no time for, or no reference, are not a number.
std::string figure(double value, int digits) {
  return std::isnan(value) ? "not measured" : fmt::format("{:.{}g}", value, digits);
}

}  // namespace

std::string describe_failures(double test_failed, std::optional<double> reference_failed) {
  if (test_failed == 0 && reference_failed.value_or(0) == 0) return "";
  return fmt::format(
      "  failed           {:.4g} of test decisions, charged; {:.4g} of references, left out of regret\n",
      test_failed, reference_failed.value_or(0));
}

std::string describe_recourse(const std::optional<double>& infeasible,
                              const std::optional<double>& conditional_regret,
                              const std::optional<BatchFigures>& batches) {
  if (!infeasible) return "";
  const auto figure = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string("undefined");
  };
  std::string text = fmt::format(
      "  conditional      regret {}{}\n", figure(conditional_regret),
      conditional_regret ? " of decisions that were feasible" : ": no test decision was feasible");
  if (batches)
    text += fmt::format("  batch means      infeasible {}, conditional regret {}, regret {}\n",
                        figure(batches->infeasible), figure(batches->conditional_regret),
                        figure(batches->regret));
  return text;
}

std::string describe_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                            double setup_seconds) {
  std::string text = fmt::format(
      "{} ({}), method {}, preset {}, seed {}\n"
      "  test regret      {}{}\n"
      "  test cost        {}\n"
      "  validation cost  {}\n"
      "  steps            {} (stopped by {})\n"
      "  solver calls     {} requested, {} performed, {} certified, {} failed\n"
      "  seconds          {:.3f} setup, {:.3f} train, {:.3f} evaluate\n",
      request.problem->name, task.setting, request.method->name, request.preset, request.seed,
      figure(result.test_regret, 6),
      task.metric == RegretMetric::kRelative && !std::isnan(result.test_regret) ? " (relative)" : "",
      figure(result.test_cost, 8), figure(result.validation_cost, 8), result.steps, result.stopped_by,
      result.solves.requested, result.solves.performed, result.solves.certified, result.solves.failed,
      setup_seconds, result.train_seconds, result.evaluate_seconds);
  text += describe_failures(result.test_failed, result.reference_failed);
  if (result.test_infeasible)
    text += fmt::format("  infeasible       {:.4g} of test decisions, {:.4g} changed by recourse\n",
                        *result.test_infeasible, result.test_changed.value_or(0));
  text += describe_recourse(result.test_infeasible, result.conditional_regret, result.batch_figures);
  if (result.test_infeasible)
    text +=
        fmt::format("  predictions      deviate by {:.4g} from their mean\n", result.prediction_deviation);
  if (!result.solver_events.empty()) {
    text += "  solver process   ";
    for (std::size_t i = 0; i < result.solver_events.size(); ++i)
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", result.solver_events[i].second,
                          result.solver_events[i].first);
    text += "\n";
  }
  if (request.forecast)
    text += fmt::format("  forecast         {:.0f} solver calls, {:.3f} seconds; it took {} and {:.3f}\n",
                        request.forecast->solves, request.forecast->seconds, result.solves.requested,
                        all_seconds(result, setup_seconds));
  if (request.chosen) text += fmt::format("  chosen           {}\n", request.chosen->reason);
  for (const std::string& note : result.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

}  // namespace polystep
