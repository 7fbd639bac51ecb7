#include "methods/polystepor/output_learner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "methods/constraints/safety_margin.hpp"
#include "methods/polystepor/polystepor_output.hpp"
#include "methods/probes/covariance_probes.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

std::size_t count(const Options& options, std::string_view name) {
  return static_cast<std::size_t>(options.integer(name));
}

}  // namespace

OutputLearner::OutputLearner(const LearnerContext& context)
    : task_evaluator_(context.evaluator),
      options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))),
      flip_rate_(noise_band(options_)),
      rate_{ScheduleKind::kCosine, options_.number("rate"),
            options_.number("rate") * options_.number("final-rate"), count(options_, "steps")},
      adam_(context.evaluator.task().predictor->parameters()) {
  check_charging(context.evaluator.task(), options_);
  if (options_.text("fit") == "prior") check_prior(context.evaluator.task(), "fit");
  if (covariance()) check_covariance(context.evaluator.task(), "polystepor-output");
}

void OutputLearner::prepare(Preparation& preparation) {
  charged_ = make_charged_task(task_evaluator_, data_, options_, preparation);
  evaluator_ = std::make_unique<Evaluator>(charged_ ? charged_->task() : task_evaluator_.task(),
                                           task_evaluator_.team());
  if (charged_) reference_solves_ = charged_->reference_solves();
  setup_solves_ += prepare_failure_cost(*evaluator_, data_.validation, seed_, preparation);
  make_probes();
  std::vector<std::size_t> all(data_.training.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const StartSetting setting{
      .fit = options_.text("fit") == "least-squares",
      .prior = options_.text("fit") == "prior" ? std::optional(prior_fit(options_)) : std::nullopt,
      .margin = options_.flag("margin"),
      .draws = count(options_, "starts"),
      .seed = seed_};
  const Found& start = preparation.part("the start", [&] {
    return find_start(*evaluator_, data_, charged_ ? &charged_->plain_training() : nullptr, all, setting);
  });
  setup_solves_ += start.solves;
  theta_ = start.numbers;
  start_ = {theta_};
  measure_units();
  judge_ = std::make_unique<Judge>(Judge::Setting{.evaluator = *evaluator_,
                                                  .data = data_,
                                                  .charged = charged_.get(),
                                                  .options = options_,
                                                  .bags = {},
                                                  .blends = predictor().affine(),
                                                  .plain = false},
                                   theta_);
  judge_->prepare(start_, preparation, setup_solves_);
  folded_ = data_.fold(predictor(), judge_->settle_again(trained()));
}

void OutputLearner::make_probes() {
  const std::size_t samples = count(options_, "samples");
  if (covariance()) {
    const Sense sense = *task_evaluator_.task().problem->facts().optimises_prediction;
    probes_ = std::make_unique<CovarianceProbes>(*evaluator_, samples, static_cast<int>(sense), seed_);
  } else {
    probes_ = std::make_unique<PredictionProbes>(*evaluator_, samples, seed_);
  }
}

// An affine predictor's parameters are commensurate with its predictions; a network's are not.
void OutputLearner::measure_units() {
  if (options_.text("lengths") == "absolute") return;
  const std::vector<double>& start = start_.front();
  prediction_unit_ = prediction_size(predictor(), start, TiledRows(data_.training));
  if (!(prediction_unit_ > 0)) prediction_unit_ = 1;
  parameter_unit_ =
      predictor().affine() ? prediction_unit_ : length(start) / std::sqrt(static_cast<double>(start.size()));
  if (!(parameter_unit_ > 0)) parameter_unit_ = 1;
}

std::optional<CountedCalls> OutputLearner::counted() const {
  const auto number = [&](const char* name) { return static_cast<double>(options_.integer(name)); };
  const double training = static_cast<double>(data_.training.rows);
  const double validation = static_cast<double>(data_.validation.rows);
  CountedCalls calls;
  calls.steps = number("steps");
  calls.checks = std::min(number("checks"), calls.steps);
  calls.step = 2 * number("samples") * std::min(number("batch"), training);
  const bool blends = task_evaluator_.task().predictor->affine();
  calls.check = blends ? static_cast<double>(shares_to_try(options_.flag("blend")).size() - 1) * validation
                       : validation;
  calls.preparation = 2 * validation;
  if (wants_relative_costs(task_evaluator_, options_)) calls.preparation += training + validation;
  return calls;
}

TrainingPlan OutputLearner::plan() const {
  const std::size_t steps = count(options_, "steps");
  const double interval = static_cast<double>(steps) / static_cast<double>(options_.integer("checks"));
  return {.steps = steps,
          .check_every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(interval))),
          .patience = count(options_, "patience"),
          .keep_best = !judge_->blends() && options_.flag("keep-best")};
}

bool OutputLearner::check_due() const {
  const TrainingPlan pace = plan();
  return step_ % pace.check_every == 0 || step_ >= pace.steps;
}

LearnerReport OutputLearner::step() {
  draw_minibatch();
  const Schedule fall{ScheduleKind::kLinear, 1.0, options_.number("final-noise"), count(options_, "steps")};
  const double noise = options_.number("noise") * fall.value(step_) * prediction_unit_ * flip_rate_.factor();
  const double rate = rate_.value(step_) * parameter_unit_;
  probes_->evaluate(theta_, minibatch_, step_, noise, gradient_);
  decay_parameters(theta_, rate, options_.number("decay"));
  adam_.step(theta_, gradient_.gradient, rate);
  flip_rate_.finish_step(gradient_.flip_rate());
  ++step_;
  add_to_average();
  LearnerReport report;
  report.figures = {{"rate", rate},
                    {"noise", noise},
                    {"mean_cost", gradient_.mean_cost},
                    {"gradient_length", length(gradient_.gradient)}};
  report.flip_rate = gradient_.flip_rate();
  report.solves = gradient_.solves;
  report.solves += setup_solves_;
  report.reference_solves = reference_solves_;
  setup_solves_ = reference_solves_ = {};
  const std::vector<std::vector<double>> now = {trained()};
  folded_ = data_.fold(predictor(), check_due() ? judge_->settle(start_, now, now.front(), report)
                                                : judge_->settle_again(now.front()));
  return report;
}

// Every epoch deals the rows afresh; where they do not fill its last minibatch, a random few sit out.
void OutputLearner::draw_minibatch() {
  const std::size_t rows = data_.training.rows;
  const std::size_t batch = std::min(count(options_, "batch"), rows);
  if (batch == rows && minibatch_.rows() == rows) return;  // all rows, in order, for good
  const std::size_t per_epoch = rows / batch;
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (batch < rows) {
    RandomStream stream(seed_, Purpose::kMinibatch, step_ / per_epoch);
    for (std::size_t i = 0; i + 1 < rows; ++i) std::swap(order[i], order[i + stream.below(rows - i)]);
  }
  const auto first = order.begin() + static_cast<std::ptrdiff_t>((step_ % per_epoch) * batch);
  drawn_.assign(first, first + static_cast<std::ptrdiff_t>(batch));
  minibatch_.gather(data_.training, drawn_);
}

// Of the last steps, as many as the option says; the mean is what is judged and handed over from then on.
void OutputLearner::add_to_average() {
  const std::size_t steps = count(options_, "steps");
  const auto last =
      static_cast<std::size_t>(std::ceil(options_.number("average-last") * static_cast<double>(steps)));
  if (step_ + last <= steps) return;
  if (averaged_ == 0) sum_.assign(theta_.size(), 0.0);
  for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += theta_[i];
  ++averaged_;
}

std::vector<double> OutputLearner::trained() const {
  std::vector<double> theta = averaged_ == 0 ? theta_ : sum_;
  if (averaged_ != 0)
    for (double& parameter : theta) parameter /= static_cast<double>(averaged_);
  judge_->rescale(start_.front(), theta);
  return theta;
}

void OutputLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put(theta_);
  adam_.save(archive);
  flip_rate_.save(archive);
  judge_->save(archive);
  if (options_.number("average-last") == 0) return;
  archive.put<std::uint64_t>(averaged_);
  if (averaged_ != 0) archive.put(sum_);
}

void OutputLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  adam_.load(archive);
  flip_rate_.load(archive);
  judge_->load(archive);
  if (options_.number("average-last") != 0) {
    averaged_ = archive.get<std::uint64_t>();
    if (averaged_ != 0) sum_ = archive.get_doubles(theta_.size(), "the sum of the last parameters");
  }
  if (step_ > 0) setup_solves_ = reference_solves_ = {};
  folded_ = data_.fold(predictor(), judge_->settle_again(trained()));
}

}  // namespace polystep
