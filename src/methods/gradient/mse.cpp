#include "methods/gradient/mse.hpp"

#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/gradient/finished_fit.hpp"
#include "methods/gradient/gradient_learner.hpp"
#include "methods/gradient/published_settings.hpp"
#include "methods/starts/initial_fit.hpp"
#include "methods/starts/network_fit.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

void require_matching_truth(const Task& task) {
  const Split& training = task.data.training;
  for (std::size_t row = 0; row < training.rows; ++row) {
    const std::size_t outputs = task.predictor->outputs_of(training.shape(row), training.instance(row));
    if (training.shape(row).truth != outputs)
      throw InputError("method mse: the data have " + std::to_string(training.shape(row).truth) +
                       " true parameters per row and the predictor has " + std::to_string(outputs) +
                       " outputs, expected as many");
    if (!training.ragged()) return;
  }
}

bool has_closed_form(const Predictor& predictor) {
  const PredictorFacts facts = predictor.facts();
  return facts.affine() && (facts.entry == FeatureEntry::kWhole || facts.entry == FeatureEntry::kPerOutput);
}

// All in one step: least squares in closed form, or a perceptron's own fit.
class WholeFitLearner final : public Learner {
 public:
  explicit WholeFitLearner(const LearnerContext& context)
      : task_(context.evaluator.task()),
        seed_(context.seed),
        data_(prepare_data(task_,
                           context.options.flag("standardise") ||
                               (!has_closed_form(*task_.predictor) && absorbs_scaling(*task_.predictor)),
                           context.options.flag("instance-weights"))),
        theta_(task_.predictor->initial_parameters(context.seed)) {
    require_matching_truth(task_);
  }

  TrainingPlan plan() const override {
    return {.steps = 1, .check_every = 1, .patience = 0, .keep_best = false};
  }
  LearnerReport step() override {
    std::vector<std::size_t> rows(data_.training.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    theta_ = data_.fold(*task_.predictor, *fitted_start(*task_.predictor, data_.training, rows, seed_));
    return {};
  }
  std::span<const double> parameters() const override { return theta_; }
  void save(ArchiveWriter& archive) const override { archive.put(theta_); }
  void load(ArchiveReader& archive) override {
    theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  }

 private:
  const Task& task_;
  std::uint64_t seed_;
  PreparedData data_;
  std::vector<double> theta_;
};

// Mean over batch and coordinates of (prediction - truth)^2.
class SquaredError final : public BatchLoss {
 public:
  explicit SquaredError(const Task& task) { require_matching_truth(task); }

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    double sum_of_squares = 0;
    const auto entries = static_cast<double>(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const auto prediction = batch.prediction(i);
      const auto truth = batch.training.truth_row(batch.rows[i]);
      const std::span<double> row = batch.layout.row(gradient, i);
      for (std::size_t o = 0; o < row.size(); ++o) {
        const double residual = prediction[o] - truth[o];
        sum_of_squares += residual * residual;
        row[o] = 2 * residual / entries;
      }
    }
    report.figures.emplace_back("mean_squared_error", sum_of_squares / entries);
  }
};

OptionValues weighted_values(const PresetContext&) {
  return {{"fit", std::string("closed-form")}, {"standardise", true}, {"instance-weights", true}};
}

// The published fit of a large network stops long before its end.
OptionValues tuned_values(const PresetContext&) {
  return {{"fit", std::string("finished")},
          {"rate", 1e-3},
          {"rates", std::int64_t{2}},
          {"epochs", std::int64_t{30}},
          {"batch", std::int64_t{32}}};
}

OptionValues paper_values(const PresetContext& context) {
  OptionValues values = published_values("mse", context);
  values.emplace_back("fit", std::string("adam"));
  return values;
}

}  // namespace

MethodEntry mse_method() {
  MethodEntry entry;
  entry.name = "mse";
  entry.help = "least squares: predict the true parameters as closely as possible, blind to decisions";
  entry.options.choice(
      "fit", "closed-form", {"closed-form", "adam", "finished"},
      "solve exactly (predictors without a closed form have a fit of their own, perceptrons, or "
      "follow gradients), follow gradients as published, or follow them until validation rows "
      "see no gain, at several rates and with inputs and outputs in units of their own");
  add_gradient_options(entry.options);
  entry.options.number("input-size", 0.3, 1e-6, 1e6, "deviation of the inputs (fit = finished)")
      .integer("stall", 4, 1, 1000000,
               "epochs without a lower validation error after which a rate is given up (fit = finished)");
  entry.presets = {
      {"least-squares", "the exact least-squares fit",
       [](const PresetContext&) {
         return OptionValues{{"fit", std::string("closed-form")}};
       }},
      {"paper", "Adam with the benchmark's published rates, epochs and batches", paper_values,
       [](const PresetContext&) {
         return std::vector<std::string>{"rate=log:0.0001..1", "batch=16,32,64"};
       }},
      {"weighted", "the exact fit of rows with instance weights: where preset best of polystepor starts",
       weighted_values},
      {"tuned", "for networks: the fit taken to its end, rate and epochs by validation", tuned_values},
  };
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    const Task& task = context.evaluator.task();
    if (context.options.text("fit") == "finished") {
      require_matching_truth(task);
      return std::make_unique<FinishedLearner>(context);
    }
    const bool whole =
        has_closed_form(*task.predictor) || has_network_fit(*task.predictor, task.data.training);
    if (context.options.text("fit") == "adam" || !whole)
      return std::make_unique<GradientLearner>(context, std::make_unique<SquaredError>(task));
    return std::make_unique<WholeFitLearner>(context);
  };
  return entry;
}

}  // namespace polystep
