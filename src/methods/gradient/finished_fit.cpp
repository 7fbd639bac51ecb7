#include "methods/gradient/finished_fit.hpp"

#include <cmath>

namespace polystep {
namespace {

constexpr double kTenth = 0.1;

// Prepared features have deviation 1; a network of thousands of inputs learns more steadily from smaller
// ones.
PreparedData prepared(const Task& task, double size) {
  PreparedData data = prepare_data(task, true, false);
  if (data.scaling.mean.empty()) return data;
  for (Split* split : {&data.training, &data.validation})
    for (double& value : split->features) value *= size;
  for (double& deviation : data.scaling.deviation) deviation /= size;
  return data;
}

}  // namespace

FinishedLearner::FinishedLearner(const LearnerContext& context)
    : task_(context.evaluator.task()),
      team_(context.evaluator.team()),
      data_(prepared(task_, context.options.number("input-size"))),
      settings_{.epochs = static_cast<std::size_t>(context.options.integer("epochs")),
                .batch = static_cast<std::size_t>(context.options.integer("batch")),
                .rate = context.options.number("rate"),
                .falls = false,
                .patience = static_cast<std::size_t>(context.options.integer("stall")),
                .seed = context.seed},
      rates_(static_cast<std::size_t>(context.options.integer("rates"))) {
  begin_rate(settings_.rate);
  hand_over();
}

TrainingPlan FinishedLearner::plan() const {
  return {.steps = rates_ * updates_per_rate(),
          .check_every = fit_->updates_per_epoch(),
          .patience = 0,
          .judge_start = false};
}

double FinishedLearner::rate_of(std::uint64_t update) const {
  return settings_.rate * std::pow(kTenth, static_cast<double>(update / updates_per_rate()));
}

void FinishedLearner::begin_rate(double rate) {
  NetworkFitSettings settings = settings_;
  settings.rate = rate;
  fit_ = std::make_unique<NetworkFit>(*task_.predictor, data_.training, data_.validation, team_, settings);
}

// A rate that has stopped early leaves its remaining steps empty.
LearnerReport FinishedLearner::step() {
  const double rate = rate_of(update_);
  if (update_ != 0 && update_ % updates_per_rate() == 0) begin_rate(rate);
  ++update_;
  LearnerReport report;
  report.figures.emplace_back("rate", rate);
  if (fit_->finished()) return report;
  fit_->update();
  if (update_ % fit_->updates_per_epoch() == 0) {
    hand_over();
    error_ = fit_->error();
    report.figures.emplace_back("unexplained", *error_);
  }
  return report;
}

void FinishedLearner::hand_over() { folded_ = data_.fold(*task_.predictor, fit_->parameters()); }

void FinishedLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(update_);
  archive.put<std::uint8_t>(error_.has_value());
  archive.put(error_.value_or(0));
  fit_->save(archive);
}

void FinishedLearner::load(ArchiveReader& archive) {
  update_ = archive.get<std::uint64_t>();
  if (update_ > plan().steps)
    archive.refuse("it was written after update " + std::to_string(update_) + ", expected at most " +
                   std::to_string(plan().steps));
  const bool judged = archive.get<std::uint8_t>() != 0;
  const auto error = archive.get<double>();
  if (judged) error_ = error;
  if (update_ != 0) begin_rate(rate_of(update_ - 1));
  fit_->load(archive);
  hand_over();
}

}  // namespace polystep
