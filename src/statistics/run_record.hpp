// One finished run in a line: what was trained how, what it came to and what it took.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace polystep {

struct RunRecord {
  std::string problem;
  std::string setting;      // as the task names it: "degree=8"
  std::string fingerprint;  // of a task file and what it names; empty where there is none or it is not known
  std::string method;
  std::string preset;
  std::uint64_t seed = 0;
  double test_regret = 0;
  double validation_cost = 0;
  double test_cost = 0;
  std::optional<double> prediction_error;  // as in TrainingResult
  std::optional<double> test_infeasible;
  std::optional<double> test_changed;
  std::optional<double> test_failed;         // share of test rows without a decision
  std::optional<double> reference_failed;    // share of test rows without a reference, left out of regret
  std::optional<double> conditional_regret;  // of test decisions that were feasible
  std::optional<double> batch_infeasible;    // the three figures as means over batches, as in BatchFigures
  std::optional<double> batch_conditional_regret;
  std::optional<double> batch_regret;
  std::optional<double> fresh_infeasible;  // the same figures on fresh rows, where these were measured
  std::optional<double> fresh_conditional_regret;
  std::optional<double> fresh_regret;
  std::optional<double> prediction_deviation;  // on test rows, as in TrainingResult
  std::uint64_t steps = 0;
  std::string stopped_by;
  std::uint64_t solves_requested = 0;  // in all, testing included
  std::uint64_t solves_performed = 0;
  std::uint64_t solves_certified = 0;
  std::uint64_t solves_failed = 0;
  std::uint64_t reference_solves = 0;  // optimal decisions, to learn from or to measure regret
  std::uint64_t training_solves = 0;   // decisions that the method's own steps asked for
  double seconds_train = 0;
  double core_seconds_train = 0;
  double seconds_total = 0;
};

// The larger share of test rows that failed, decisions or references. A result that does not say which of its
// solves failed counts as all of them.
inline double failed_share(const RunRecord& run) {
  const double unsaid = run.solves_failed == 0 ? 0 : 1;
  return std::max(run.test_failed.value_or(unsaid), run.reference_failed.value_or(unsaid));
}

// Up to this share, regrets of two runs are over nearly the same rows. Above it they are not compared.
constexpr double kMostFailed = 0.01;

inline bool can_be_judged(const RunRecord& run) { return failed_share(run) <= kMostFailed; }

}  // namespace polystep
