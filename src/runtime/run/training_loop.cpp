#include "runtime/run/training_loop.hpp"

#include <algorithm>
#include <limits>

#include "polystep/self_judging.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFlipRateWindow = 10;  // steps

// Below this share of probes that change a decision, learning was seen to stand still.
constexpr double kStandstillFlipRate = 0.0005;

}  // namespace

TrainingLoop::TrainingLoop(Learner& learner, Evaluator& evaluator)
    : learner_(learner),
      evaluator_(evaluator),
      plan_(learner.plan()),
      validation_rows_(evaluator.task().data.validation) {}

void TrainingLoop::prepare(Preparation& preparation) {
  if (!plan_.wants_regret) return;
  const Found& found = preparation.part("reference costs of the validation rows", [&]() -> Found {
    Evaluation optimal = evaluator_.optimal(validation_rows_);
    require_some_solved(optimal, "references of the validation data");
    return {std::move(optimal.costs), optimal.solves};
  });
  validation_optimal_ = found.numbers;
  ledger_.reference += found.solves;
}

LoopEvent TrainingLoop::start() {
  LoopEvent event;
  event.validation = validate();
  event.improved = consider(*event.validation);
  return event;
}

LoopEvent TrainingLoop::advance() {
  LoopEvent event;
  event.report = learner_.step();
  event.step = ++step_;
  ledger_.training += event.report.solves;
  ledger_.reference += event.report.reference_solves;
  rows_without_reference_ = std::max(rows_without_reference_, event.report.reference_solves.failed);
  if (event.report.flip_rate) {
    flip_rates_.push_back(*event.report.flip_rate);
    if (flip_rates_.size() > kFlipRateWindow) flip_rates_.erase(flip_rates_.begin());
  }
  const bool last = step_ >= plan_.steps;
  if (last || step_ % plan_.check_every == 0) {
    event.validation = validate();
    event.improved = consider(*event.validation);
  }
  if (last) stopped_by_ = "budget";
  if (plan_.patience != 0 && checks_without_improvement_ >= plan_.patience && !last) stopped_by_ = "patience";
  return event;
}

ValidationReport TrainingLoop::validate() {
  if (const auto* own = dynamic_cast<const SelfJudging*>(&learner_)) {
    const ValidationReport report = own->own_validation();
    learner_.observe(report);
    return report;
  }
  const Evaluation evaluation = evaluator_.evaluate(learner_.parameters(), validation_rows_);
  ledger_.validation += evaluation.solves;
  ValidationReport report;
  report.cost = evaluation.mean_cost;
  report.selection_cost = learner_.selection_cost();
  if (plan_.wants_regret)
    report.regret = mean_regret(evaluator_.task().metric, evaluation, validation_optimal_);
  learner_.observe(report);
  return report;
}

bool TrainingLoop::consider(const ValidationReport& validation) {
  last_cost_ = validation.cost;
  double selection =
      validation.selection_cost.value_or(plan_.best_by_regret ? validation.regret : validation.cost);
  if (step_ == 0 && !plan_.judge_start) selection = std::numeric_limits<double>::infinity();
  const bool first = best_parameters_.empty();
  if (first || selection < patience_selection_ - plan_.least_improvement) {
    patience_selection_ = selection;
    checks_without_improvement_ = 0;
  } else {
    ++checks_without_improvement_;
  }
  const bool improved = first || selection < best_selection_;
  if (improved) {
    best_step_ = step_;
    best_cost_ = validation.cost;
    best_selection_ = selection;
    best_parameters_.assign(learner_.parameters().begin(), learner_.parameters().end());
  }
  return improved;
}

bool TrainingLoop::result_is_start() const {
  return plan_.keep_best ? best_step_ == 0 : learner_.trained_share() == 0.0;
}

std::vector<double> TrainingLoop::result() const {
  if (plan_.keep_best) return best_parameters_;
  return {learner_.parameters().begin(), learner_.parameters().end()};
}

std::optional<double> TrainingLoop::recent_flip_rate() const {
  if (flip_rates_.empty()) return std::nullopt;
  double sum = 0;
  for (const double rate : flip_rates_) sum += rate;
  return sum / static_cast<double>(flip_rates_.size());
}

bool TrainingLoop::at_standstill() const {
  return flip_rates_.size() == kFlipRateWindow && *recent_flip_rate() < kStandstillFlipRate;
}

void TrainingLoop::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put<std::uint64_t>(checks_without_improvement_);
  archive.put<std::uint64_t>(best_step_);
  archive.put(best_parameters_);
  archive.put(patience_selection_);
  archive.put(best_cost_);
  archive.put(best_selection_);
  archive.put(last_cost_);
  archive.put(stopped_by_);
  archive.put(flip_rates_);
  archive.put(rows_without_reference_);
  for (const SolveCounts* part : {&ledger_.training, &ledger_.validation, &ledger_.reference})
    put(archive, *part);
  learner_.save(archive);
}

void TrainingLoop::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  if (step_ > plan_.steps)
    archive.refuse("it was written after step " + std::to_string(step_) + ", expected at most " +
                   std::to_string(plan_.steps));
  checks_without_improvement_ = archive.get<std::uint64_t>();
  best_step_ = archive.get<std::uint64_t>();
  best_parameters_ = archive.get_doubles(learner_.parameters().size(), "the best parameters");
  patience_selection_ = archive.get<double>();
  best_cost_ = archive.get<double>();
  best_selection_ = archive.get<double>();
  last_cost_ = archive.get<double>();
  stopped_by_ = archive.get_text();
  flip_rates_ = archive.get_doubles();
  if (flip_rates_.size() > kFlipRateWindow)
    archive.refuse("it holds " + std::to_string(flip_rates_.size()) + " flip rates, expected at most " +
                   std::to_string(kFlipRateWindow));
  rows_without_reference_ = archive.get<std::uint64_t>();
  for (SolveCounts* part : {&ledger_.training, &ledger_.validation, &ledger_.reference}) get(archive, *part);
  learner_.load(archive);
}

}  // namespace polystep
