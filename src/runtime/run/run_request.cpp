#include "runtime/run/run_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/data_directory.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

std::vector<std::string> option_names(const OptionTable& table) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : table.specs()) names.push_back(spec.name);
  return names;
}

// Says whose option a key is that neither the chosen problem nor the chosen method has.
[[noreturn]] void throw_foreign_option(const ProblemRegistry& problems, const RunRequest& request,
                                       const std::string& key, const std::string& where) {
  for (const ProblemEntry& other : problems.entries())
    if (other.options.find(key) != nullptr)
      throw InputError(fmt::format("{}: '{}' is an option of problem {}, not of {}", where, key, other.name,
                                   request.problem->name));
  for (const MethodEntry& other : methods())
    if (other.options.find(key) != nullptr)
      throw InputError(fmt::format("{}: '{}' is an option of method {}, not of {}", where, key, other.name,
                                   request.method->name));
  std::vector<std::string> names = option_names(request.problem->options);
  for (std::string& name : option_names(request.method->options)) names.push_back(std::move(name));
  throw_unknown_name(where, "option", key, names);
}

// The table the key belongs to. Problem and method tables share no names.
Options& table_of(const ProblemRegistry& problems, RunRequest& request, const std::string& key,
                  const std::string& where) {
  if (request.problem->options.find(key) != nullptr) return request.problem_options;
  if (request.method->options.find(key) != nullptr) return request.method_options;
  throw_foreign_option(problems, request, key, where);
}

void apply_sections(RunRequest& request, const RunConfig& config) {
  for (const auto& [section, entries] : config.sections) {
    if (section != request.problem->name && section != request.method->name)
      throw_unknown_name(config.section_where.at(section), "section", section,
                         {request.problem->name, request.method->name});
    Options& options = section == request.problem->name ? request.problem_options : request.method_options;
    for (const ConfigEntry& entry : entries) options.set(entry.key, entry.value, entry.where);
  }
}

void apply_problem_options(const ProblemRegistry& problems, RunRequest& request, const RunConfig& config,
                           const std::vector<GivenOption>& given) {
  apply_sections(request, config);
  for (const GivenOption& option : given)
    table_of(problems, request, option.key, option.where).set_text(option.key, option.text, option.where);
}

}  // namespace

std::string default_method(const ProblemEntry& problem) {
  const ProblemFacts facts = problem.stated_facts(Options(problem.options, problem.name));
  const bool from_prior = facts.has_prior && facts.optimises_prediction;
  const auto found = std::find_if(methods().begin(), methods().end(), [&](const MethodEntry& entry) {
    return !entry.facts.baseline && entry.facts.probes_predictions == from_prior;
  });
  return found == methods().end() ? methods().front().name : found->name;
}

RunRequest resolve_run(const ProblemRegistry& problems, const RunConfig& config,
                       const std::string& config_name, const std::vector<GivenOption>& given) {
  if (!config.problem)
    throw InputError("polystepor train: no problem was named; 'polystepor list' shows the choices");
  const auto where = [&](const std::string& key) {
    const auto found = config.key_where.find(key);
    return found == config.key_where.end() ? config_name : found->second;
  };
  const ProblemEntry& problem = problems.find(*config.problem, where("problem"));
  const MethodEntry& method = find_method(config.method.value_or(default_method(problem)), where("method"));
  RunRequest request{.problem = &problem,
                     .method = &method,
                     .preset = config.preset.value_or(method.presets.front().name),
                     .seed = config.seed.value_or(0),
                     .threads = 1,
                     .max_seconds = config.max_seconds,
                     .data = config.data,
                     .budget = {},
                     .budget_where = where("budget"),
                     .forecast = {},
                     .chosen = {},
                     .problem_options = Options(problem.options, problem.name),
                     .method_options = Options(method.options, method.name),
                     .given_options = {}};
  if (config.threads) request.threads = static_cast<std::size_t>(*config.threads);
  if (request.max_seconds && !(*request.max_seconds > 0))
    throw InputError(fmt::format("{}: option 'max-seconds' is {}, expected a number above 0",
                                 where("max-seconds"), *request.max_seconds));
  if (config.budget) request.budget = parse_budget(*config.budget, request.budget_where);
  if (config.forecast_solves && config.forecast_seconds)
    request.forecast = RunForecast{*config.forecast_solves, *config.forecast_seconds};
  if (config.chosen) request.chosen = ChosenFidelity{*config.chosen, config.solve_seconds.value_or(0), 0};
  // Presets depend on the problem's settings, so those are settled first; given values then win over the
  // preset's.
  const Preset& preset = method.preset(request.preset, where("preset"));
  apply_problem_options(problems, request, config, given);
  Options from_preset(method.options, method.name);
  for (const auto& [key, value] : preset.values(PresetContext::of(problem, request.problem_options)))
    from_preset.set(key, value, "preset " + preset.name);
  for (const OptionSpec& spec : method.options.specs())
    if (request.method_options.is_set(spec.name)) request.given_options.insert(spec.name);
  for (const OptionSpec& spec : method.options.specs())
    if (!request.method_options.is_set(spec.name) && from_preset.is_set(spec.name))
      request.method_options.set(spec.name, from_preset.value(spec.name), "preset " + preset.name);
  return request;
}

RunConfig to_config(const RunRequest& request) {
  RunConfig config;
  config.problem = request.problem->name;
  config.method = request.method->name;
  config.preset = request.preset;
  config.seed = request.seed;
  config.threads = static_cast<std::int64_t>(request.threads);
  config.data = request.data;
  config.max_seconds = request.max_seconds;
  if (request.budget) config.budget = to_text(*request.budget);
  if (request.forecast) {
    config.forecast_solves = request.forecast->solves;
    config.forecast_seconds = request.forecast->seconds;
  }
  if (request.chosen) {
    config.chosen = request.chosen->reason;
    if (request.chosen->seconds > 0) config.solve_seconds = request.chosen->seconds;
  }
  for (const auto& [name, options] : {std::pair{request.problem->name, &request.problem_options},
                                      std::pair{request.method->name, &request.method_options}})
    for (const OptionSpec& spec : options->table().specs())
      config.sections[name].push_back({spec.name, options->value(spec.name), ""});
  return config;
}

std::string identity_of(const RunRequest& request) {
  RunConfig config = to_config(request);
  config.threads.reset();
  config.max_seconds.reset();
  config.data.reset();
  config.forecast_solves.reset();
  config.forecast_seconds.reset();
  config.chosen.reset();
  config.solve_seconds.reset();
  return render_config(config);
}

Task make_task(RunRequest& request) {
  const TaskContext context{find_data_directory(request.data.value_or("")), request.seed};
  if (request.problem->settle) request.problem->settle(request.problem_options, context);
  Task task = request.problem->make(request.problem_options, context);
  // Presets were settled by what the entry states: where the problem says otherwise, they were settled
  // wrongly.
  const ProblemFacts stated = request.problem->stated_facts(request.problem_options);
  const ProblemFacts found = task.problem->facts();
  if (stated.predicts_constraints != found.predicts_constraints || stated.has_prior != found.has_prior)
    throw InputError(fmt::format(
        "problem '{}': its entry states predicts_constraints = {} and has_prior = {}, expected what "
        "the problem itself states, {} and {}, for presets go by it; see ProblemEntry::facts",
        request.problem->name, stated.predicts_constraints, stated.has_prior, found.predicts_constraints,
        found.has_prior));
  return task;
}

}  // namespace polystep
