#include "methods/gradient/gradient_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "methods/starts/initial_fit.hpp"
#include "methods/starts/starting_parameters.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kNextRate = 0.1;  // times the one before

// The stepped schedule: times 0.9 every ten epochs, at least a tenth of the first rate.
constexpr double kStep = 0.9, kLeastShare = 0.1;
constexpr std::size_t kEpochsPerStep = 10;

}  // namespace

void add_gradient_options(OptionTable& table) {
  table.number("rate", 0.05, 1e-9, 1e3, "Adam's learning rate at the start")
      .integer("rates", 1, 1, 6,
               "trainings one after the other from the same start, each at a tenth of the rate before (needs "
               "keep-best)")
      .integer("epochs", 30, 1, 1000000, "passes over the training rows, of each training")
      .integer("batch", 32, 1, 1000000000, "rows per update")
      .flag("shuffle", false, "deal the rows afresh every epoch; else they come in stored order")
      .choice(
          "schedule", "plateau", {"plateau", "stepped", "constant"},
          "the rate falls where validation stalls, or by a tenth every ten epochs down to a tenth of it, or "
          "not at all")
      .number("l1", 0.0, 0.0, 1e6, "penalty on the sum of absolute parameters")
      .number("decay", 0.0, 0.0, 1e6, "share of the parameters taken off per update, times the rate")
      .choice(
          "start", "streams", {"streams", "twister", "fitted", "prior"},
          "starting parameters: drawn by the engine, drawn as in the published runs (twister), a fit where "
          "the predictor has one, as preset best of polystepor uses, or fitted to what the problem itself "
          "would predict (prior)")
      .integer("starts", 1, 1, 10000,
               "random starts to choose from by validation cost where there is no fit (start = fitted)")
      .flag("standardise", false, "train on features of mean 0 and deviation 1; the result takes raw ones")
      .flag("instance-weights", false,
            "divide a row's true parameters by their mean magnitude where the metric is relative and the "
            "objective linear; absolute metric: by that of all rows")
      .flag("keep-best", false,
            "hand over the epoch, or the start, of lowest validation regret, not the last");
  add_prior_options(table);
}

PreparedData prepare_gradient_data(const Task& task, const Options& options) {
  return prepare_data(task, options.flag("standardise"), options.flag("instance-weights"));
}

GradientLearner::GradientLearner(const LearnerContext& context, std::unique_ptr<BatchLoss> loss)
    : evaluator_(context.evaluator),
      task_(context.evaluator.task()),
      options_(context.options),
      seed_(context.seed),
      data_(prepare_gradient_data(task_, options_)),
      loss_(std::move(loss)),
      epochs_(static_cast<std::size_t>(options_.integer("epochs"))),
      batch_(static_cast<std::size_t>(options_.integer("batch"))),
      l1_(options_.number("l1")),
      decay_(options_.number("decay")),
      rates_(static_cast<std::size_t>(options_.integer("rates"))),
      keep_best_(options_.flag("keep-best")),
      adam_(task_.predictor->parameters()),
      schedule_(options_.number("rate")),
      batch_rows_(*task_.predictor),
      gradient_(task_.predictor->parameters()) {
  if (options_.text("start") == "prior") check_prior(task_, "start");
  if (rates_ > 1 && !keep_best_)
    throw InputError("rates is " + std::to_string(rates_) +
                     ", but without keep-best the last one would be taken whatever it learned, expected 1 or "
                     "keep-best = true");
}

void GradientLearner::prepare(Preparation& preparation) {
  loss_->prepare(preparation, reference_solves_);
  if (options_.text("start") == "fitted" || options_.text("start") == "prior") {
    const Found& found = preparation.part("the start", [&] {
      std::vector<std::size_t> rows(data_.training.rows);
      std::iota(rows.begin(), rows.end(), std::size_t{0});
      return find_start(
          evaluator_, data_, nullptr, rows,
          {.fit = true,
           .prior = options_.text("start") == "prior" ? std::optional(prior_fit(options_)) : std::nullopt,
           .draws = static_cast<std::size_t>(options_.integer("starts")),
           .seed = seed_});
    });
    start_ = found.numbers;
    setup_solves_ += found.solves;
  } else {
    start_ = starting_parameters(*task_.predictor, options_.text("start"), seed_);
  }
  theta_ = start_;
  stale_ = true;
}

std::span<const double> GradientLearner::parameters() const {
  if (stale_) folded_ = data_.fold(*task_.predictor, theta_);
  stale_ = false;
  return folded_;
}

TrainingPlan GradientLearner::plan() const {
  return {.steps = rates_ * epochs_ * updates_per_epoch(),
          .check_every = updates_per_epoch(),
          .patience = 0,
          .keep_best = keep_best_,
          .wants_regret = true,
          .best_by_regret = keep_best_};
}

std::size_t GradientLearner::updates_per_epoch() const {
  return (task_.data.training.rows + batch_ - 1) / batch_;
}

// What a loss has learned of decisions, such as a cache, it keeps.
void GradientLearner::begin_next_rate() {
  const std::uint64_t before = update_ / (epochs_ * updates_per_epoch());
  theta_ = start_;
  adam_ = Adam(theta_.size());
  schedule_ = PlateauSchedule(options_.number("rate") * std::pow(kNextRate, static_cast<double>(before)));
}

void GradientLearner::take_rows() {
  const std::size_t all = data_.training.rows, first = (update_ % updates_per_epoch()) * batch_;
  rows_.resize(std::min(batch_, all - first));
  std::iota(rows_.begin(), rows_.end(), first);
  if (!options_.flag("shuffle")) return;
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(seed_, Purpose::kMinibatch, update_ / updates_per_epoch());
  for (std::size_t i = 0; i + 1 < all; ++i) std::swap(order[i], order[i + stream.below(all - i)]);
  for (std::size_t& row : rows_) row = order[row];
}

// Epochs of the stepped schedule count from 1, as published.
double GradientLearner::current_rate() const {
  if (options_.text("schedule") == "plateau") return schedule_.rate();
  const std::uint64_t per_training = epochs_ * updates_per_epoch();
  const double first =
      options_.number("rate") * std::pow(kNextRate, static_cast<double>(update_ / per_training));
  if (options_.text("schedule") == "constant") return first;
  const std::uint64_t epoch = update_ % per_training / updates_per_epoch() + 1;
  const double share = std::pow(kStep, static_cast<double>(epoch / kEpochsPerStep));
  return first * std::max(share, kLeastShare);
}

LearnerReport GradientLearner::step() {
  const Split& training = data_.training;
  if (update_ != 0 && update_ % (epochs_ * updates_per_epoch()) == 0) begin_next_rate();
  take_rows();
  const double rate = current_rate();
  batch_rows_.predict(training, rows_, theta_);
  const std::vector<double>& predictions = batch_rows_.predictions();
  prediction_gradient_.assign(predictions.size(), 0.0);
  LearnerReport report;
  report.figures.emplace_back("rate", rate);
  loss_->gradient({update_, rows_, predictions, batch_rows_.layout(), training}, prediction_gradient_,
                  report);
  batch_rows_.pull_back(theta_, prediction_gradient_, gradient_);
  for (std::size_t i = 0; l1_ != 0 && i < theta_.size(); ++i)
    gradient_[i] += l1_ * static_cast<double>((theta_[i] > 0) - (theta_[i] < 0));
  decay_parameters(theta_, rate, decay_);
  adam_.step(theta_, gradient_, rate);
  stale_ = true;
  report.solves += std::exchange(setup_solves_, {});
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
  stale_ = true;
  if (update_ > 0) setup_solves_ = reference_solves_ = {};
}

}  // namespace polystep
