#include "methods/constraints/sfge.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "methods/constraints/charged_task.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kVarianceFloor = 1e-8;

class ScoreFunction final : public EpochLoss {
 public:
  explicit ScoreFunction(const LearnerContext& context)
      : task_evaluator_(context.evaluator),
        task_(context.evaluator.task()),
        options_(context.options),
        seed_(context.seed),
        data_(prepare_data(task_, options_.flag("standardise"), options_.flag("instance-weights"))),
        units_(output_units(*task_.predictor, data_.training)) {}

  const Predictor& predictor() const override { return *task_.predictor; }
  std::size_t own_parameters() const override { return task_.predictor->outputs(); }  // log variances
  const Split* training() const override { return &data_.training; }
  void hand_over(std::span<const double> theta, std::vector<double>& task_theta) const override {
    task_theta = data_.fold(*task_.predictor, theta);
  }

  void prepare(Preparation& preparation, SolveCounts& references) override {
    if (wants_relative_costs(task_evaluator_, options_))
      charged_ = std::make_unique<ChargedTask>(task_evaluator_, data_, true, preparation);
    if (charged_ || options_.flag("standardise") || options_.flag("instance-weights")) {
      own_evaluator_ =
          std::make_unique<Evaluator>(charged_ ? charged_->task() : task_, task_evaluator_.team());
      setup_solves_ += prepare_failure_cost(*own_evaluator_, data_.validation, seed_, preparation);
      validation_ = TiledRows(data_.validation);
      evaluator_ = own_evaluator_.get();
    }
    if (charged_) {
      optimal_.assign(charged_->training_optima().begin(), charged_->training_optima().end());
      references += charged_->reference_solves();
      return;
    }
    const Found& found = preparation.part("reference costs of training rows", [&]() -> Found {
      Evaluation optimal = evaluator_->optimal(TiledRows(data_.training));
      return {std::move(optimal.costs), optimal.solves};
    });
    optimal_ = found.numbers;
    references += found.solves;
  }

  std::vector<double> fitted(Preparation& preparation) override {
    const Found& found = preparation.part("the start", [&] {
      std::vector<std::size_t> rows(data_.training.rows);
      std::iota(rows.begin(), rows.end(), std::size_t{0});
      return find_start(*evaluator_, data_, charged_ ? &charged_->plain_training() : nullptr, rows,
                        {.fit = true,
                         .margin = options_.flag("margin"),
                         .draws = static_cast<std::size_t>(options_.integer("starts")),
                         .seed = seed_});
    });
    setup_solves_ += found.solves;
    return found.numbers;
  }

  // Where rows are charged otherwise than realised, held-out rows are too.
  std::optional<double> selection_cost(std::span<const double> theta) override {
    if (own_evaluator_ == nullptr) return std::nullopt;
    return own_evaluator_->evaluate(theta, validation_).mean_cost;
  }

  void gradient(const Minibatch& batch, const TiledRows& rows, std::span<const double> log_variance,
                std::span<double> prediction_gradient, std::span<double> own_gradient,
                LearnerReport& report) override {
    const std::size_t outputs = task_.predictor->outputs();
    sample(batch, log_variance);
    const Evaluation evaluation = evaluator_->decide(samples_, rows);
    report.solves += evaluation.solves;
    if (batch.update == 0) report.solves += setup_solves_;
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

  Evaluator& task_evaluator_;
  const Task& task_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  OutputScaling units_;                       // of prepared rows
  std::unique_ptr<ChargedTask> charged_;      // where costs are relative
  std::unique_ptr<Evaluator> own_evaluator_;  // of prepared rows
  Evaluator* evaluator_ = &task_evaluator_;   // that one, or the task's
  TiledRows validation_;                      // prepared
  SolveCounts setup_solves_;                  // reported with the first step
  std::vector<double> optimal_;  // [training rows], costs of true parameters; not a number: no reference
  std::vector<double> noise_;    // [rows × outputs], standard normal
  std::vector<double> samples_;  // [rows × outputs], predictions that are decided
};

// The published rate did best on generated data too. From a good start, noise as wide as the data takes more
// epochs to pay than the published patience allows.
OptionValues helped_values(const PresetContext&) {
  return {{"patience", std::int64_t{50}},
          {"start", std::string("fitted")},
          {"starts", std::int64_t{8}},
          {"standardise", true},
          {"instance-weights", true},
          {"relative-costs", true},
          {"margin", true}};
}

}  // namespace

MethodEntry sfge_method() {
  MethodEntry entry;
  entry.name = "sfge";
  entry.help = "score function gradient: learns from the regret of decisions for sampled predictions";
  add_epoch_options(entry, {.fits = true});
  entry.options
      .integer("starts", 1, 1, 10000,
               "random starts to choose from by validation cost where there is no fit (start = fitted)")
      .flag("standardise", false, "train on features of mean 0 and deviation 1; the result takes raw ones")
      .flag("instance-weights", false,
            "divide a row's true parameters by their mean magnitude where the metric is relative and the "
            "objective linear");
  add_relative_cost_options(entry.options);
  entry.presets.push_back(
      {"helped", "the published settings with the preparation of polystepor's preset best", helped_values});
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(
        context, std::make_unique<ScoreFunction>(context),
        EpochSettings{.judge_start = context.options.text("start") == "fitted"});
  };
  return entry;
}

}  // namespace polystep
