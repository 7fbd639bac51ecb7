// Gradient training as the published baselines do it: mini-batches in stored order, Adam, an L1 penalty where
// the benchmark has one, a rate lowered when validation regret stalls, and the parameters of the last epoch.
// Published districting deals its rows afresh every epoch and lowers the rate by the epoch; weight decay is a
// remedy of ours for it.
//
// Each with a switch, off by default, what preset `best` of polystepor has besides its way of learning:
// prepared rows, a fitted start, and the choice of parameters by validation. With that choice, several rates
// can be tried one after the other.
//
// A method supplies only its loss: the gradient with respect to the predictions of one mini-batch.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/gradient/batch_predictions.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"

namespace polystep {

struct Minibatch {
  std::size_t update = 0;               // number of this update, from 0
  std::span<const std::size_t> rows;    // of the training split
  std::span<const double> predictions;  // [rows × outputs], where each row lies as `layout` says
  const RowLayout& layout;
  const Split& training;  // whose rows these are, as the learner prepared them

  std::span<const double> prediction(std::size_t i) const { return layout.row(predictions, i); }
};

class BatchLoss {
 public:
  virtual ~BatchLoss() = default;

  // Writes the gradient of the batch loss with respect to the predictions, laid out like them, and reports
  // its solves.
  virtual void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) = 0;

  // What must be solved before the first step, such as reference decisions; counted in `references`.
  virtual void prepare(Preparation& preparation, SolveCounts& references) {
    (void)preparation, (void)references;
  }

  // State beyond the constructor's, such as a cache of decisions.
  virtual void save(ArchiveWriter& archive) const { (void)archive; }
  virtual void load(ArchiveReader& archive) { (void)archive; }
};

// Adds the options of the learner below.
void add_gradient_options(OptionTable& table);

// The rows that the options of a gradient method ask for: standardise, instance-weights.
PreparedData prepare_gradient_data(const Task& task, const Options& options);

class GradientLearner final : public Learner {
 public:
  GradientLearner(const LearnerContext& context, std::unique_ptr<BatchLoss> loss);

  void prepare(Preparation& preparation) override;
  TrainingPlan plan() const override;
  LearnerReport step() override;
  void observe(const ValidationReport& validation) override;
  std::span<const double> parameters() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  std::size_t updates_per_epoch() const;
  void begin_next_rate();
  void take_rows();  // of this update
  double current_rate() const;

  Evaluator& evaluator_;
  const Task& task_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::unique_ptr<BatchLoss> loss_;
  std::size_t epochs_;
  std::size_t batch_;
  double l1_;
  double decay_;
  std::size_t rates_;  // trainings from the same start, each at a lower rate
  bool keep_best_;
  SolveCounts reference_solves_;        // reported with the first step
  SolveCounts setup_solves_;            // likewise
  std::uint64_t update_ = 0;            // of all trainings together
  std::vector<double> start_;           // [parameters]
  std::vector<double> theta_;           // [parameters], for prepared rows
  mutable std::vector<double> folded_;  // [parameters], for the data's own features and units, when asked for
  mutable bool stale_ = true;           // theta_ has moved since
  Adam adam_;
  PlateauSchedule schedule_;
  std::vector<std::size_t> rows_;
  BatchPredictions batch_rows_;
  std::vector<double> prediction_gradient_;  // [rows × outputs]
  std::vector<double> gradient_;             // [parameters]
};

}  // namespace polystep
