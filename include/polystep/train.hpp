// Trains a task's predictor in memory: the library's front door.
//
//   Task task = builtin_problems().find("knapsack", "").make(options, context);
//   TrainingResult result = train(task, find_method("polystepor", ""), method_options, {.seed = 1});
//
// For run directories, checkpoints and resuming, see the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polystep/method.hpp"
#include "polystep/task.hpp"

namespace polystep {

struct TrainingSettings {
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  Team* team = nullptr;    // who computes, instead of threads of its own
  double max_seconds = 0;  // stop after this much training time; 0: no limit
  // Called after every step with steps done and budget; return false to stop.
  std::function<bool(std::size_t step, std::size_t steps)> on_step = {};
};

// Infeasibility and regret as the published runs on alloys report them: means over batches of 64 test rows in
// order, then the plain mean of these. A row without a decision has no part in the first two, and adds its
// optimal cost times its surcharge, undivided, to the third.
struct BatchFigures {
  std::optional<double> infeasible;          // nothing where no row has a decision
  std::optional<double> conditional_regret;  // of feasible decisions; nothing where there is none
  double regret = 0;                         // after recourse
};

struct TrainingResult {
  std::vector<double> parameters;  // of the trained predictor
  std::size_t steps = 0;
  std::string stopped_by;  // "budget", "patience", "time", "interrupt"
  double validation_cost = 0;
  double test_cost = 0;
  double test_regret = 0;                  // in the task's metric, over test rows that have a reference
  double test_failed = 0;                  // share of test rows without a decision
  std::size_t test_rows = 0;               // that were decided; fewer than there are where time ran out
  bool is_start = false;                   // training was not kept: the parameters are those it started from
  std::optional<double> reference_failed;  // share of test rows without a reference; where regret is measured
  // Training and validation rows whose reference the method asked for in vain; it learned nothing from them.
  std::uint64_t rows_without_reference = 0;
  std::optional<double> prediction_error;  // mean squared on test rows, where data have a truth per output
  double prediction_deviation = 0;  // of predictions for test rows from their mean over rows and outputs
  std::optional<double> test_infeasible;  // share of test decisions infeasible in reality, before recourse;
                                          // where the problem has recourse
  std::optional<double> validation_infeasible;  // the same of validation rows
  std::optional<double> test_changed;           // share of test decisions that recourse acted on
  std::optional<double> conditional_regret;   // mean over test decisions that were feasible before recourse;
                                              // nothing where none was
  std::optional<BatchFigures> batch_figures;  // where the problem has recourse with surcharges
  double failure_cost = 0;
  SolveCounts solves;           // everything asked for
  SolveCounts setup_solves;     // to find the failure cost
  SolveCounts training_solves;  // by the method's own steps
  SolveCounts validation_solves;
  SolveCounts reference_solves;
  SolveCounts test_solves;
  // What happened to a solver outside the program, see solver_monitor.hpp.
  std::vector<std::pair<std::string, std::uint64_t>> solver_events;
  double train_seconds = 0;
  double train_core_seconds = 0;  // processor time of all threads
  double evaluate_seconds = 0;
  std::vector<std::string> notes;  // what a user should know about this run
};

// Throws InputError where nothing was solved: no training row by the untrained predictor, no test row, or no
// reference where regret is to be measured.
TrainingResult train(const Task& task, const MethodEntry& method, const Options& options,
                     const TrainingSettings& settings = {});

}  // namespace polystep
