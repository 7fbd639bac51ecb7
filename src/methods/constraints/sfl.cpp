#include "methods/constraints/sfl.hpp"

#include <memory>

#include "methods/constraints/row_solutions.hpp"
#include "methods/constraints/sfl_loss.hpp"
#include "methods/gradient/epoch_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kCooling = 0.2;
constexpr std::size_t kCoolAfter[] = {10, 30};  // epochs

class SolverFreeLoss final : public EpochLoss {
 public:
  explicit SolverFreeLoss(const LearnerContext& context)
      : task_(context.evaluator.task()),
        rows_(predicted_rows_of(task_, "sfl")),
        solutions_(context.evaluator, rows_),
        seed_(context.seed),
        batches_((task_.data.training.rows + static_cast<std::size_t>(context.options.integer("batch")) - 1) /
                 static_cast<std::size_t>(context.options.integer("batch"))),
        shape_{.temperature = context.options.number("temperature"),
               .inside_margin = context.options.number("inside-margin"),
               .outside_margin = context.options.number("outside-margin")} {
    if (rows_.objective(task_.data.training.instance(0)).empty())
      throw InputError(
          "method sfl: the problem does not say its known objective, expected one such as knapsack-weight or "
          "set-cover");
  }

  const Predictor& predictor() const override { return *task_.predictor; }

  void prepare(Preparation& preparation, SolveCounts& references) override {
    optima_ = solutions_.references(preparation, "reference decisions of training rows", task_.data.training,
                                    references);
  }

  void gradient(const Minibatch& batch, const TiledRows&, std::span<const double>,
                std::span<double> prediction_gradient, std::span<double>, LearnerReport& report) override {
    const std::size_t n = rows_.variables(), m = rows_.rows();
    std::vector<std::size_t> usable;  // places in the batch of rows that have a reference
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      if (!optima_.failed[batch.rows[i]]) usable.push_back(i);
    if (usable.empty()) return;
    SflShape shape = shape_;
    for (const std::size_t epochs : kCoolAfter)
      if (batch.update / batches_ >= epochs) shape.temperature *= kCooling;
    SflLoss loss(m, n, shape);
    NegativeDecisions negatives(m, n);
    std::vector<double> a(m * n), b(m);
    // Weights need the losses of the whole batch first.
    SflValues means{};
    std::vector<std::vector<double>> used(usable.size());
    for (std::size_t k = 0; k < usable.size(); ++k) {
      write(batch, usable[k], a, b);
      RandomStream stream(seed_, Purpose::kPerturbation, batch.update, usable[k]);
      const std::span<const double> found =
          negatives.collect(a, b, optimum(batch, usable[k]), objective(batch, usable[k]),
                            others(batch, usable, usable[k]), stream);
      used[k].assign(found.begin(), found.end());
      loss.begin(a, b);
      const SflValues losses =
          loss.differentiate(optimum(batch, usable[k]), objective(batch, usable[k]), used[k], {});
      for (std::size_t l = 0; l < kSflLosses; ++l) means[l] += losses[l] / static_cast<double>(usable.size());
    }
    SflValues weights = balance_.weigh(means);
    double total = 0;
    for (std::size_t l = 0; l < kSflLosses; ++l) {
      total += weights[l] * means[l];
      weights[l] /= static_cast<double>(usable.size());
    }
    for (std::size_t k = 0; k < usable.size(); ++k) {
      write(batch, usable[k], a, b);
      loss.begin(a, b);
      loss.differentiate(optimum(batch, usable[k]), objective(batch, usable[k]), used[k], weights);
      rows_.add_gradient(loss.a_gradient(), loss.b_gradient(),
                         batch.layout.row(prediction_gradient, usable[k]));
    }
    report.figures.emplace_back("loss", total);
  }

  void save(ArchiveWriter& archive) const override { balance_.save(archive); }
  void load(ArchiveReader& archive) override { balance_.load(archive); }

 private:
  void write(const Minibatch& batch, std::size_t i, std::span<double> a, std::span<double> b) const {
    rows_.write_rows(batch.prediction(i), batch.training.instance(batch.rows[i]), a, b);
  }
  std::span<const double> optimum(const Minibatch& batch, std::size_t i) const {
    return std::span(optima_.decisions).subspan(batch.rows[i] * rows_.variables(), rows_.variables());
  }
  std::span<const double> objective(const Minibatch& batch, std::size_t i) const {
    return rows_.objective(batch.training.instance(batch.rows[i]));
  }
  std::vector<double> others(const Minibatch& batch, const std::vector<std::size_t>& usable,
                             std::size_t without) const {
    std::vector<double> optima;
    for (const std::size_t i : usable) {
      if (i == without) continue;
      const std::span<const double> other = optimum(batch, i);
      optima.insert(optima.end(), other.begin(), other.end());
    }
    return optima;
  }

  const Task& task_;
  const PredictedRows& rows_;
  RowSolutions solutions_;
  std::uint64_t seed_;
  std::size_t batches_;  // of an epoch
  SflShape shape_;
  RowDecisions optima_;  // of training rows
  LossBalance balance_;
};

}  // namespace

MethodEntry sfl_method() {
  MethodEntry entry;
  entry.name = "sfl";
  entry.help = "solver-free: puts true optima inside predicted constraints and cheaper neighbours outside";
  const EpochDefaults defaults{.shuffle = true, .keep_best = false, .alloy_rate = 0.001, .alloy_clip = 1};
  add_epoch_options(entry, defaults);
  entry.options.number("temperature", 0.5, 1e-9, 1e9, "of the soft minimum over rows that cut a decision off")
      .number("inside-margin", 0.01, 0.0, 1e9, "by which true optima should lie inside every row")
      .number("outside-margin", 0.01, 0.0, 1e9, "by which cheaper decisions should lie outside of one");
  entry.tuning.emplace_back("temperature=log:0.05..5");
  entry.presets.front().values = [defaults](const PresetContext& context) {
    OptionValues values = published_epoch_values(context, defaults);
    if (!of_published_knapsacks(context)) return values;
    if (!predicts_weights(context)) {
      std::erase_if(values, [](const auto& value) { return value.first == "rate"; });
      values.emplace_back("rate", 0.01);
    }
    values.emplace_back("temperature", predicts_weights(context) ? 0.5 : 0.1);
    return values;
  };
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<EpochLearner>(context, std::make_unique<SolverFreeLoss>(context),
                                          EpochSettings{});
  };
  return entry;
}

}  // namespace polystep
