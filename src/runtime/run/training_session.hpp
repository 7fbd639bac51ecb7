// One training run in memory: the task, its threads and solvers, the learner and the loop around it.
//
// The library's train() and the command line's run directories are both thin layers over this.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/train.hpp"
#include "runtime/run/training_loop.hpp"

namespace polystep {

// How much of the test data must be decided: all of it, or what there is time for.
enum class TestExtent { kAll, kUntilStopped };

class TrainingSession {
 public:
  TrainingSession(const Task& task, const MethodEntry& method, const Options& options, std::uint64_t seed,
                  Team& team);

  // The first part of the preparation: whether the solver solves anything at all.
  void try_solver();

  // What is solved before the first step. Not after a load() that said true.
  void prepare();
  Preparation& preparation() { return preparation_; }  // to be told of its parts

  LoopEvent start();  // validates the starting point; not after a load() that said true
  LoopEvent advance();
  bool finished() const { return loop_->finished(); }
  const TrainingLoop& loop() const { return *loop_; }
  double train_seconds() const { return train_seconds_; }

  // Solver calls made so far, those that set up the run included.
  std::uint64_t solver_calls() const;

  // Test regret of the parameters this training would hand over now. Nothing here reaches the learner or its
  // counts.
  struct TestRegret {
    double regret = 0;
    double failed = 0;  // share of test rows without a decision or without a reference, whichever is larger
  };
  TestRegret test_regret_now();

  // Test figures of the parameters this training hands over. `stopped_by` is used where the loop itself has
  // not ended.
  TrainingResult finish(const std::string& stopped_by, TestExtent extent = TestExtent::kAll);

  // What is handed over where time ran out before the first step: the start, where it can be had without a
  // solve. Nothing was decided by it.
  std::optional<TrainingResult> unsolved_start() const;

  // Solver calls that steps will ask for, where the learner can tell.
  std::optional<CountedCalls> counted() const { return learner_->counted(); }
  double learning_units(std::size_t step) const { return learner_->learning_units(step); }
  double learning_unit_seconds() const { return learner_->learning_unit_seconds(); }

  // At any time, also half way through the preparation. Loading tells whether the training itself had begun;
  // where not, prepare() goes on from the parts that were found.
  void save(ArchiveWriter& archive) const;
  void save_preparation(ArchiveWriter& archive) const;  // as if training had not begun
  bool load(ArchiveReader& archive);

 private:
  template <class Work>
  LoopEvent timed(const Work& work);

  const Task& task_;
  std::uint64_t seed_;
  Preparation preparation_;
  Team& team_;
  Evaluator evaluator_;
  SolveCounts calibration_solves_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<TrainingLoop> loop_;
  double train_seconds_ = 0;
  double train_core_seconds_ = 0;
  std::optional<Evaluation> test_optimal_;  // once asked for
};

// Test cost and regret of given parameters. Throws InputError where no test row was decided and the problem
// has no charge for that, or none has a reference although the data tell them.
struct TestFigures {
  double cost = 0;
  double regret = 0;                       // not a number where data have no truth per output
  double failed = 0;                       // share of rows without a decision
  std::optional<double> reference_failed;  // share of rows without a reference; where regret is measured
  std::optional<double> prediction_error;  // mean squared, where data have a truth per output
  double prediction_deviation = 0;         // of predictions from their mean over rows and outputs
  std::optional<double> infeasible;        // share of decisions, where the problem has recourse
  std::optional<double> changed;
  std::optional<double> conditional_regret;  // of feasible decisions; nothing where there is none
  std::optional<BatchFigures> batches;       // where the problem has surcharges
  SolveCounts test_solves;
  SolveCounts reference_solves;
  std::size_t rows = 0;    // that were decided; fewer than there are where it was stopped
  std::size_t better = 0;  // rows that cost less than their reference, beyond rounding
};
TestFigures measure_test(Evaluator& evaluator, std::span<const double> parameters,
                         TestExtent extent = TestExtent::kAll);

// What a user should know about these figures: rows that there was no time for, why regret is negative.
std::vector<std::string> test_notes(const Task& task, const TestFigures& figures);

}  // namespace polystep
