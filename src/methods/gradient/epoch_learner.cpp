#include "methods/gradient/epoch_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "methods/starts/starting_parameters.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr const char* kXavier = "xavier";
constexpr std::size_t kChecks = 20;

std::vector<double> epoch_start(const Predictor& predictor, const std::string& start, std::uint64_t seed) {
  return start == kXavier ? predictor.initial_parameters(seed, InitialDraw::kGlorot)
                          : starting_parameters(predictor, start, seed);
}

// What shortens a gradient whose length is above the limit, as published: limit / (length + 1e-6).
double clip_factor(std::span<const double> gradient, double limit) {
  if (limit == 0) return 1;
  double squares = 0;
  for (const double entry : gradient) squares += entry * entry;
  const double factor = limit / (std::sqrt(squares) + 1e-6);
  return factor < 1 ? factor : 1;
}

}  // namespace

void add_epoch_options(MethodEntry& entry, const EpochDefaults& defaults) {
  std::vector<std::string> starts = start_choices();
  starts.emplace_back(kXavier);
  if (defaults.fits) starts.emplace_back("fitted");
  entry.options.number("rate", 0.005, 1e-9, 1e3, "Adam's learning rate")
      .integer("epochs", 500, 1, 1000000, "most passes over the training rows")
      .integer("batch", 32, 1, 1000000000, "rows per update")
      .integer("patience", 10, 0, 1000000, "stop after this many epochs without improvement; 0: never")
      .number("clip", 0.0, 0.0, 1e12, "longest gradient of an update; a longer one is shortened; 0: none")
      .flag("shuffle", defaults.shuffle, "deal the rows afresh every epoch; else they come in stored order")
      .flag("keep-best", defaults.keep_best, "hand over the best epoch by validation, not the last")
      .choice("start", "twister-0", starts,
              std::string(kStartHelp) + "; xavier: weights by fan-in and fan-out, biases 0" +
                  (defaults.fits ? "; fitted: a fit where the predictor has one" : ""));
  entry.presets = {{"paper", "the settings of the published runs", [defaults](const PresetContext& context) {
                      return published_epoch_values(context, defaults);
                    }}};
  entry.tuning = {"rate=log:0.0003..0.3", "batch=16,32,64"};
}

// The problem has data of its own besides, for which nothing is published.
bool of_published_knapsacks(const PresetContext& context) {
  return context.published == "multi-knapsack" && context.settings.text("source") != "generated";
}

bool predicts_weights(const PresetContext& context) { return context.settings.text("predict") == "weights"; }

// Whatever the data: the settings were published for files that are not public.
bool of_published_alloys(const PresetContext& context) { return context.published == "alloy"; }

OptionValues published_epoch_values(const PresetContext& context, const EpochDefaults& defaults) {
  if (of_published_alloys(context)) {
    OptionValues values = {
        {"epochs", std::int64_t{20}},     {"batch", std::int64_t{32}}, {"patience", std::int64_t{0}},
        {"clip", defaults.alloy_clip},    {"shuffle", true},           {"keep-best", false},
        {"start", std::string("twister")}};
    if (defaults.alloy_rate > 0) values.emplace_back("rate", defaults.alloy_rate);
    return values;
  }
  if (!of_published_knapsacks(context)) return {};
  return {{"rate", predicts_weights(context) ? 0.05 : 0.005},
          {"epochs", std::int64_t{20}},
          {"batch", std::int64_t{32}},
          {"patience", std::int64_t{0}},
          {"start", std::string("xavier")}};
}

EpochLearner::EpochLearner(const LearnerContext& context, std::unique_ptr<EpochLoss> loss,
                           const EpochSettings& settings)
    : task_(context.evaluator.task()),
      loss_(std::move(loss)),
      settings_(settings),
      seed_(context.seed),
      rate_(context.options.number("rate")),
      clip_(context.options.number("clip")),
      epochs_(static_cast<std::size_t>(context.options.integer("epochs"))),
      batch_(static_cast<std::size_t>(context.options.integer("batch"))),
      patience_(static_cast<std::size_t>(context.options.integer("patience"))),
      shuffle_(context.options.flag("shuffle")),
      keep_best_(context.options.flag("keep-best")),
      start_(context.options.text("start")) {}

void EpochLearner::prepare(Preparation& preparation) {
  loss_->prepare(preparation, reference_solves_);
  const Predictor& predictor = loss_->predictor();
  predictor_parameters_ = predictor.parameters();
  batch_rows_ = std::make_unique<BatchPredictions>(predictor);
  theta_ = start_ == "fitted" ? loss_->fitted(preparation)
                              : loss_->adjusted_start(epoch_start(predictor, start_, seed_));
  theta_.resize(predictor_parameters_ + loss_->own_parameters(), 0.0);
  gradient_.resize(theta_.size());
  adam_ = Adam(theta_.size());
  order_.resize(training().rows);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  stale_ = true;
}

std::span<const double> EpochLearner::parameters() const {
  if (stale_) loss_->hand_over(predictor_theta(), task_theta_);
  stale_ = false;
  return task_theta_;
}

// After every epoch; where nothing hangs on it, some twenty times.
TrainingPlan EpochLearner::plan() const {
  const std::size_t between = patience_ != 0 || keep_best_ ? 1 : std::max<std::size_t>(1, epochs_ / kChecks);
  return {.steps = epochs_ * batches(),
          .check_every = between * batches(),
          .patience = patience_,
          .keep_best = keep_best_,
          .least_improvement = settings_.least_improvement,
          .judge_start = settings_.judge_start};
}

const Split& EpochLearner::training() const {
  return loss_->training() != nullptr ? *loss_->training() : task_.data.training;
}

std::size_t EpochLearner::batches() const { return (training().rows + batch_ - 1) / batch_; }

// An epoch's order is a function of seed and epoch, so that a resumed run goes on alike.
void EpochLearner::take_batch() {
  const std::uint64_t epoch = update_ / batches() + 1;
  if (shuffle_ && shuffled_epoch_ != epoch) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    RandomStream stream(seed_, Purpose::kMinibatch, epoch);
    for (std::size_t i = order_.size() - 1; i > 0; --i) std::swap(order_[i], order_[stream.below(i + 1)]);
    shuffled_epoch_ = epoch;
  }
  const std::size_t first = update_ % batches() * batch_;
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
  rows_.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(batch_, order_.size() - first)));
}

LearnerReport EpochLearner::step() {
  take_batch();
  batch_rows_->predict(training(), rows_, predictor_theta());
  const std::vector<double>& predictions = batch_rows_->predictions();
  prediction_gradient_.assign(predictions.size(), 0.0);
  const std::span<double> own_gradient = std::span(gradient_).subspan(predictor_parameters_);
  std::ranges::fill(own_gradient, 0.0);
  LearnerReport report;
  loss_->gradient({update_, rows_, predictions, batch_rows_->layout(), training()}, batch_rows_->tiles(),
                  std::span<const double>(theta_).subspan(predictor_parameters_), prediction_gradient_,
                  own_gradient, report);
  batch_rows_->pull_back(predictor_theta(), prediction_gradient_,
                         std::span(gradient_).first(predictor_parameters_));
  adam_.step(theta_, gradient_, rate_, clip_factor(gradient_, clip_));
  stale_ = true;
  report.reference_solves += std::exchange(reference_solves_, {});
  ++update_;
  return report;
}

void EpochLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(update_);
  archive.put(theta_);
  adam_.save(archive);
  loss_->save(archive);
}

void EpochLearner::load(ArchiveReader& archive) {
  update_ = archive.get<std::uint64_t>();
  if (update_ > plan().steps)
    archive.refuse("it was written after update " + std::to_string(update_) + ", expected at most " +
                   std::to_string(plan().steps));
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  adam_.load(archive);
  loss_->load(archive);
  shuffled_epoch_ = 0;
  if (update_ > 0) reference_solves_ = {};
  stale_ = true;
}

OutputScaling output_units(const Predictor& predictor, const Split& training) {
  const std::size_t outputs = predictor.outputs();
  if (predictor.output_scaling() != nullptr) return *predictor.output_scaling();
  if (training.truth_columns != outputs)
    throw InputError("output units: the data have " + std::to_string(training.truth_columns) +
                     " true parameters per row and the predictor has " + std::to_string(outputs) +
                     " outputs, expected as many");
  OutputScaling units{std::vector<double>(outputs), std::vector<double>(outputs)};
  const auto rows = static_cast<double>(training.rows);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t row = 0; row < training.rows; ++row) units.mean[o] += training.truth_row(row)[o] / rows;
    double squares = 0;
    for (std::size_t row = 0; row < training.rows; ++row) {
      const double difference = training.truth_row(row)[o] - units.mean[o];
      squares += difference * difference;
    }
    units.deviation[o] = squares > 0 ? std::sqrt(squares / rows) : 1;
  }
  return units;
}

}  // namespace polystep
