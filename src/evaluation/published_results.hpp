// The published results of the five classical benchmarks, to be shown beside ours.
//
// Means and population standard deviations of test regret over seeds 0 to 9. "Pooled" is the mean over a
// problem's settings, taken seed by seed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

inline constexpr const char* kPooled = "pooled";

struct PublishedValue {
  double mean = 0;       // in the problem's metric, not scaled
  double deviation = 0;  // population standard deviation
  int decimals = 3;      // printed, after scaling
};

// A problem's grid.
struct PublishedProblem {
  std::string name;
  std::string option;                 // the option that tells its settings apart: "degree"
  std::vector<std::string> settings;  // its values: "1", "2", ...
  double scale = 1;                   // regrets are shown times this
  // Options that the published runs used where this program's defaults differ: of all methods, and of all but
  // polystepor.
  std::vector<std::pair<std::string, std::string>> protocol = {};
  std::vector<std::pair<std::string, std::string>> baseline_protocol = {};
  std::string note = {};  // what a reader of the table must know about them
};

const std::vector<PublishedProblem>& published_problems();
const PublishedProblem* find_published_problem(const std::string& problem);  // nullptr: not published

// In the order of the published tables.
const std::vector<std::string>& published_methods();

// The baselines among which the published tests look for the best one.
const std::vector<std::string>& published_test_baselines();

// `setting` as a task names it ("degree=8"), or kPooled.
std::optional<PublishedValue> published_result(const std::string& problem, const std::string& setting,
                                               const std::string& method);

// Wilcoxon's p of polystepor against the best of published_test_baselines().
std::optional<double> published_p_value(const std::string& problem, const std::string& setting);

}  // namespace polystep
