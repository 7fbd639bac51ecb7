// Gradient training as the published runs with predicted constraints do it: Adam at a constant rate, whole
// epochs, validation after each, early stopping.
//
// A method supplies its loss. Besides the predictor a loss may train parameters of its own, such as
// variances.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/gradient/batch_predictions.hpp"
#include "methods/gradient/gradient_learner.hpp"
#include "polystep/method.hpp"

namespace polystep {

class EpochLoss {
 public:
  virtual ~EpochLoss() = default;

  // What is trained, asked for once all is prepared. Usually the task's predictor; a loss with units or
  // inputs of its own has its own and says, in hand_over, which parameters of the task's predictor predict
  // the same.
  virtual const Predictor& predictor() const = 0;
  virtual void hand_over(std::span<const double> theta, std::vector<double>& task_theta) const {
    task_theta.assign(theta.begin(), theta.end());
  }
  virtual std::size_t own_parameters() const { return 0; }  // trained from 0

  // Where training starts, for starting parameters as the options ask for them.
  virtual std::vector<double> adjusted_start(std::vector<double> theta) const { return theta; }

  // Where other rows than the task's training rows are trained on, such as prepared ones: these.
  virtual const Split* training() const { return nullptr; }

  // Writes the gradients of the batch loss with respect to predictions [rows × outputs] and own parameters.
  virtual void gradient(const Minibatch& batch, const TiledRows& rows, std::span<const double> own,
                        std::span<double> prediction_gradient, std::span<double> own_gradient,
                        LearnerReport& report) = 0;

  // What must be solved before the first step, counted in `references`.
  virtual void prepare(Preparation& preparation, SolveCounts& references) {
    (void)preparation, (void)references;
  }

  // The start that `start = fitted` asks for; only of losses that can find one (`fits` below).
  virtual std::vector<double> fitted(Preparation& preparation) {
    (void)preparation;
    return {};
  }

  virtual std::optional<double> selection_cost(std::span<const double> theta) {
    (void)theta;
    return std::nullopt;
  }

  // State beyond the constructor's and what was prepared, such as running means of losses.
  virtual void save(ArchiveWriter& archive) const { (void)archive; }
  virtual void load(ArchiveReader& archive) { (void)archive; }
};

struct EpochSettings {
  double least_improvement = 0;  // for patience
  bool judge_start = false;      // the start may be the best epoch
};

// How a method differs from others in what its options are unless somebody sets them.
struct EpochDefaults {
  bool fits = false;      // the loss can find a start, which `start = fitted` asks for
  bool shuffle = false;   // rows anew in every epoch
  bool keep_best = true;  // false: the last epoch's parameters are the result
  double alloy_rate = 0;  // Adam's rate where alloys are made; 0: as elsewhere
  double alloy_clip = 0;  // and the longest gradient there
};

// Adds the options rate, epochs, batch, patience, clip, shuffle, keep-best and start, with the published
// values as defaults, the axes to tune, and the preset `paper`, which is these defaults but for benchmarks
// with settings of their own.
void add_epoch_options(MethodEntry& entry, const EpochDefaults& defaults = {});

// What `paper` sets: nothing, or what is published for knapsacks with several resources and for alloys.
OptionValues published_epoch_values(const PresetContext& context, const EpochDefaults& defaults);
bool of_published_knapsacks(const PresetContext& context);
bool of_published_alloys(const PresetContext& context);
bool predicts_weights(const PresetContext& context);  // of that benchmark; else capacities

class EpochLearner final : public Learner {
 public:
  EpochLearner(const LearnerContext& context, std::unique_ptr<EpochLoss> loss, const EpochSettings& settings);

  void prepare(Preparation& preparation) override;
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override;
  std::optional<double> selection_cost() override { return loss_->selection_cost(predictor_theta()); }
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  std::size_t batches() const;
  const Split& training() const;
  void take_batch();
  std::span<const double> predictor_theta() const { return std::span(theta_).first(predictor_parameters_); }

  const Task& task_;
  std::unique_ptr<EpochLoss> loss_;
  EpochSettings settings_;
  std::uint64_t seed_;
  double rate_;
  double clip_;  // the longest gradient; 0: any
  std::size_t epochs_, batch_, patience_;
  bool shuffle_, keep_best_;
  SolveCounts reference_solves_;  // reported with the first step
  std::uint64_t update_ = 0;
  std::size_t predictor_parameters_ = 0;
  std::string start_;
  std::vector<double> theta_;               // of the trained predictor, then the loss's own
  mutable std::vector<double> task_theta_;  // handed over when somebody looks: networks may be large
  mutable bool stale_ = true;
  Adam adam_{0};
  std::vector<std::size_t> order_;  // [training rows], of the current epoch where rows are shuffled
  std::uint64_t shuffled_epoch_ = 0;
  std::vector<std::size_t> rows_;
  std::unique_ptr<BatchPredictions> batch_rows_;
  std::vector<double> prediction_gradient_;  // [rows × outputs]
  std::vector<double> gradient_;             // [theta]
};

// The units in which losses see outputs: the predictor's own, or mean and deviation of the training rows.
OutputScaling output_units(const Predictor& predictor, const Split& training);

}  // namespace polystep
