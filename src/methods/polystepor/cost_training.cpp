#include "methods/polystepor/cost_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polystep/random.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kOwnDraws = 3;             // of minibatches, beside those of other trainings
constexpr int kLeastPower = -10, kMostPower = 20;  // of two, that the constant is first looked for among
constexpr int kFine = 8;                           // steps of a factor of two around the best of them
constexpr double kOutputUnit = 1.0 / 25;           // of the constant, that outputs are trained in
constexpr double kFirstOutputs = 0.1;  // share of the drawn output weights that training starts with

}  // namespace

CostTraining::CostTraining(Evaluator& evaluator, const Predictor& small, const Split& training,
                           const Split& validation, const CostTrainingSettings& settings,
                           Preparation& preparation)
    : small_(small),
      settings_(settings),
      data_{.training = training, .validation = validation, .scaling = {}},
      theta_(small.initial_parameters(settings.seed)),
      adam_(theta_.size()) {
  const TiledRows rows(training);
  find_constant(evaluator, rows, preparation);
  const Found& found = preparation.part("costs of the constant prediction", [&]() -> Found {
    Evaluation constant =
        evaluator.decide(std::vector<double>(training.rows * small.outputs(), level_), rows);
    return {std::move(constant.costs), constant.solves};
  });
  setup_solves_ += found.solves;
  std::vector<double> units = found.numbers;
  double common = 0;
  for (double& unit : units) unit = std::abs(unit), common += unit / static_cast<double>(units.size());
  for (double& unit : units)
    if (!(unit > 0) || evaluator.task().metric == RegretMetric::kAbsolute) unit = common > 0 ? common : 1;
  std::unique_ptr<Predictor> scaled =
      make_scaled(small.clone(), {{level_}, {std::abs(level_) * kOutputUnit}});
  charged_ = std::make_unique<ChargedTask>(evaluator.task(), std::move(scaled), data_, units,
                                           std::vector<double>(validation.rows, 1.0));
  evaluator_ = std::make_unique<Evaluator>(charged_->task(), evaluator.team());
  evaluator_->set_failure_cost(3);  // 2 max|cost| + 1, and the constant costs every row 1
  probes_ = std::make_unique<PredictionProbes>(*evaluator_, settings.samples, settings.seed);
  const std::size_t last = last_units(small);
  const std::size_t weights = small.tensors()[small.tensors().size() - 2].size();
  for (std::size_t i = theta_.size() - last - weights; i < theta_.size(); ++i)
    theta_[i] *= i < theta_.size() - last ? kFirstOutputs : 0;
}

// Powers of two of either sign, then the neighbourhood of the best.
void CostTraining::find_constant(Evaluator& evaluator, const TiledRows& rows, Preparation& preparation) {
  const Found& found = preparation.part("the constant prediction that costs least", [&]() -> Found {
    SolveCounts solves;
    double best = 1, lowest = std::numeric_limits<double>::infinity();
    const auto try_level = [&](double level) {
      const Evaluation evaluation =
          evaluator.decide(std::vector<double>(rows.rows() * small_.outputs(), level), rows);
      solves += evaluation.solves;
      if (evaluation.mean_cost < lowest) lowest = evaluation.mean_cost, best = level;
    };
    for (const double sign : {1.0, -1.0})
      for (int power = kLeastPower; power <= kMostPower; ++power) try_level(sign * std::exp2(power));
    const double middle = best;
    for (int step = 1 - kFine; step < kFine; ++step)
      if (step != 0) try_level(middle * std::exp2(static_cast<double>(step) / kFine));
    return {{best}, solves};
  });
  level_ = found.numbers.front();
  setup_solves_ += found.solves;
}

// Every epoch deals the rows afresh; where they do not fill its last minibatch, a random few sit out.
void CostTraining::draw_minibatch() {
  const std::size_t rows = data_.training.rows, batch = std::min(settings_.batch, rows);
  const std::size_t per_epoch = rows / batch;
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(settings_.seed, Purpose::kMinibatch, step_ / per_epoch, kOwnDraws);
  for (std::size_t i = 0; i + 1 < rows; ++i) std::swap(order[i], order[i + stream.below(rows - i)]);
  minibatch_.gather(data_.training, std::span(order).subspan(step_ % per_epoch * batch, batch));
}

void CostTraining::step(LearnerReport& report) {
  draw_minibatch();
  const Schedule rate{ScheduleKind::kCosine, settings_.rate, settings_.rate * settings_.final_rate,
                      settings_.steps};
  const Schedule noise{ScheduleKind::kLinear, settings_.noise, settings_.noise * settings_.final_noise,
                       settings_.steps};
  probes_->evaluate(theta_, minibatch_, step_, noise.value(step_), gradient_);
  adam_.step(theta_, gradient_.gradient, rate.value(step_));
  ++step_;
  const auto last =
      static_cast<std::size_t>(std::ceil(settings_.average_last * static_cast<double>(settings_.steps)));
  if (step_ + last > settings_.steps) {
    if (averaged_ == 0) sum_.assign(theta_.size(), 0.0);
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += theta_[i];
    ++averaged_;
  }
  report.figures.emplace_back("rate", rate.value(step_ - 1));
  report.figures.emplace_back("noise", noise.value(step_ - 1));
  report.figures.emplace_back("mean_cost", gradient_.mean_cost);
  report.flip_rate = gradient_.flip_rate();
  report.solves += gradient_.solves;
  report.solves += std::exchange(setup_solves_, {});
}

std::vector<double> CostTraining::parameters() const {
  std::vector<double> theta = averaged_ == 0 ? theta_ : sum_;
  if (averaged_ != 0)
    for (double& parameter : theta) parameter /= static_cast<double>(averaged_);
  const std::size_t units = last_units(small_);
  return with_output_map(
      small_, theta,
      {std::vector<double>(units, std::abs(level_) * kOutputUnit), std::vector<double>(units, level_)});
}

// Of the constant: what predictions vary by is not known.
std::vector<double> CostTraining::unit() const {
  return std::vector<double>(last_units(small_), std::abs(level_) / 4);
}

void CostTraining::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put<std::uint64_t>(averaged_);
  archive.put(theta_);
  archive.put(averaged_ == 0 ? theta_ : sum_);
  adam_.save(archive);
}

void CostTraining::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  averaged_ = archive.get<std::uint64_t>();
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the small predictor");
  sum_ = archive.get_doubles(theta_.size(), "the sum of its last parameters");
  adam_.load(archive);
  if (step_ > 0) setup_solves_ = {};
}

}  // namespace polystep
