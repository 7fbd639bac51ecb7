#include "runtime/bench/alloy_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polystep/error.hpp"
#include "statistics/published_alloy.hpp"

namespace polystep {
namespace {

constexpr const char* kAlloyWhere = "polystepor bench alloy";
constexpr const char* kAlloyProblem = "alloy";

// Shares of infeasible purchases that preset best is held to, for its frontier beside the ladder of odece.
constexpr const char* kLimits[] = {"0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"};

// A row of the table: "odece:paper alpha=0.2" is method odece with preset paper and an option of its own.
struct AlloyMethod {
  const MethodEntry* method = nullptr;
  std::string preset;
  std::vector<GivenOption> options;

  std::string recorded() const {
    std::string name = preset;
    for (const GivenOption& option : options) name += fmt::format(" {}={}", option.key, option.text);
    return name;
  }
};

AlloyMethod parse_alloy_method(const std::string& text, const std::string& preset) {
  const std::string where = std::string(kAlloyWhere) + " --methods";
  AlloyMethod row;
  std::size_t end = std::min(text.find(' '), text.size());
  const std::string name = text.substr(0, end);
  const std::size_t colon = name.find(':');
  row.method = &find_method(name.substr(0, colon), where);
  row.preset = colon == std::string::npos ? preset : name.substr(colon + 1);
  row.method->preset(row.preset, where);
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(' ', begin), text.size());
    const std::string assignment = text.substr(begin, end - begin);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw InputError(fmt::format("{}: found '{}', expected key=value after a method", where, assignment));
    row.options.push_back({assignment.substr(0, equals), assignment.substr(equals + 1), where});
  }
  return row;
}

bool is_known(const std::string& method) {
  return std::ranges::any_of(methods(), [&](const MethodEntry& entry) { return entry.name == method; });
}

// The published rows that this program has the method of, every preset of its own for these and for the
// methods that steer by realised costs, and the frontier of preset best.
std::vector<std::string> usual_alloy_methods() {
  std::vector<std::string> names, variants;
  for (const PublishedAlloy& row : published_alloy_results()) {
    if (!is_known(row.method)) continue;
    const std::string name = fmt::format("{}:{}", row.method, row.preset);
    const MethodEntry& method = find_method(row.method, kAlloyWhere);
    const std::size_t option = row.preset.find(' ');
    const std::string preset = row.preset.substr(0, option);
    const bool has_preset =
        std::ranges::any_of(method.presets, [&](const Preset& own) { return own.name == preset; });
    const bool has_option =
        option == std::string::npos ||
        method.options.find(row.preset.substr(option + 1, row.preset.find('=') - option - 1)) != nullptr;
    if (has_preset && has_option) names.push_back(name);
    if (option == std::string::npos || !has_option) continue;
    for (const Preset& own : method.presets)  // the same ladder as the text has it, and on fewer inputs
      if (own.name != preset)
        variants.push_back(fmt::format("{}:{}{}", row.method, own.name, row.preset.substr(option)));
  }
  for (const auto& [method, preset] : {std::pair("mse", "tuned"),
                                       {"polystepor", "paper-constant"},
                                       {"polystepor", "best"},
                                       {"polystepor-output", "costs"}})
    for (const Preset& own : find_method(method, kAlloyWhere).presets)
      if (own.name == preset) names.push_back(fmt::format("{}:{}", method, preset));
  names.insert(names.end(), variants.begin(), variants.end());
  if (is_known("polystepor"))
    for (const char* limit : kLimits)
      names.push_back(fmt::format("polystepor:best max-infeasibility={}", limit));
  return names;
}

}  // namespace

std::vector<GridCell> alloy_grid(const ProblemRegistry& problems, const GridRequest& request) {
  const ProblemEntry& problem = problems.find(kAlloyProblem, kAlloyWhere);
  std::vector<std::string> profiles = problem.options.find("profile")->choices;
  for (const GivenOption& option : request.given) {
    if (option.key == "profile") profiles = {option.text};
    if (option.key == "source" && option.text == "published") profiles = {""};  // files have no profile
  }
  std::vector<AlloyMethod> rows;
  for (const std::string& text : request.methods.empty() ? usual_alloy_methods() : request.methods)
    rows.push_back(parse_alloy_method(text, request.preset));
  std::vector<std::uint64_t> seeds = request.seeds;
  if (seeds.empty()) seeds = {11, 12, 13, 14, 15};
  std::vector<GridCell> cells;
  std::size_t task = 0;
  for (const std::string& profile : profiles)
    for (const std::uint64_t seed : seeds) {
      for (const AlloyMethod& row : rows) {
        RunConfig config;
        config.problem = kAlloyProblem;
        config.method = row.method->name;
        config.preset = row.preset;
        config.seed = seed;
        config.data = request.data;
        std::vector<GivenOption> given = row.options;
        for (const GivenOption& option : request.given)
          if (option.key != "profile" && (problem.options.find(option.key) != nullptr ||
                                          row.method->options.find(option.key) != nullptr))
            given.push_back(option);
        if (!profile.empty()) given.push_back({"profile", profile, "--set"});
        AlloyMethod recorded = row;
        for (const GivenOption& option : request.given)
          if (row.method->options.find(option.key) != nullptr) recorded.options.push_back(option);
        cells.push_back({resolve_run(problems, config, kAlloyWhere, given),
                         profile.empty() ? "published" : "profile=" + profile, recorded.recorded(), task,
                         request.fresh});
      }
      ++task;
    }
  return cells;
}

}  // namespace polystep
