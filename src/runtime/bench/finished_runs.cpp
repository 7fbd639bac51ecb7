#include "runtime/bench/finished_runs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "polystep/error.hpp"
#include "runtime/bench/results_csv.hpp"
#include "runtime/run/config_file.hpp"

namespace polystep {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

// Walks result.json and says what is missing or of the wrong kind.
class ResultReader {
 public:
  explicit ResultReader(const fs::path& path) : name_(path.string()) {
    json_ = Json::parse(read_file(path), nullptr, false);
    if (!json_.is_object()) throw InputError(fmt::format("{} is not JSON, expected a run's result", name_));
  }

  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) fail(key, value, "a text");
    return value.get<std::string>();
  }
  double number(const char* pointer) const {
    const Json& value = at(pointer);
    if (!value.is_number()) fail(pointer, value, "a number");
    return value.get<double>();
  }
  std::optional<double> optional_number(const char* pointer) const {
    if (!json_.contains(Json::json_pointer(pointer))) return {};
    return number(pointer);
  }
  std::optional<std::string> optional_text(const char* pointer) const {
    if (!json_.contains(Json::json_pointer(pointer))) return {};
    return text(pointer);
  }
  std::uint64_t count(const char* pointer) const {
    const Json& value = at(pointer);
    if (!value.is_number_unsigned()) fail(pointer, value, "a whole number from 0");
    return value.get<std::uint64_t>();
  }

 private:
  const Json& at(const char* pointer) const {
    const Json::json_pointer place(pointer);
    if (!json_.contains(place))
      throw InputError(fmt::format("{} has no {}, expected a run's result", name_, pointer + 1));
    return json_.at(place);
  }
  [[noreturn]] void fail(const char* pointer, const Json& found, const char* expected) const {
    throw InputError(fmt::format("{}: {} is {}, expected {}", name_, pointer + 1, found.dump(), expected));
  }

  std::string name_;
  Json json_;
};

// Results of old do not have it, but the configuration beside them does.
std::string fingerprint_beside(const fs::path& result, const std::string& problem) {
  std::error_code ignored;
  const fs::path path = result.parent_path() / "config.toml";
  if (!fs::exists(path, ignored)) return {};
  const RunConfig config = read_config(path);
  const auto section = config.sections.find(problem);
  if (section == config.sections.end()) return {};
  for (const ConfigEntry& entry : section->second)
    if (const auto* text = std::get_if<std::string>(&entry.value); entry.key == "task-fingerprint" && text)
      return *text;
  return {};
}

RunRecord read_result(const fs::path& path) {
  const ResultReader result(path);
  RunRecord run;
  run.problem = result.text("/problem");
  run.setting = result.text("/setting");
  const std::optional<std::string> fingerprint = result.optional_text("/task_fingerprint");
  run.fingerprint = fingerprint ? *fingerprint : fingerprint_beside(path, run.problem);
  run.method = result.text("/method");
  run.preset = result.text("/preset");
  run.seed = result.count("/seed");
  run.test_regret = result.number("/test_regret");
  run.validation_cost = result.number("/validation_cost");
  run.test_cost = result.number("/test_cost");
  run.prediction_error = result.optional_number("/prediction_error");
  run.prediction_deviation = result.optional_number("/prediction_deviation");
  run.test_infeasible = result.optional_number("/test_infeasible");
  run.test_changed = result.optional_number("/test_changed");
  run.test_failed = result.optional_number("/test_failed");
  run.reference_failed = result.optional_number("/reference_failed");
  run.conditional_regret = result.optional_number("/conditional_regret");
  run.batch_infeasible = result.optional_number("/batch_figures/infeasible");
  run.batch_conditional_regret = result.optional_number("/batch_figures/conditional_regret");
  run.batch_regret = result.optional_number("/batch_figures/regret");
  run.steps = result.count("/steps");
  run.stopped_by = result.text("/stopped_by");
  run.solves_requested = result.count("/solves/requested");
  run.solves_performed = result.count("/solves/performed");
  run.solves_certified = result.count("/solves/certified");
  run.solves_failed = result.count("/solves/failed");
  run.reference_solves = result.count("/solves/reference/requested");
  run.training_solves = result.count("/solves/training/requested");
  run.seconds_train = result.number("/seconds/train");
  run.core_seconds_train = result.number("/seconds/train_core");
  run.seconds_total =
      result.number("/seconds/setup") + run.seconds_train + result.number("/seconds/evaluate");
  return run;
}

FinishedRuns read_table(const fs::path& path) {
  ResultsTable table = read_results(path);
  FinishedRuns finished{std::move(table.runs), {}};
  if (table.torn)
    finished.notes.push_back(
        fmt::format("{}: the last line has no line break and was left out.", path.string()));
  return finished;
}

}  // namespace

RunRecord record_of(const std::string& problem, const Task& task, const std::string& method,
                    const std::string& preset, std::uint64_t seed, const TrainingResult& result,
                    double seconds_total) {
  RunRecord run;
  run.problem = problem;
  run.setting = task.setting;
  run.method = method;
  run.preset = preset;
  run.seed = seed;
  run.test_regret = result.test_regret;
  run.validation_cost = result.validation_cost;
  run.test_cost = result.test_cost;
  run.prediction_error = result.prediction_error;
  run.prediction_deviation = result.prediction_deviation;
  run.test_infeasible = result.test_infeasible;
  run.test_changed = result.test_changed;
  run.test_failed = result.test_failed;
  run.reference_failed = result.reference_failed;
  run.conditional_regret = result.conditional_regret;
  if (result.batch_figures) {
    run.batch_infeasible = result.batch_figures->infeasible;
    run.batch_conditional_regret = result.batch_figures->conditional_regret;
    run.batch_regret = result.batch_figures->regret;
  }
  run.steps = result.steps;
  run.stopped_by = result.stopped_by;
  run.solves_requested = result.solves.requested;
  run.solves_performed = result.solves.performed;
  run.solves_certified = result.solves.certified;
  run.solves_failed = result.solves.failed;
  run.reference_solves = result.reference_solves.requested;
  run.training_solves = result.training_solves.requested;
  run.seconds_train = result.train_seconds;
  run.core_seconds_train = result.train_core_seconds;
  run.seconds_total = seconds_total;
  return run;
}

FinishedRuns load_finished_runs(const fs::path& place) {
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) {
    if (fs::exists(place / "result.json", ignored)) return {{read_result(place / "result.json")}, {}};
    if (fs::exists(place / "results.csv", ignored)) return read_table(place / "results.csv");
    throw InputError(
        fmt::format("{} has neither result.json nor results.csv, expected finished runs", place.string()));
  }
  if (place.extension() == ".json") return {{read_result(place)}, {}};
  return read_table(place);
}

}  // namespace polystep
