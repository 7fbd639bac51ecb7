#include "runtime/bench/benchmark_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "polystep/error.hpp"
#include "statistics/published_results.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor bench";
constexpr const char* kSubject = "polystepor";  // shown with its default preset too, which was not published

struct SuiteContents {
  const char* kind;  // of its problems, in messages
  const std::vector<PublishedProblem>& problems;
  const std::vector<std::string>& methods;
  std::uint64_t seeds;
};

SuiteContents contents_of(Suite suite) {
  if (suite == Suite::kClassical) return {"classical problem", published_problems(), published_methods(), 10};
  return {"problem with predicted constraints", constraint_problems(), constraint_methods(), 15};
}
constexpr std::size_t kMostSeeds = 100000;  // a slip of the finger, not a benchmark

struct MethodChoice {
  const MethodEntry* method;
  std::string preset;
};

// The problems of the suite that this program has.
std::vector<const PublishedProblem*> chosen_problems(const ProblemRegistry& problems,
                                                     const GridRequest& request) {
  const SuiteContents suite = contents_of(request.suite);
  const std::vector<std::string>& names = request.problems;
  std::vector<const PublishedProblem*> present;
  std::vector<std::string> present_names;
  for (const PublishedProblem& problem : suite.problems)
    for (const ProblemEntry& entry : problems.entries())
      if (entry.name == problem.name) {
        present.push_back(&problem);
        present_names.push_back(problem.name);
      }
  for (const std::string& name : names)
    if (std::find(present_names.begin(), present_names.end(), name) == present_names.end())
      throw_unknown_name(std::string(kWhere) + " --problems", suite.kind, name, present_names);
  if (!names.empty())
    std::erase_if(present, [&](const PublishedProblem* problem) {
      return std::find(names.begin(), names.end(), problem->name) == names.end();
    });
  return present;
}

std::vector<MethodChoice> chosen_methods(const GridRequest& request) {
  const std::string where = std::string(kWhere) + " --methods";
  std::vector<std::string> names = request.methods;
  if (names.empty()) {
    names = contents_of(request.suite).methods;
    names.push_back(fmt::format("{}:{}", kSubject, find_method(kSubject, where).presets.front().name));
  }
  std::vector<MethodChoice> choices;
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& name : names) {
    const std::size_t colon = name.find(':');
    const MethodEntry& method = find_method(name.substr(0, colon), where);
    const std::string preset = colon == std::string::npos ? request.preset : name.substr(colon + 1);
    method.preset(preset, colon == std::string::npos ? std::string(kWhere) + " --preset" : where);
    if (seen.emplace(method.name, preset).second) choices.push_back({&method, preset});
  }
  return choices;
}

// The options that this problem and method have; the others are meant for the rest of the grid.
std::vector<GivenOption> applicable(const std::vector<GivenOption>& given, const ProblemEntry& problem,
                                    const MethodEntry& method) {
  std::vector<GivenOption> options;
  for (const GivenOption& option : given)
    if (problem.options.find(option.key) != nullptr || method.options.find(option.key) != nullptr)
      options.push_back(option);
  return options;
}

void require_use(const std::vector<GivenOption>& given, const ProblemRegistry& problems,
                 const std::vector<const PublishedProblem*>& chosen,
                 const std::vector<MethodChoice>& methods) {
  std::vector<std::string> names;
  for (const PublishedProblem* problem : chosen)
    for (const OptionSpec& spec : problems.find(problem->name, kWhere).options.specs())
      names.push_back(spec.name);
  for (const MethodChoice& choice : methods)
    for (const OptionSpec& spec : choice.method->options.specs()) names.push_back(spec.name);
  for (const GivenOption& option : given)
    if (std::find(names.begin(), names.end(), option.key) == names.end())
      throw_unknown_name(option.where, "option of these problems and methods", option.key, names);
}

std::vector<std::string> settings_of(const PublishedProblem& problem, const std::vector<GivenOption>& given) {
  std::vector<std::string> settings = problem.settings;
  for (const GivenOption& option : given)
    if (option.key == problem.option) settings = {option.text};
  return settings;
}

// A preset with other options is another row of the table and must not be mistaken for the published one.
std::string recorded_preset(const std::string& preset, const std::vector<GivenOption>& given,
                            const MethodEntry& method) {
  std::string name = preset;
  for (const GivenOption& option : given)
    if (method.options.find(option.key) != nullptr) name += fmt::format(" {}={}", option.key, option.text);
  return name;
}

// Whether a row repeats runs that saw other data than polystepor's: a published preset of a baseline, or the
// same with the right sign. Rows with help are to be compared with preset best and see what it sees, and no
// test row.
bool has_own_task(const PublishedProblem& problem, const MethodChoice& choice) {
  const bool repeats = choice.preset == "paper" || choice.preset == "corrected";
  return !problem.baseline_protocol.empty() && choice.method->facts.baseline && repeats;
}

GridCell make_cell(const ProblemRegistry& problems, const GridRequest& request,
                   const PublishedProblem& problem, const std::string& setting, const MethodChoice& choice,
                   std::uint64_t seed) {
  RunConfig config;
  config.problem = problem.name;
  config.method = choice.method->name;
  config.preset = choice.preset;
  config.seed = seed;
  config.data = request.data;
  std::vector<GivenOption> given =
      applicable(request.given, problems.find(problem.name, kWhere), *choice.method);
  std::erase_if(given, [&](const GivenOption& option) { return option.key == problem.option; });
  const std::string preset = recorded_preset(choice.preset, given, *choice.method);
  const auto follow = [&](const std::vector<std::pair<std::string, std::string>>& protocol) {
    for (const auto& [key, value] : protocol)
      if (std::none_of(given.begin(), given.end(),
                       [&](const GivenOption& option) { return option.key == key; }))
        given.push_back({key, value, kWhere});
  };
  follow(problem.protocol);
  if (has_own_task(problem, choice)) follow(problem.baseline_protocol);
  given.push_back({problem.option, setting, "--set"});
  if (const std::size_t equals = problem.fixed.find('='); equals != std::string::npos)
    given.push_back({problem.fixed.substr(0, equals), problem.fixed.substr(equals + 1), "--set"});
  return {resolve_run(problems, config, kWhere, given), problem.setting(setting), preset};
}

// CombOptNet has no published run on the knapsack with unknown capacity, and cannot have one.
bool was_published(const PublishedProblem& problem, const MethodEntry& method) {
  return published_result(problem.name, problem.setting(problem.settings.front()), method.name).has_value();
}

// Of the benchmark's own methods only those that were published for the problem. Where constraints are
// predicted, a method asked for by name is left out too, beside other problems; alone, its refusal is the
// answer.
bool is_left_out(const PublishedProblem& problem, const MethodEntry& method, const GridRequest& request,
                 std::size_t problems) {
  const bool beside_others = request.suite == Suite::kConstraint && problems > 1;
  const std::vector<std::string>& methods = contents_of(request.suite).methods;
  const bool of_the_suite = std::find(methods.begin(), methods.end(), method.name) != methods.end();
  return of_the_suite && (request.methods.empty() || beside_others) && !was_published(problem, method);
}

std::uint64_t parse_seed(std::string_view text, std::string_view whole, const std::string& where) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || stop != end)
    throw InputError(fmt::format("{}: found '{}', expected seeds such as 0-9 or 0,3,5-7", where, whole));
  return seed;
}

}  // namespace

std::vector<GridCell> benchmark_grid(const ProblemRegistry& problems, const GridRequest& request) {
  const std::vector<const PublishedProblem*> chosen = chosen_problems(problems, request);
  const std::vector<MethodChoice> methods = chosen_methods(request);
  require_use(request.given, problems, chosen, methods);
  std::vector<std::uint64_t> seeds = request.seeds;
  if (seeds.empty())
    for (std::uint64_t seed = 0; seed < contents_of(request.suite).seeds; ++seed) seeds.push_back(seed);
  std::vector<GridCell> cells;
  std::size_t task = 0;
  for (const PublishedProblem* problem : chosen)
    for (const std::string& setting : settings_of(*problem, request.given))
      for (const std::uint64_t seed : seeds)
        for (const bool as_baseline : {false, true}) {  // baselines may see another task than polystepor
          const std::size_t before = cells.size();
          for (const MethodChoice& choice : methods) {
            if (has_own_task(*problem, choice) != as_baseline) continue;
            if (is_left_out(*problem, *choice.method, request, chosen.size())) continue;
            cells.push_back(make_cell(problems, request, *problem, setting, choice, seed));
            cells.back().task = task;
          }
          if (cells.size() > before) ++task;
        }
  return cells;
}

std::vector<std::string> parse_names(std::string_view text, const std::string& where) {
  std::vector<std::string> names;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    names.emplace_back(text.substr(0, comma));
    if (names.back().empty())
      throw InputError(fmt::format("{}: found an empty name, expected names separated by commas", where));
    if (more) text.remove_prefix(comma + 1);
  }
  return names;
}

std::vector<std::uint64_t> parse_seeds(std::string_view text, const std::string& where) {
  std::set<std::uint64_t> seeds;
  for (const std::string& part : parse_names(text, where)) {
    const std::size_t dash = part.find('-');
    const std::uint64_t first = parse_seed(std::string_view(part).substr(0, dash), text, where);
    const std::uint64_t last =
        dash == std::string::npos ? first : parse_seed(std::string_view(part).substr(dash + 1), text, where);
    if (last < first || last - first >= kMostSeeds)
      throw InputError(fmt::format("{}: found '{}', expected a range of 1 to {} ascending seeds", where, part,
                                   kMostSeeds));
    for (std::uint64_t offset = 0; offset <= last - first; ++offset) seeds.insert(first + offset);
  }
  return {seeds.begin(), seeds.end()};
}

}  // namespace polystep
