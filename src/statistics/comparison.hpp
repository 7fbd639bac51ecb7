// Finished runs side by side: means over seeds per method and setting, and paired tests between methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "statistics/published_results.hpp"
#include "statistics/run_record.hpp"

namespace polystep {

// Over seeds.
struct Summary {
  std::size_t runs = 0;
  double mean = 0;
  double deviation = 0;  // population standard deviation
};

// Means over runs, where predictions enter constraints.
struct FeasibilityFigures {
  double prediction_error = 0;  // mean squared
  double infeasible = 0;        // share of test decisions that broke a constraint in reality
  double changed = 0;           // share that recourse acted on
};

// One method's regret in one column of the table.
struct ComparisonCell {
  std::optional<Summary> ours;
  std::optional<PublishedValue> published;
  std::optional<FeasibilityFigures> feasibility = {};
  std::optional<PublishedFeasibility> published_feasibility = {};
  bool winner = false;  // the lowest of our means in this column
  bool judged = true;   // false: too many failed solves for a winner or a test
};

struct ComparisonRow {
  std::string method;
  std::string preset;
  std::vector<ComparisonCell> cells;  // [settings + 1]: the last is pooled, the mean over settings
  double training_solves = 0;         // mean per run
  double core_seconds = 0;            // mean per run, of training
  bool failed_solves = false;         // some run had solver calls without a decision
  double test_failed = 0;             // share of test rows without a decision, mean per run
  double reference_failed = 0;        // share of test rows without a reference, mean per run
  double most_failed = 0;             // the larger of these shares, in the run where it is largest

  std::string label() const;  // "dbb", "dbb (corrected)"
};

// The first method against the best of the others on the seeds they share.
struct ComparisonTest {
  std::string setting;  // or kPooled
  std::string method;   // labels
  std::string baseline;
  bool as_published = false;  // the baseline is the best of those the published tests look at
  std::size_t pairs = 0;
  double difference = 0;  // mean regret of method minus baseline: negative where the method is better
  double wilcoxon = 1;    // p values
  double sign_flip = 1;
  std::optional<double> published_wilcoxon;
};

struct ProblemComparison {
  std::string problem;
  double scale = 1;                   // regrets are shown times this
  bool pooled = true;                 // several settings have a column for their mean
  std::vector<std::string> settings;  // columns; kPooled follows where there are several
  std::vector<ComparisonRow> rows;
  std::vector<ComparisonTest> tests;
};

// One table per problem, in the order of the published results, then by name; so are methods. Pooled figures
// take the seeds that a method has in every setting. Tests are those of polystepor against the others; where
// only one of these sides has runs, of the lowest mean against the next. A method of which some run has more
// than kMostFailed failed rows neither wins nor is tested in that setting, and where it leaves a single other
// one, nobody wins. Where one setting stands for tasks of different fingerprints, each is a setting of its
// own, named with its fingerprint. Two runs with the same problem, setting, method, preset and seed are an
// InputError.
std::vector<ProblemComparison> compare_runs(const std::vector<RunRecord>& given);

}  // namespace polystep
