#include "methods/constraints/two_stage.hpp"

#include <algorithm>
#include <memory>

#include "methods/constraints/row_solutions.hpp"
#include "methods/constraints/two_stage_loss.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

class CorrectedDecisions final : public EpochLoss {
 public:
  explicit CorrectedDecisions(const LearnerContext& context)
      : evaluator_(context.evaluator),
        task_(context.evaluator.task()),
        rows_(predicted_rows_of(task_, "two-stage")),
        shape_{.barrier = context.options.number("barrier"), .damping = context.options.number("damping")},
        warm_up_(
            static_cast<std::size_t>(context.options.integer("warm-up")) *
            ((task_.data.training.rows + static_cast<std::size_t>(context.options.integer("batch")) - 1) /
             static_cast<std::size_t>(context.options.integer("batch")))) {
    const std::size_t instance = task_.data.training.instance(0);
    if (rows_.binary() || rows_.objective(instance).empty() || rows_.surcharges(instance).empty())
      throw InputError(
          "method two-stage: the problem has no prices with surcharges on amounts that are bought late, "
          "expected one such as alloy");
  }

  const Predictor& predictor() const override { return *task_.predictor; }

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double>,
                std::span<double> prediction_gradient, std::span<double>, LearnerReport& report) override {
    if (batch.update < warm_up_) return squared_error(batch, prediction_gradient, report);
    const std::size_t count = batch.rows.size();
    std::vector<double> paid(count);
    std::vector<std::uint8_t> failed(count);
    evaluator_.team().for_each(count, [&](std::size_t i, std::size_t) {
      failed[i] = !correct(batch, i, batch.layout.row(prediction_gradient, i), paid[i]);
    });
    double total = 0;
    for (const double cost : paid) total += cost;
    const auto failures = static_cast<std::uint64_t>(std::count(failed.begin(), failed.end(), 1));
    report.solves += {.requested = count, .performed = count, .failed = failures};
    report.figures.emplace_back("loss", total);
  }

 private:
  static void squared_error(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) {
    double squares = 0;
    const auto entries = static_cast<double>(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const std::span<const double> prediction = batch.prediction(i);
      const std::span<const double> truth = batch.training.truth_row(batch.rows[i]);
      const std::span<double> row = batch.layout.row(gradient, i);
      for (std::size_t o = 0; o < row.size(); ++o) {
        squares += (prediction[o] - truth[o]) * (prediction[o] - truth[o]);
        row[o] = 2 * (prediction[o] - truth[o]) / entries;
      }
    }
    report.figures.emplace_back("mean_squared_error", squares / entries);
  }

  // One row of the batch; false, and no gradient, where there is no decision.
  bool correct(const Minibatch& batch, std::size_t i, std::span<double> gradient, double& paid) const {
    const std::size_t n = rows_.variables(), m = rows_.rows();
    const std::size_t instance = batch.training.instance(batch.rows[i]);
    std::vector<double> a(m * n), b(m), true_a(m * n), true_b(m);
    rows_.write_rows(batch.prediction(i), instance, a, b);
    rows_.write_rows(batch.training.truth_row(batch.rows[i]), instance, true_a, true_b);
    TwoStageLoss loss(m, n, shape_);
    const std::optional<double> cost =
        loss.differentiate({a, b}, {true_a, true_b}, rows_.objective(instance), rows_.surcharges(instance));
    if (!cost) return false;
    paid = *cost;
    rows_.add_gradient(loss.a_gradient(), loss.b_gradient(), gradient);
    return true;
  }

  Evaluator& evaluator_;
  const Task& task_;
  const PredictedRows& rows_;
  TwoStageShape shape_;
  std::size_t warm_up_;  // updates
};

}  // namespace

MethodEntry two_stage_method() {
  MethodEntry entry;
  entry.name = "two-stage";
  entry.help = "relaxed decisions at a barrier, corrected once the truth is known; learns from what was paid";
  const EpochDefaults defaults{.shuffle = true, .keep_best = false, .alloy_rate = 0.05, .alloy_clip = 1};
  add_epoch_options(entry, defaults);
  entry.options.number("barrier", 0.1, 1e-9, 1e9, "height of the barrier of the relaxed decision")
      .number("damping", 0.01, 0.0, 1e9, "added to the curvature of every variable")
      .integer("warm-up", 1, 0, 1000000, "epochs of least squares at the beginning");
  entry.tuning.emplace_back("barrier=log:0.001..1");
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<CorrectedDecisions>(context),
                                          EpochSettings{});
  };
  return entry;
}

}  // namespace polystep
