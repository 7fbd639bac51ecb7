#include "methods/polystepor/output_learner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "methods/constraints/safety_margin.hpp"
#include "methods/polystepor/polystepor_output.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

std::size_t count(const Options& options, std::string_view name) {
  return static_cast<std::size_t>(options.integer(name));
}

double length(std::span<const double> vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

OutputLearner::OutputLearner(const LearnerContext& context)
    : options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))),
      charged_(make_charged_task(context.evaluator, data_, options_)),
      evaluator_(charged_ ? charged_->task() : context.evaluator.task(), context.evaluator.executor()),
      predictor_(*evaluator_.task().predictor),
      probes_(evaluator_, count(options_, "samples"), seed_),
      flip_rate_(noise_band(options_)),
      rate_{ScheduleKind::kCosine, options_.number("rate"), 0.0, count(options_, "steps")},
      validation_(data_.validation),
      adam_(predictor_.parameters()) {
  if (charged_) reference_solves_ = charged_->reference_solves();
  setup_solves_ += evaluator_.calibrate_failure_cost(predictor_.initial_parameters(seed_), validation_);
  start_ = theta_ = initial_fit();
  limit_ = make_infeasibility_limit(charged_.get(), evaluator_, data_, options_, start_);
  measure_units();
  if (predictor_.affine()) {
    // No training row is held out, so none is offered: each would be solved for nothing.
    Split no_rows;
    no_rows.feature_columns = data_.training.feature_columns;
    no_rows.truth_columns = data_.training.truth_columns;
    const std::vector<std::vector<std::size_t>> one_empty_bag(1);
    held_out_ = std::make_unique<HeldOutRows>(evaluator_, no_rows, data_.validation, one_empty_bag);
  }
  judge(start_alone(), setup_solves_);
  if (limit_) limit(setup_solves_);
  fold();
}

std::vector<double> OutputLearner::initial_fit() {
  std::vector<std::size_t> all(data_.training.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Split& plain = charged_ ? charged_->plain_training() : data_.training;
  if (options_.text("fit") == "least-squares")
    if (auto theta = fitted_start(predictor_, plain, all)) {
      if (!options_.flag("margin")) return *theta;
      FitWithMargin fit = add_best_margin(evaluator_, std::move(*theta), plain, data_.training, all);
      setup_solves_ += fit.solves;
      return std::move(fit.theta);
    }
  RandomStart start =
      cheapest_random_start(evaluator_, validation_, count(options_, "starts"), seed_, InitialDraw::kStreams);
  setup_solves_ += start.solves;
  return std::move(start.theta);
}

// An affine predictor's parameters are commensurate with its predictions; a network's are not.
void OutputLearner::measure_units() {
  prediction_unit_ = prediction_size(predictor_, start_, TiledRows(data_.training));
  if (!(prediction_unit_ > 0)) prediction_unit_ = 1;
  parameter_unit_ =
      predictor_.affine() ? prediction_unit_ : length(start_) / std::sqrt(static_cast<double>(start_.size()));
  if (!(parameter_unit_ > 0)) parameter_unit_ = 1;
}

TrainingPlan OutputLearner::plan() const {
  const std::size_t steps = count(options_, "steps");
  const double interval = static_cast<double>(steps) / static_cast<double>(options_.integer("checks"));
  return {.steps = steps,
          .check_every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(interval))),
          .patience = count(options_, "patience"),
          .keep_best = held_out_ == nullptr};
}

bool OutputLearner::check_due() const {
  const TrainingPlan pace = plan();
  return step_ % pace.check_every == 0 || step_ >= pace.steps;
}

LearnerReport OutputLearner::step() {
  draw_minibatch();
  const double noise = options_.number("noise") * prediction_unit_ * flip_rate_.factor();
  const double rate = rate_.value(step_) * parameter_unit_;
  probes_.evaluate(theta_, minibatch_, step_, noise, gradient_);
  adam_.step(theta_, gradient_.gradient, rate);
  flip_rate_.finish_step(gradient_.flip_rate());
  ++step_;
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
  if (check_due()) {
    judge(shares_to_try(options_.flag("blend")), report.solves);
    report.figures.emplace_back("blend", blend_.share);
    report.figures.emplace_back("held_out_cost", blend_.cost);
    if (limit_) {
      limit(report.solves);
      report.figures.emplace_back("infeasibility_price", charged_->price());
      report.figures.emplace_back("margin", limit_->margin());
      report.figures.emplace_back("validation_infeasible", limit_->infeasible());
    }
  }
  fold();
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

// Where the scale of predictions means nothing it drifts, and a blend must not tilt for it.
std::vector<double> OutputLearner::trained() const {
  std::vector<double> theta = theta_;
  const double size = length(theta), wanted = length(start_);
  if (held_out_ && data_.scale_free && size > 0 && wanted > 0)
    for (double& parameter : theta) parameter *= wanted / size;
  return theta;
}

void OutputLearner::judge(std::span<const double> shares, SolveCounts& solves) {
  const std::vector<double> theta = trained();
  if (held_out_) {
    const std::vector<std::vector<double>> starts = {start_}, ends = {theta};
    blend_ = held_out_->choose({starts, start_}, {ends, theta}, shares);
    solves += held_out_->solves();
  } else {
    const Evaluation evaluation = evaluator_.evaluate(theta, validation_);
    blend_ = {1.0, evaluation.mean_cost};
    solves += evaluation.solves;
  }
  selection_cost_ = blend_.cost;
}

std::vector<double> OutputLearner::blended() const {
  std::vector<double> theta = trained();
  if (held_out_)
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = (1 - blend_.share) * start_[i] + blend_.share * theta[i];
  return theta;
}

void OutputLearner::limit(SolveCounts& solves) {
  const std::vector<double> theta = blended();
  limit_->set_price(theta);
  if (held_out_) held_out_->forget_start();
  limit_->apply(theta);
  selection_cost_ = limit_->selection_cost();
  solves += limit_->take_solves();
}

void OutputLearner::fold() {
  const std::vector<double> theta = blended();
  folded_ = data_.fold(predictor_, limit_ ? limit_->apply_again(theta) : theta);
}

void OutputLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put(theta_);
  adam_.save(archive);
  flip_rate_.save(archive);
  archive.put(blend_.share);
  archive.put(blend_.cost);
  if (limit_) limit_->save(archive);
}

void OutputLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  adam_.load(archive);
  flip_rate_.load(archive);
  blend_.share = archive.get<double>();
  blend_.cost = archive.get<double>();
  selection_cost_ = blend_.cost;
  if (limit_) {
    limit_->load(archive);
    if (held_out_) held_out_->forget_start();  // it was judged at another price
    selection_cost_ = limit_->selection_cost();
  }
  if (step_ > 0) setup_solves_ = reference_solves_ = {};
  fold();
}

}  // namespace polystep
