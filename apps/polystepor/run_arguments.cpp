#include "run_arguments.hpp"

#include <fmt/format.h>

#include "own/own_task.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// A forecast in a configuration is of the run that it describes and of no other.
bool changes_the_run(const TrainArguments& arguments) {
  return !arguments.flags.empty() || !arguments.assignments.empty() || arguments.method || arguments.preset ||
         arguments.seed || arguments.threads || arguments.budget;
}

}  // namespace

GivenOption parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("--set: found '{}', expected key=value", text));
  return {text.substr(0, equals), text.substr(equals + 1), "--set"};
}

ExistingResults existing_results(const std::string& command, bool resume, bool force) {
  if (resume && force)
    throw InputError(fmt::format("{}: found both --resume and --force, expected one of them", command));
  if (resume) return ExistingResults::kResume;
  return force ? ExistingResults::kReplace : ExistingResults::kRefuse;
}

bool names_task_file(const std::string& problem) { return problem.ends_with(".toml"); }

std::vector<GivenOption> given_options(const TrainArguments& arguments) {
  std::vector<GivenOption> given;
  if (arguments.problem && names_task_file(*arguments.problem))
    given.push_back({"task-file", *arguments.problem, "polystepor"});
  for (const auto& [name, text] : arguments.flags) given.push_back({name, text, "--" + name});
  for (const std::string& assignment : arguments.assignments) given.push_back(parse_assignment(assignment));
  return given;
}

void refuse_empty_paths(const TrainArguments& arguments) {
  for (const auto& [flag, path] :
       {std::pair{"--out", &arguments.out}, std::pair{"--config", &arguments.config},
        std::pair{"--data", &arguments.data}})
    if (*path && (*path)->empty())
      throw InputError(fmt::format("{}: found an empty path, expected one", flag));
}

RunConfig merged_config(const TrainArguments& arguments, const std::optional<std::filesystem::path>& file,
                        const ProblemRegistry& problems) {
  RunConfig config = file ? read_config(*file) : RunConfig{};
  if (arguments.problem) {
    const std::string problem = names_task_file(*arguments.problem) ? kOwnProblem : *arguments.problem;
    if (config.problem && *config.problem != problem)
      throw InputError(
          fmt::format("polystepor train: the problem is '{}' on the command line and '{}' in {}, expected "
                      "the same",
                      problem, *config.problem, file->string()));
    config.problem = problem;
  }
  // Options of another method in the file have no meaning for the one asked for here.
  if (file && arguments.method && config.problem) {
    const auto place = config.key_where.find("problem");
    const ProblemEntry& problem =
        problems.find(*config.problem, place == config.key_where.end() ? "polystepor train" : place->second);
    const std::string method_of_file = config.method.value_or(default_method(problem));
    if (*arguments.method != method_of_file) {
      config.sections.erase(method_of_file);
      config.preset.reset();
    }
  }
  const auto override_with = [&](const std::string& key, const auto& given, auto& setting) {
    if (!given) return;
    setting = given;
    config.key_where[key] = "--" + key;
  };
  override_with("method", arguments.method, config.method);
  override_with("preset", arguments.preset, config.preset);
  override_with("seed", arguments.seed, config.seed);
  override_with("threads", arguments.threads, config.threads);
  override_with("data", arguments.data, config.data);
  override_with("max-seconds", arguments.max_seconds, config.max_seconds);
  override_with("budget", arguments.budget, config.budget);
  if (changes_the_run(arguments)) {
    config.forecast_solves.reset();
    config.forecast_seconds.reset();
    config.chosen.reset();
    config.solve_seconds.reset();
  }
  return config;
}

}  // namespace polystep
