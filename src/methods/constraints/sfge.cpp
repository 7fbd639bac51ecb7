#include "methods/constraints/sfge.hpp"

#include <algorithm>
#include <cmath>

#include "methods/gradient/epoch_learner.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kVarianceFloor = 1e-8;

class ScoreFunction final : public EpochLoss {
 public:
  explicit ScoreFunction(const LearnerContext& context)
      : evaluator_(context.evaluator),
        task_(context.evaluator.task()),
        units_(output_units(task_)),
        seed_(context.seed) {}

  const Predictor& predictor() const override { return *task_.predictor; }
  std::size_t own_parameters() const override { return task_.predictor->outputs(); }  // log variances

  void prepare(Preparation& preparation, SolveCounts& references) override {
    const Found& found = preparation.part("reference costs of training rows", [&]() -> Found {
      Evaluation optimal = evaluator_.optimal(TiledRows(task_.data.training));
      return {std::move(optimal.costs), optimal.solves};
    });
    optimal_ = found.numbers;
    references += found.solves;
  }

  void gradient(const Minibatch& batch, const TiledRows& rows, std::span<const double> log_variance,
                std::span<double> prediction_gradient, std::span<double> own_gradient,
                LearnerReport& report) override {
    const std::size_t outputs = task_.predictor->outputs();
    sample(batch, log_variance);
    const Evaluation evaluation = evaluator_.decide(samples_, rows);
    report.solves += evaluation.solves;
    const std::vector<double> score = standardised_regrets(batch, evaluation.costs, report);
    const auto count = static_cast<double>(batch.rows.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      for (std::size_t o = 0; o < outputs; ++o) {
        const double noise = noise_[i * outputs + o];  // (z - m) exp(-t / 2)
        prediction_gradient[i * outputs + o] =
            score[i] * noise * std::exp(-log_variance[o] / 2) / count / units_.deviation_of(o);
        own_gradient[o] += score[i] * (noise * noise - 1) / (2 * count);
      }
  }

 private:
  void sample(const Minibatch& batch, std::span<const double> log_variance) {
    const std::size_t outputs = log_variance.size();
    noise_.resize(batch.rows.size() * outputs);
    samples_.resize(noise_.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      RandomStream stream(seed_, Purpose::kPerturbation, batch.update, i);
      for (std::size_t o = 0; o < outputs; ++o) {
        const std::size_t k = i * outputs + o;
        noise_[k] = stream.normal();
        samples_[k] =
            batch.prediction(i)[o] + std::exp(log_variance[o] / 2) * noise_[k] * units_.deviation_of(o);
      }
    }
  }

  std::vector<double> standardised_regrets(const Minibatch& batch, const std::vector<double>& costs,
                                           LearnerReport& report) {
    std::vector<double> regrets(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i) regrets[i] = costs[i] - optimal_[batch.rows[i]];
    const auto count = static_cast<double>(std::ranges::count_if(regrets, has_reference));
    double mean = 0, variance = 0;
    for (const double regret : regrets)
      if (has_reference(regret)) mean += regret / count;
    for (const double regret : regrets)
      if (has_reference(regret)) variance += (regret - mean) * (regret - mean) / count;
    report.figures.emplace_back("mean_regret", mean);
    for (double& regret : regrets)
      regret = has_reference(regret) ? (regret - mean) / std::sqrt(variance + kVarianceFloor) : 0.0;
    return regrets;
  }

  // A row without a reference has no regret, and so no say in the gradient.
  static bool has_reference(double regret) { return !std::isnan(regret); }

  Evaluator& evaluator_;
  const Task& task_;
  OutputScaling units_;
  std::uint64_t seed_;
  std::vector<double> optimal_;  // [training rows], of true parameters; not a number: no reference
  std::vector<double> noise_;    // [rows × outputs], standard normal
  std::vector<double> samples_;  // [rows × outputs], predictions that are decided
};

}  // namespace

MethodEntry sfge_method() {
  MethodEntry entry;
  entry.name = "sfge";
  entry.help = "score function gradient: learns from the regret of decisions for sampled predictions";
  add_epoch_options(entry);
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<ScoreFunction>(context), EpochSettings{});
  };
  return entry;
}

}  // namespace polystep
