// The published results, to be shown beside ours: those of the five classical benchmarks and of the problems
// whose predictions enter constraints (published_constraint_results.cpp).
//
// Means and population standard deviations of test regret over seeds 0 to 9 or, with predicted constraints,
// runs 0 to 14. "Pooled" is the mean over a classical problem's settings, taken seed by seed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

inline constexpr const char* kPooled = "pooled";

struct PublishedValue {
  double mean = 0;       // in the problem's metric, not scaled
  double deviation = 0;  // population standard deviation; NaN: not published
  int decimals = 3;      // printed, after scaling
};

// A problem's grid.
struct PublishedProblem {
  std::string name;
  std::string option;                 // the option that tells its settings apart: "degree"
  std::vector<std::string> settings;  // its values: "1", "2", ...
  double scale = 1;                   // regrets are shown times this
  std::string fixed = "";             // options that all its settings share: "size=10x50"
  bool pooled = true;                 // whether a mean over its settings says something
  // Options that the published runs used where this program's defaults differ: of all methods, and of all but
  // polystepor.
  std::vector<std::pair<std::string, std::string>> protocol = {};
  std::vector<std::pair<std::string, std::string>> baseline_protocol = {};
  std::string note = {};  // what a reader of the table must know about them

  std::string setting(const std::string& value) const {  // as a task names it
    return (fixed.empty() ? "" : fixed + " ") + option + "=" + value;
  }
};

const std::vector<PublishedProblem>& published_problems();   // classical
const std::vector<PublishedProblem>& constraint_problems();  // set-cover is there once per size
const PublishedProblem* find_published_problem(const std::string& problem);  // the first; nullptr: none

// In the order of the published tables.
const std::vector<std::string>& published_methods();  // classical
const std::vector<std::string>& constraint_methods();

// The baselines among which the published tests look for the best one.
const std::vector<std::string>& published_test_baselines(const std::string& problem);

// `setting` as a task names it ("degree=8"), or kPooled.
std::optional<PublishedValue> published_result(const std::string& problem, const std::string& setting,
                                               const std::string& method);

// Published besides regret where predictions enter constraints. The published share of infeasible decisions
// counts those that recourse acted on.
struct PublishedFeasibility {
  double prediction_error = 0;
  double changed = 0;
};
std::optional<PublishedFeasibility> published_feasibility(const std::string& problem,
                                                          const std::string& setting,
                                                          const std::string& method);

// The part of published_result and published_p_value that concerns predicted constraints.
std::optional<PublishedValue> constraint_result(const std::string& problem, const std::string& setting,
                                                const std::string& method);
std::optional<double> constraint_p_value(const std::string& problem, const std::string& setting);

// Wilcoxon's p of polystepor against the best of published_test_baselines().
std::optional<double> published_p_value(const std::string& problem, const std::string& setting);

}  // namespace polystep
