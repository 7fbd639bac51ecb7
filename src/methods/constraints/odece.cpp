#include "methods/constraints/odece.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "methods/constraints/odece_loss.hpp"
#include "methods/constraints/row_solutions.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "methods/inputs/reduced_rows.hpp"

namespace polystep {
namespace {

class FeasibilityAwareLoss final : public EpochLoss {
 public:
  explicit FeasibilityAwareLoss(const LearnerContext& context)
      : task_(context.evaluator.task()),
        rows_(predicted_rows_of(task_, "odece")),
        solutions_(context.evaluator, rows_),
        alpha_(context.options.number("alpha")),
        margin_(context.options.number("margin")),
        average_(context.options.text("average") == "solved" ? OdeceAverage::kSolved
                                                             : OdeceAverage::kInfeasible),
        team_(context.evaluator.team()) {
    if (context.options.text("inputs") == "reduced") reduced_.emplace(task_);
  }

  const Predictor& predictor() const override { return reduced_ ? reduced_->predictor() : *task_.predictor; }
  const Split* training() const override { return reduced_ ? &reduced_->training() : nullptr; }
  std::vector<double> adjusted_start(std::vector<double> theta) const override {
    return reduced_ ? reduced_->centred(theta) : theta;
  }
  void hand_over(std::span<const double> theta, std::vector<double>& task_theta) const override {
    if (reduced_)
      task_theta = reduced_->fold(theta);
    else
      task_theta.assign(theta.begin(), theta.end());
  }

  void prepare(Preparation& preparation, SolveCounts& references) override {
    if (reduced_) reduced_->prepare(preparation, team_);
    optima_ = solutions_.references(preparation, "reference decisions of training rows", task_.data.training,
                                    references);
  }

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double>,
                std::span<double> prediction_gradient, std::span<double>, LearnerReport& report) override {
    const RowDecisions decided =
        solutions_.solve(task_.data.training, batch.rows, batch.predictions, report.solves);
    const std::size_t n = rows_.variables(), m = rows_.rows(), count = batch.rows.size();
    std::vector<double> a(m * n), b(m);
    std::vector<std::uint8_t> violated(count * m);
    std::size_t references = 0, solved = 0, infeasible = 0;
    for (std::size_t i = 0; i < count; ++i) {
      references += !optima_.failed[batch.rows[i]];
      if (decided.failed[i]) continue;
      ++solved;
      const std::span<std::uint8_t> marks = std::span(violated).subspan(i * m, m);
      rows_.write_rows(batch.training.truth_row(batch.rows[i]), batch.training.instance(batch.rows[i]), a, b);
      mark_violated(a, b, std::span(decided.decisions).subspan(i * n, n), marks);
      infeasible += std::count(marks.begin(), marks.end(), 1) > 0;
    }
    const OdeceWeights weights = odece_weights(alpha_, average_, references, solved, infeasible);
    OdeceLoss loss(m, n, margin_);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      rows_.write_rows(batch.prediction(i), batch.training.instance(batch.rows[i]), a, b);
      loss.begin(a, b);
      const std::span<const double> optimum = std::span(optima_.decisions).subspan(batch.rows[i] * n, n);
      if (!optima_.failed[batch.rows[i]])
        total += weights.optimum * loss.keep_feasible(optimum, weights.optimum);
      if (!decided.failed[i])
        total += weights.infeasible * loss.make_infeasible(std::span(decided.decisions).subspan(i * n, n),
                                                           std::span(violated).subspan(i * m, m),
                                                           weights.infeasible);
      rows_.add_gradient(loss.a_gradient(), loss.b_gradient(), batch.layout.row(prediction_gradient, i));
    }
    report.figures.emplace_back("loss", total);
    report.figures.emplace_back("infeasible", static_cast<double>(infeasible) / static_cast<double>(count));
  }

 private:
  const Task& task_;
  const PredictedRows& rows_;
  RowSolutions solutions_;
  double alpha_;
  double margin_;
  OdeceAverage average_;
  Team& team_;
  std::optional<ReducedRows> reduced_;  // where inputs are
  RowDecisions optima_;                 // of training rows
};

}  // namespace

MethodEntry odece_method() {
  MethodEntry entry;
  entry.name = "odece";
  entry.help =
      "keeps true optima feasible for the prediction and makes decisions infeasible for it that in truth are";
  const EpochDefaults defaults{.shuffle = true, .keep_best = false, .alloy_rate = 0.001, .alloy_clip = 0.5};
  add_epoch_options(entry, defaults);
  entry.options
      .number("alpha", 0.5, 0.0, 1.0, "share of the loss of infeasible decisions; the rest keeps true optima")
      .number("margin", 2.0, 0.0, 1e9, "by which a row should hold or be violated, in its own units")
      .choice("average", "solved", {"solved", "infeasible"},
              "infeasible decisions weigh by the number of all decisions, as published for alloys, or by "
              "their own, as written")
      .choice(
          "inputs", "all", {"all", "reduced"},
          "networks: train on all inputs, or on the few directions of them that data prove, from the mean "
          "of the truth on");
  entry.tuning.emplace_back("alpha=linear:0.1..0.9");
  const auto published = [defaults](const PresetContext& context) {
    OptionValues values = published_epoch_values(context, defaults);
    if (of_published_knapsacks(context)) {
      values.emplace_back("clip", 0.5);
      values.emplace_back("average", std::string("infeasible"));
    }
    return values;
  };
  entry.presets.front().values = published;
  entry.presets.push_back({"written", "the same with losses averaged as the paper writes them",
                           [published](const PresetContext& context) {
                             OptionValues values = published(context);
                             std::erase_if(values,
                                           [](const auto& value) { return value.first == "average"; });
                             values.emplace_back("average", std::string("infeasible"));
                             return values;
                           }});
  entry.presets.push_back({"reduced", "on the few directions of the inputs that data prove, and for longer",
                           [published](const PresetContext& context) {
                             OptionValues values = published(context);
                             std::erase_if(values, [](const auto& value) {
                               return value.first == "epochs" || value.first == "rate";
                             });
                             values.emplace_back("epochs", std::int64_t{100});
                             values.emplace_back("rate", 0.003);
                             values.emplace_back("inputs", std::string("reduced"));
                             return values;
                           }});
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<FeasibilityAwareLoss>(context),
                                          EpochSettings{});
  };
  return entry;
}

}  // namespace polystep
