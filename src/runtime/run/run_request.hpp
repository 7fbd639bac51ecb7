// What a run is: problem, method and every option resolved, from defaults, preset, configuration file and
// flags.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "polystep/method.hpp"
#include "polystep/task.hpp"
#include "runtime/plan/budget.hpp"
#include "runtime/run/config_file.hpp"

namespace polystep {

// The method where neither a configuration nor a flag names one. It goes by facts: a problem that optimises
// what is predicted and says what one would predict without learning is better served from there, by probes
// of predictions.
std::string default_method(const ProblemEntry& problem);

// One setting given on the command line, and how ("--degree", "--set") for error messages.
struct GivenOption {
  std::string key;
  std::string text;
  std::string where;
};

// What was expected of a run before it started, to be compared with what it took.
struct RunForecast {
  double solves = 0;   // requested, in all
  double seconds = 0;  // from reading the data to the last figure
};

// What was chosen by timed solves where the options left it open, see runtime/plan/fidelity.hpp.
struct ChosenFidelity {
  std::string reason;        // for a person
  double seconds = 0;        // that a solve took; 0: next to nothing
  double learning_unit = 0;  // see SolveTiming, where it was found out; not stored
};

struct RunRequest {
  const ProblemEntry* problem = nullptr;
  const MethodEntry* method = nullptr;
  std::string preset;
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  std::optional<double> max_seconds;
  std::optional<std::string> data;      // as given; see data_directory.hpp for where else data are looked for
  std::optional<Budget> budget;         // still to be fitted, see run_plan.hpp
  std::string budget_where;             // "--budget", "run.toml line 3"
  std::optional<RunForecast> forecast;  // where there was a plan
  std::optional<ChosenFidelity> chosen;  // where there was a choice
  Options problem_options;
  Options method_options;
  std::set<std::string, std::less<>> given_options;  // of the method, by file or flag and not by the preset
};

// Merges, weakest first: defaults, the preset, `config`, `given`. `config_name` names in messages where a
// setting of `config` comes from that does not say so itself. Unknown names and bad values throw InputError.
RunRequest resolve_run(const ProblemRegistry& problems, const RunConfig& config,
                       const std::string& config_name, const std::vector<GivenOption>& given);

// The inverse: a configuration that resolves to the same run, every option written out.
RunConfig to_config(const RunRequest& request);

// What must agree between a run and its continuation: all of the configuration but threads, time limit,
// forecast and place of the data, none of which changes a result. Equal texts mean equal runs.
std::string identity_of(const RunRequest& request);

// Builds the task of a request: finds the data and settles options such as source = auto, which become
// explicit.
Task make_task(RunRequest& request);

}  // namespace polystep
