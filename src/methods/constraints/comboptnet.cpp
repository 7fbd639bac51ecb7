#include "methods/constraints/comboptnet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "methods/constraints/comboptnet_surrogate.hpp"
#include "methods/constraints/row_solutions.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// Raw outputs 0 and 1 stand for the smallest and the largest true parameter.
OutputScaling range_of(const Split& training, std::size_t outputs) {
  const auto [low, high] = std::minmax_element(training.truth.begin(), training.truth.end());
  const double range = *high > *low ? *high - *low : 1;
  return {std::vector<double>(outputs, *low), std::vector<double>(outputs, range)};
}

OutputScaling units_of(const std::string& units, const Task& task) {
  const std::size_t outputs = task.predictor->outputs();
  if (units == "range") return range_of(task.data.training, outputs);
  return {std::vector<double>(outputs, 0.0), std::vector<double>(outputs, 1.0)};
}

// The task's predictor as it is, or a linear one in the units asked for. Units of their own take parameters
// that can be handed over.
std::unique_ptr<Predictor> predictor_in_units(const std::string& units, const Task& task,
                                              const OutputScaling& scaling) {
  if (task.predictor->facts().has_output_rows())
    return make_scaled(make_linear(task.predictor->feature_columns(), task.predictor->outputs()), scaling);
  if (units == "data") return nullptr;
  throw InputError("method comboptnet: found a '" + task.predictor->kind() +
                   "' predictor with units = range, expected a linear one with one output per true "
                   "parameter, or units = data");
}

class MovingConstraints final : public EpochLoss {
 public:
  explicit MovingConstraints(const LearnerContext& context)
      : task_(context.evaluator.task()),
        rows_(predicted_rows_of(task_, "comboptnet")),
        solutions_(context.evaluator, rows_),
        box_(context.options.number("box")),
        softness_(context.options.number("tau")),
        absolute_(context.options.text("loss") == "absolute"),
        range_(units_of(context.options.text("units"), task_)),
        own_predictor_(predictor_in_units(context.options.text("units"), task_, range_)) {}

  const Predictor& predictor() const override { return own_predictor_ ? *own_predictor_ : *task_.predictor; }

  // The same predictions in the units of the task's predictor.
  void hand_over(std::span<const double> theta, std::vector<double>& task_theta) const override {
    if (!own_predictor_) {
      task_theta.assign(theta.begin(), theta.end());
      return;
    }
    const std::size_t outputs = predictor().outputs(), features = predictor().feature_columns();
    const OutputScaling* units = task_.predictor->output_scaling();
    task_theta.resize(theta.size());
    for (std::size_t o = 0; o < outputs; ++o) {
      const double mean = units == nullptr ? 0 : units->mean_of(o);
      const double deviation = units == nullptr ? 1 : units->deviation_of(o);
      for (std::size_t f = 0; f < features; ++f)
        task_theta[o * features + f] = theta[o * features + f] * range_.deviation[o] / deviation;
      const std::size_t bias = outputs * features + o;
      task_theta[bias] = (theta[bias] * range_.deviation[o] + range_.mean[o] - mean) / deviation;
    }
  }

  // Optimal solutions for true parameters, and the box: up to the largest entry of any of them.
  void prepare(Preparation& preparation, SolveCounts& references) override {
    training_ = solutions_.references(preparation, "reference decisions of training rows",
                                      task_.data.training, references);
    validation_ = solutions_.references(preparation, "reference decisions of validation rows",
                                        task_.data.validation, references);
    double largest = std::max(1.0, box_);
    for (const RowDecisions* decided : {&training_, &validation_})
      for (const double entry : decided->decisions) largest = std::max(largest, entry);
    solutions_.set_upper(largest);
  }

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double>,
                std::span<double> prediction_gradient, std::span<double>, LearnerReport& report) override {
    const RowDecisions decided =
        solutions_.solve(task_.data.training, batch.rows, batch.predictions, report.solves);
    const std::size_t n = rows_.variables();
    const double share = 1.0 / static_cast<double>(batch.rows.size() * n);
    std::vector<double> a(rows_.rows() * n), b(rows_.rows()), loss_gradient(n);
    ConstraintSurrogate surrogate(rows_.rows(), n, softness_);
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (training_.failed[batch.rows[i]]) continue;  // its gradient stays 0
      const std::span<const double> y = std::span(decided.decisions).subspan(i * n, n);
      const double* reference = training_.decisions.data() + batch.rows[i] * n;
      for (std::size_t j = 0; j < n; ++j) loss_gradient[j] = slope(y[j] - reference[j], j) * share;
      rows_.write_rows(batch.prediction(i), task_.data.training.instance(batch.rows[i]), a, b);
      surrogate.differentiate(a, b, y, loss_gradient, solutions_.upper());
      const std::span<double> row = batch.layout.row(prediction_gradient, i);
      rows_.add_gradient(surrogate.a_gradient(), surrogate.b_gradient(), row);
      for (double& entry : row) entry *= share;
    }
  }

  // Mean difference from optimal solutions as the loss has it: squared and in units of each variable's range,
  // or absolute.
  std::optional<double> selection_cost(std::span<const double> theta) override {
    SolveCounts ignored;
    const Split& validation = task_.data.validation;
    std::vector<std::size_t> all(validation.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    BatchPredictions predictions(predictor());
    predictions.predict(validation, all, theta);
    const RowDecisions decided = solutions_.solve(validation, all, predictions.predictions(), ignored);
    double sum = 0;
    std::size_t compared = 0;
    for (std::size_t k = 0; k < decided.decisions.size(); ++k) {
      if (validation_.failed[k / rows_.variables()]) continue;
      ++compared;
      const double difference = decided.decisions[k] - validation_.decisions[k];
      const double scaled = difference / solutions_.upper()[k % rows_.variables()];
      sum += absolute_ ? std::abs(difference) : scaled * scaled;
    }
    return sum / static_cast<double>(std::max<std::size_t>(1, compared));
  }

 private:
  // Of the loss of one entry, whose mean is taken.
  double slope(double difference, std::size_t variable) const {
    if (absolute_) return static_cast<double>((difference > 0) - (difference < 0));
    const double range = solutions_.upper()[variable];
    return 2 * difference / (range * range);
  }

  const Task& task_;
  const PredictedRows& rows_;
  RowSolutions solutions_;
  double box_;
  double softness_;
  bool absolute_;
  OutputScaling range_;
  std::unique_ptr<Predictor> own_predictor_;  // none: the task's is trained
  RowDecisions training_, validation_;        // references
};

}  // namespace

MethodEntry comboptnet_method() {
  MethodEntry entry;
  entry.name = "comboptnet";
  entry.help = "moves predicted constraints towards or away from neighbours of the solution";
  const EpochDefaults defaults{.shuffle = true, .keep_best = false, .alloy_rate = 0.005, .alloy_clip = 0.5};
  add_epoch_options(entry, defaults);
  entry.options
      .number("box", 0, 0, 1e12,
              "bound on whole-numbered variables where it is above every optimal entry of training "
              "and validation rows")
      .number("tau", 0, 0, 1e9,
              "softness of the minimum over rows that decides which one cuts a solution off; 0: the nearest")
      .choice("loss", "squared", {"squared", "absolute"},
              "difference from optimal solutions: squared in units of the box, or absolute")
      .choice("units", "range", {"range", "data"},
              "outputs are trained in units of the range of all true parameters, or in those of the data");
  entry.tuning.emplace_back("tau=0,0.1,0.5");
  entry.presets.front().values = [defaults](const PresetContext& context) {
    OptionValues values = published_epoch_values(context, defaults);
    if (of_published_knapsacks(context)) {
      values.emplace_back("tau", predicts_weights(context) ? 0.5 : 0.1);
      values.emplace_back("units", std::string("data"));
    }
    if (of_published_alloys(context)) {
      values.emplace_back("tau", 0.5);
      values.emplace_back("units", std::string("data"));
      values.emplace_back("loss", std::string("absolute"));
      values.emplace_back("box", 1e5);
    }
    return values;
  };
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<MovingConstraints>(context),
                                          EpochSettings{});
  };
  return entry;
}

}  // namespace polystep
