#include "methods/mse.hpp"

#include <algorithm>
#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/adam.hpp"
#include "methods/least_squares.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

void require_matching_truth(const Task& task) {
  if (task.data.training.truth_columns == task.predictor->outputs()) return;
  throw InputError("method mse: the data have " + std::to_string(task.data.training.truth_columns) +
                   " true parameters per row and the predictor has " +
                   std::to_string(task.predictor->outputs()) + " outputs, expected as many");
}

std::vector<double> fit_exactly(const Task& task) {
  const std::string kind = task.predictor->kind();
  if (kind == "linear") return least_squares_linear(task.data.training);
  if (kind == "shared-linear") return least_squares_shared(task.data.training);
  throw InputError("method mse: fit = closed-form needs a linear predictor, found '" + kind +
                   "'; set fit = adam");
}

class ClosedFormLearner final : public Learner {
 public:
  explicit ClosedFormLearner(const LearnerContext& context)
      : task_(context.evaluator.task()), theta_(task_.predictor->initial_parameters(context.seed)) {
    require_matching_truth(task_);
  }

  TrainingPlan plan() const override {
    return {.steps = 1, .check_every = 1, .patience = 0, .keep_best = false};
  }
  LearnerReport step() override {
    theta_ = fit_exactly(task_);
    return {};
  }
  std::span<const double> parameters() const override { return theta_; }
  void save(ArchiveWriter& archive) const override { archive.put(theta_); }
  void load(ArchiveReader& archive) override { theta_ = archive.get_doubles(); }

 private:
  const Task& task_;
  std::vector<double> theta_;
};

class AdamLearner final : public Learner {
 public:
  explicit AdamLearner(const LearnerContext& context)
      : task_(context.evaluator.task()),
        epochs_(static_cast<std::size_t>(context.options.integer("epochs"))),
        batch_(static_cast<std::size_t>(context.options.integer("batch"))),
        l1_(context.options.number("l1")),
        theta_(task_.predictor->initial_parameters(context.seed)),
        adam_(theta_.size()),
        schedule_(context.options.number("rate")) {
    require_matching_truth(task_);
  }

  TrainingPlan plan() const override {
    return {.steps = epochs_ * updates_per_epoch(),
            .check_every = updates_per_epoch(),
            .patience = 0,
            .keep_best = false,
            .wants_regret = true};
  }

  LearnerReport step() override {
    const Split& training = task_.data.training;
    const std::size_t first = (update_ % updates_per_epoch()) * batch_;
    const std::size_t count = std::min(batch_, training.rows - first);
    rows_.resize(count);
    std::iota(rows_.begin(), rows_.end(), first);
    tiles_.gather(training, rows_);
    LearnerReport report;
    report.figures = {{"rate", schedule_.rate()}, {"mean_squared_error", gradient()}};
    for (std::size_t i = 0; i < theta_.size(); ++i)
      gradient_[i] += l1_ * static_cast<double>((theta_[i] > 0) - (theta_[i] < 0));
    adam_.step(theta_, gradient_, schedule_.rate());
    ++update_;
    return report;
  }

  // The starting point is validated too, but the schedule counts epochs.
  void observe(const ValidationReport& validation) override {
    if (update_ != 0) schedule_.observe(validation.regret);
  }

  std::span<const double> parameters() const override { return theta_; }

  void save(ArchiveWriter& archive) const override {
    archive.put<std::uint64_t>(update_);
    archive.put(theta_);
    adam_.save(archive);
    schedule_.save(archive);
  }
  void load(ArchiveReader& archive) override {
    update_ = archive.get<std::uint64_t>();
    theta_ = archive.get_doubles();
    adam_.load(archive);
    schedule_.load(archive);
  }

 private:
  std::size_t updates_per_epoch() const { return (task_.data.training.rows + batch_ - 1) / batch_; }

  // Fills gradient_ for the rows in tiles_ and returns their mean squared error.
  double gradient() {
    const std::size_t outputs = task_.predictor->outputs();
    const double entries = static_cast<double>(tiles_.rows() * outputs);
    std::vector<double> residual(outputs * kLanes);
    gradient_.assign(theta_.size(), 0.0);
    double sum_of_squares = 0;
    for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
      const Tile tile = tiles_.tile(number);
      task_.predictor->predict(theta_, tile.features, residual.data());
      for (std::size_t o = 0; o < outputs; ++o) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          double& entry = residual[o * kLanes + lane];
          entry = lane < tile.lanes ? entry - tile.truth[o * kLanes + lane] : 0;
          sum_of_squares += entry * entry;
          entry *= 2 / entries;
        }
      }
      task_.predictor->add_gradient(theta_, tile.features, residual.data(), gradient_);
    }
    return sum_of_squares / entries;
  }

  const Task& task_;
  std::size_t epochs_;
  std::size_t batch_;
  double l1_;
  std::uint64_t update_ = 0;
  std::vector<double> theta_;
  Adam adam_;
  PlateauSchedule schedule_;
  std::vector<std::size_t> rows_;
  TiledRows tiles_;
  std::vector<double> gradient_;
};

using Values = std::vector<std::pair<std::string, OptionValue>>;

// The rate the benchmark published for the nearest setting at or above the given one.
double published_rate(double setting, const std::vector<std::pair<double, double>>& rates) {
  for (const auto& [limit, rate] : rates)
    if (setting <= limit) return rate;
  return rates.back().second;
}

Values paper_values(const std::string& problem, const Options& settings) {
  Values values = {{"fit", std::string("adam")}};
  if (problem == "shortest-path") {
    const auto degree = static_cast<double>(settings.integer("degree"));
    values.insert(values.end(),
                  {{"rate", published_rate(degree, {{1, 1.0}, {2, 0.05}, {4, 0.05}, {6, 1.0}, {8, 0.05}})},
                   {"epochs", std::int64_t{30}},
                   {"batch", std::int64_t{32}},
                   {"l1", 1e-5}});
  } else if (problem == "knapsack") {
    const auto capacity = static_cast<double>(settings.integer("capacity"));
    values.insert(values.end(), {{"rate", published_rate(capacity, {{60, 0.5}, {120, 1.0}, {180, 1.0}})},
                                 {"epochs", std::int64_t{35}},
                                 {"batch", std::int64_t{128}},
                                 {"l1", 0.0}});
  }
  return values;
}

}  // namespace

MethodEntry mse_method() {
  MethodEntry entry;
  entry.name = "mse";
  entry.help = "least squares: predict the true parameters as closely as possible, blind to decisions";
  entry.options.choice("fit", "closed-form", {"closed-form", "adam"}, "solve exactly, or follow gradients")
      .number("rate", 0.05, 1e-9, 1e3, "Adam's learning rate at the start")
      .integer("epochs", 30, 1, 1000000, "Adam's passes over the training rows")
      .integer("batch", 32, 1, 1000000000, "rows per Adam update, taken in stored order")
      .number("l1", 0.0, 0.0, 1e6, "Adam's penalty on the sum of absolute parameters");
  entry.presets = {
      {"least-squares", "the exact least-squares fit",
       [](const std::string&, const Options&) {
         return Values{{"fit", std::string("closed-form")}};
       }},
      {"paper", "Adam with the benchmark's published rates, epochs and batches", paper_values},
  };
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    if (context.options.text("fit") == "adam") return std::make_unique<AdamLearner>(context);
    return std::make_unique<ClosedFormLearner>(context);
  };
  return entry;
}

}  // namespace polystep
