// Drives a learner: validates about as often as its plan says, stops early, keeps the best parameters, counts
// solves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/method.hpp"

namespace polystep {

// Solver calls by what they were for.
struct SolveLedger {
  SolveCounts training;    // probes and whatever else the method's steps ask for
  SolveCounts validation;  // including the start
  SolveCounts reference;   // optimal decisions, only where a method needs them
};

struct LoopEvent {
  std::size_t step = 0;  // steps taken so far
  LearnerReport report;
  std::optional<ValidationReport> validation;  // where one was due
  bool improved = false;
};

class TrainingLoop {
 public:
  TrainingLoop(Learner& learner, Evaluator& evaluator);

  const TrainingPlan& plan() const { return plan_; }

  // What validations need besides the learner. Called once, before anything else.
  void prepare(Preparation& preparation);

  // Validates the starting point. Called once, unless a saved state is loaded instead.
  LoopEvent start();
  LoopEvent advance();  // one step, then a validation if one is due

  bool finished() const { return !stopped_by_.empty(); }
  const std::string& stopped_by() const { return stopped_by_; }  // "budget", "patience"; empty while running

  std::size_t step() const { return step_; }
  double best_validation_cost() const { return best_cost_; }
  // The parameters handed over are those that training started from.
  bool result_is_start() const;
  double result_validation_cost() const { return plan_.keep_best ? best_cost_ : last_cost_; }
  std::vector<double> result() const;  // the parameters this training would hand over now
  const SolveLedger& ledger() const { return ledger_; }
  // Rows that the learner asked a reference for in vain. It asks once, so the most of any step is all of
  // them, also where a resumed run has to ask again.
  std::uint64_t rows_without_reference() const { return rows_without_reference_; }

  // Mean flip rate of the latest steps, for methods that have one, and whether it is too low to learn from.
  std::optional<double> recent_flip_rate() const;
  bool at_standstill() const;

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  ValidationReport validate();
  bool consider(const ValidationReport& validation);  // true if it is the best so far

  Learner& learner_;
  Evaluator& evaluator_;
  TrainingPlan plan_;
  TiledRows validation_rows_;
  std::vector<double> validation_optimal_;  // only if the plan wants regret; see Evaluator::optimal
  std::size_t step_ = 0;
  std::size_t checks_without_improvement_ = 0;
  std::vector<double> best_parameters_;
  std::size_t best_step_ = 0;      // that best_parameters_ are of
  double best_cost_ = 0;           // validation cost of best_parameters_
  double best_selection_ = 0;      // what they were chosen by
  double patience_selection_ = 0;  // the last one that counted as an improvement
  double last_cost_ = 0;
  std::string stopped_by_;
  SolveLedger ledger_;
  std::uint64_t rows_without_reference_ = 0;
  std::vector<double> flip_rates_;  // the last few
};

}  // namespace polystep
