#include "methods/constraints/comboptnet.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "methods/constraints/comboptnet_surrogate.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "polystep/error.hpp"
#include "polystep/predicted_rows.hpp"

namespace polystep {
namespace {

const PredictedRows& rows_of(const Task& task) {
  const PredictedRows* rows = task.problem->predicted_rows();
  if (rows == nullptr)
    throw InputError(
        "method comboptnet: the problem has no linear constraints with predicted parameters, expected one "
        "such "
        "as knapsack-weight or set-cover");
  if (!task.predictor->facts().has_output_rows() ||
      task.data.training.truth_columns != task.predictor->outputs())
    throw InputError("method comboptnet: found a '" + task.predictor->kind() +
                     "' predictor, expected a linear one with one output per true parameter");
  return *rows;
}

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

class MovingConstraints final : public EpochLoss {
 public:
  explicit MovingConstraints(const LearnerContext& context)
      : evaluator_(context.evaluator),
        task_(context.evaluator.task()),
        rows_(rows_of(task_)),
        box_(context.options.number("box")),
        softness_(context.options.number("tau")),
        range_(units_of(context.options.text("units"), task_)),
        predictor_(make_scaled(make_linear(task_.predictor->feature_columns(), task_.predictor->outputs()),
                               range_)) {}

  const Predictor& predictor() const override { return *predictor_; }

  // The same predictions in the units of the task's predictor.
  void hand_over(std::span<const double> theta, std::vector<double>& task_theta) const override {
    const std::size_t outputs = predictor_->outputs(), features = predictor_->feature_columns();
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
    upper_.assign(rows_.variables(), rows_.binary() ? 1.0 : 1e9);
    const std::pair<const char*, const Split*> splits[] = {
        {"reference decisions of training rows", &task_.data.training},
        {"reference decisions of validation rows", &task_.data.validation}};
    for (const auto& [name, split] : splits) {
      const Found& found = preparation.part(name, [&, rows = split] { return find_solutions(*rows); });
      const bool trains = split == &task_.data.training;
      const auto flags = found.numbers.end() - static_cast<std::ptrdiff_t>(split->rows);
      (trains ? training_references_ : validation_references_).assign(found.numbers.begin(), flags);
      (trains ? training_failed_ : validation_failed_).assign(flags, found.numbers.end());
      references += found.solves;
    }
    if (rows_.binary()) return;
    double largest = std::max(1.0, box_);
    for (const std::vector<double>* solutions : {&training_references_, &validation_references_})
      for (const double entry : *solutions) largest = std::max(largest, entry);
    upper_.assign(rows_.variables(), largest);
  }

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double>,
                std::span<double> prediction_gradient, std::span<double>, LearnerReport& report) override {
    solve(task_.data.training, batch.rows, batch.predictions, report.solves);
    const std::size_t n = rows_.variables();
    const double share = 1.0 / static_cast<double>(batch.rows.size() * n);
    std::vector<double> a(rows_.rows() * n), b(rows_.rows()), loss_gradient(n);
    ConstraintSurrogate surrogate(rows_.rows(), n, softness_);
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (training_failed_[batch.rows[i]]) continue;  // its gradient stays 0
      const std::span<const double> y = std::span(solutions_).subspan(i * n, n);
      const double* reference = training_references_.data() + batch.rows[i] * n;
      for (std::size_t j = 0; j < n; ++j)
        loss_gradient[j] = 2 * (y[j] - reference[j]) / (upper_[j] * upper_[j]) * share;
      rows_.write_rows(batch.prediction(i), task_.data.training.instance(batch.rows[i]), a, b);
      surrogate.differentiate(a, b, y, loss_gradient, upper_);
      const std::span<double> row = batch.layout.row(prediction_gradient, i);
      rows_.add_gradient(surrogate.a_gradient(), surrogate.b_gradient(), row);
      for (double& entry : row) entry *= share;
    }
  }

  // Mean squared difference from optimal solutions, each variable in units of its range.
  std::optional<double> selection_cost(std::span<const double> theta) override {
    SolveCounts ignored;
    const Split& validation = task_.data.validation;
    const std::vector<std::size_t> all = all_rows(validation);
    BatchPredictions predictions(*predictor_);
    predictions.predict(validation, all, theta);
    solve(validation, all, predictions.predictions(), ignored);
    double sum = 0;
    std::size_t compared = 0;
    for (std::size_t k = 0; k < solutions_.size(); ++k) {
      if (validation_failed_[k / rows_.variables()]) continue;
      ++compared;
      const double difference = (solutions_[k] - validation_references_[k]) / upper_[k % rows_.variables()];
      sum += difference * difference;
    }
    return sum / static_cast<double>(std::max<std::size_t>(1, compared));
  }

 private:
  static std::vector<std::size_t> all_rows(const Split& split) {
    std::vector<std::size_t> all(split.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  // Solutions of predictions for rows of a split [rows × outputs]; infeasible ones are 0, as published.
  // Returns which those are.
  std::vector<std::uint8_t> solve(const Split& split, std::span<const std::size_t> rows,
                                  std::span<const double> predictions, SolveCounts& counts) {
    const std::size_t n = rows_.variables(), outputs = predictor_->outputs(), count = rows.size();
    solutions_.assign(count * n, 0.0);
    std::vector<std::uint8_t> failed(count);
    evaluator_.team().for_each(count, [&](std::size_t i, std::size_t) {
      const std::span<double> y = std::span(solutions_).subspan(i * n, n);
      if (rows_.solve_rows(predictions.subspan(i * outputs, outputs), split.instance(rows[i]), upper_, y))
        return;
      failed[i] = 1;
      std::fill(y.begin(), y.end(), 0.0);
    });
    counts.requested += count;
    counts.performed += count;
    counts.failed += static_cast<std::uint64_t>(std::count(failed.begin(), failed.end(), 1));
    return failed;
  }

  // The solutions of all rows, then whether each failed.
  Found find_solutions(const Split& split) {
    Found found;
    const std::vector<std::uint8_t> failed = solve(split, all_rows(split), split.truth, found.solves);
    found.numbers = solutions_;
    found.numbers.insert(found.numbers.end(), failed.begin(), failed.end());
    return found;
  }

  Evaluator& evaluator_;
  const Task& task_;
  const PredictedRows& rows_;
  double box_;
  double softness_;
  OutputScaling range_;
  std::unique_ptr<Predictor> predictor_;
  std::vector<double> upper_;                    // [variables]
  std::vector<double> training_references_;      // [training rows × variables]
  std::vector<double> validation_references_;    // [validation rows × variables]
  std::vector<std::uint8_t> training_failed_;    // [training rows]: 1 where there is no reference
  std::vector<std::uint8_t> validation_failed_;  // [validation rows]
  std::vector<double> solutions_;                // [rows × variables], of the latest solves
};

}  // namespace

MethodEntry comboptnet_method() {
  MethodEntry entry;
  entry.name = "comboptnet";
  entry.help = "moves predicted constraints towards or away from neighbours of the solution";
  add_epoch_options(entry);
  entry.options
      .number("box", 0, 0, 1e12,
              "bound on whole-numbered variables where it is above every optimal entry of training "
              "and validation rows")
      .number("tau", 0, 0, 1e9,
              "softness of the minimum over rows that decides which one cuts a solution off; 0: the nearest")
      .choice("units", "range", {"range", "data"},
              "outputs are trained in units of the range of all true parameters, or in those of the data");
  entry.presets.front().values = [](const PresetContext& context) {
    OptionValues values = published_epoch_values(context);
    if (of_published_knapsacks(context)) {
      values.emplace_back("tau", predicts_weights(context) ? 0.5 : 0.1);
      values.emplace_back("units", std::string("data"));
    }
    return values;
  };
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<MovingConstraints>(context),
                                          EpochSettings{.shuffle = true, .keep_best = false});
  };
  return entry;
}

}  // namespace polystep
