#include "methods/gradient/gradient_learner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "methods/starts/initial_fit.hpp"
#include "methods/starts/starting_parameters.hpp"

namespace polystep {
namespace {

std::vector<double> starting_point(const LearnerContext& context) {
  const Task& task = context.evaluator.task();
  const std::string& start = context.options.text("start");
  if (start != "fitted") return starting_parameters(*task.predictor, start, context.seed);
  std::vector<std::size_t> rows(task.data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (auto theta = fitted_start(*task.predictor, task.data.training, rows)) return *theta;
  return starting_parameters(*task.predictor, "streams", context.seed);
}

}  // namespace

void add_gradient_options(OptionTable& table) {
  table.number("rate", 0.05, 1e-9, 1e3, "Adam's learning rate at the start")
      .integer("epochs", 30, 1, 1000000, "passes over the training rows")
      .integer("batch", 32, 1, 1000000000, "rows per update, taken in stored order")
      .number("l1", 0.0, 0.0, 1e6, "penalty on the sum of absolute parameters")
      .choice("start", "streams", {"streams", "twister", "fitted"},
              "starting parameters: drawn by the engine, drawn as in the published runs (twister), or a fit "
              "where the predictor has one, as preset best of polystepor uses");
}

GradientLearner::GradientLearner(const LearnerContext& context, std::unique_ptr<BatchLoss> loss)
    : task_(context.evaluator.task()),
      loss_(std::move(loss)),
      epochs_(static_cast<std::size_t>(context.options.integer("epochs"))),
      batch_(static_cast<std::size_t>(context.options.integer("batch"))),
      l1_(context.options.number("l1")),
      theta_(starting_point(context)),
      adam_(theta_.size()),
      schedule_(context.options.number("rate")),
      batch_rows_(*task_.predictor),
      gradient_(theta_.size()) {}

TrainingPlan GradientLearner::plan() const {
  return {.steps = epochs_ * updates_per_epoch(),
          .check_every = updates_per_epoch(),
          .patience = 0,
          .keep_best = false,
          .wants_regret = true};
}

std::size_t GradientLearner::updates_per_epoch() const {
  return (task_.data.training.rows + batch_ - 1) / batch_;
}

LearnerReport GradientLearner::step() {
  const Split& training = task_.data.training;
  const std::size_t first = (update_ % updates_per_epoch()) * batch_;
  rows_.resize(std::min(batch_, training.rows - first));
  std::iota(rows_.begin(), rows_.end(), first);
  batch_rows_.predict(training, rows_, theta_);
  const std::vector<double>& predictions = batch_rows_.predictions();
  prediction_gradient_.assign(predictions.size(), 0.0);
  LearnerReport report;
  report.figures.emplace_back("rate", schedule_.rate());
  loss_->gradient({update_, rows_, predictions, batch_rows_.layout()}, prediction_gradient_, report);
  batch_rows_.pull_back(theta_, prediction_gradient_, gradient_);
  for (std::size_t i = 0; i < theta_.size(); ++i)
    gradient_[i] += l1_ * static_cast<double>((theta_[i] > 0) - (theta_[i] < 0));
  adam_.step(theta_, gradient_, schedule_.rate());
  report.reference_solves += std::exchange(reference_solves_, {});
  ++update_;
  return report;
}

// The starting point is validated too, but the schedule counts epochs.
void GradientLearner::observe(const ValidationReport& validation) {
  if (update_ != 0) schedule_.observe(validation.regret);
}

void GradientLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(update_);
  archive.put(theta_);
  adam_.save(archive);
  schedule_.save(archive);
  loss_->save(archive);
}

void GradientLearner::load(ArchiveReader& archive) {
  update_ = archive.get<std::uint64_t>();
  if (update_ > plan().steps)
    archive.refuse("it was written after update " + std::to_string(update_) + ", expected at most " +
                   std::to_string(plan().steps));
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  adam_.load(archive);
  schedule_.load(archive);
  loss_->load(archive);
  if (update_ > 0) reference_solves_ = {};
}

}  // namespace polystep
