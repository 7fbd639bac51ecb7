#include "methods/constraints/gaussian.hpp"

#include <cmath>

#include "methods/gradient/epoch_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// The published runs ask for this much, in the units of the data, whatever these are.
constexpr double kLeastImprovement = 1.0;

class GaussianLikelihood final : public EpochLoss {
 public:
  explicit GaussianLikelihood(const Task& task)
      : task_(task),
        units_(output_units(*task.predictor, task.data.training)),
        validation_(task.data.validation) {
    const Split& training = task.data.training;
    if (training.truth_columns != task.predictor->outputs())
      throw InputError("method gaussian: the data have " + std::to_string(training.truth_columns) +
                       " true parameters per row and the predictor has " +
                       std::to_string(task.predictor->outputs()) + " outputs, expected as many");
    // The published likelihood divides truth by the deviation with n in place of the predictor's n - 1.
    const auto rows = static_cast<double>(training.rows);
    for (std::size_t o = 0; o < task.predictor->outputs(); ++o) {
      const double deviation = units_.deviation_of(o);
      truth_deviation_.push_back(
          task.predictor->output_scaling() != nullptr ? deviation * std::sqrt((rows - 1) / rows) : deviation);
    }
  }

  const Predictor& predictor() const override { return *task_.predictor; }
  std::size_t own_parameters() const override { return task_.predictor->outputs(); }  // log variances

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double> log_variance,
                std::span<double> prediction_gradient, std::span<double> own_gradient,
                LearnerReport& report) override {
    const auto rows = static_cast<double>(batch.rows.size());
    const std::size_t outputs = log_variance.size();
    double loss = 0;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const auto truth = task_.data.training.truth_row(batch.rows[i]);
      for (std::size_t o = 0; o < outputs; ++o) {
        const double mean = (batch.prediction(i)[o] - units_.mean_of(o)) / units_.deviation_of(o);
        const double residual = mean - (truth[o] - units_.mean_of(o)) / truth_deviation_[o];
        const double precision = std::exp(-log_variance[o]);
        loss += (residual * residual * precision + log_variance[o] + kLogTwoPi) / 2 / rows;
        prediction_gradient[i * outputs + o] = residual * precision / rows / units_.deviation_of(o);
        own_gradient[o] += (1 - residual * residual * precision) / 2 / rows;
      }
    }
    report.figures.emplace_back("loss", loss);
  }

  std::optional<double> selection_cost(std::span<const double> theta) override {
    return mean_squared_error(task_, theta, validation_);
  }

 private:
  static constexpr double kLogTwoPi = 1.8378770664093454836;

  const Task& task_;
  OutputScaling units_;
  std::vector<double> truth_deviation_;  // [outputs]
  TiledRows validation_;
};

}  // namespace

MethodEntry gaussian_method() {
  MethodEntry entry;
  entry.name = "gaussian";
  entry.help = "normal likelihood with trained variances: predict true parameters, blind to decisions";
  add_epoch_options(entry, {.alloy_rate = 0.001});
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context,
                                          std::make_unique<GaussianLikelihood>(context.evaluator.task()),
                                          EpochSettings{.least_improvement = kLeastImprovement});
  };
  return entry;
}

}  // namespace polystep
