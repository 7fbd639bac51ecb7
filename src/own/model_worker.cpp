#include "own/model_worker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {
namespace {

using solvers::MilpResult;
using solvers::MilpStatus;

constexpr double kCannot = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr double kChangeTolerance = 1e-6;  // below it a column chosen again counts as kept

// To a multiple of 2^-30, where that is finer than a double's own steps.
double rounded(double value) {
  constexpr double kGrid = 1073741824.0, kLargest = 4194304.0;
  return std::abs(value) < kLargest ? std::nearbyint(value * kGrid) / kGrid + 0.0 : value;
}

double sign_of(const solvers::MilpModel& model) {
  return model.sense == solvers::Sense::kMinimise ? 1.0 : -1.0;
}

// A row's sum under present coefficients, and the size that its rounding is relative to.
struct Activity {
  double sum = 0;
  double scale = 1;
};
Activity activity_of(const solvers::MilpRow& row, const std::vector<double>& coefficients,
                     std::span<const double> decision) {
  Activity activity;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    const double term = coefficients[e] * decision[row.entries[e].column];
    activity.sum += term;
    activity.scale = std::max(activity.scale, std::abs(term));
  }
  return activity;
}

// The model with a column for each priced side of a row, by which it may be broken.
solvers::MilpModel with_slacks(const ModelSetup& setup, std::vector<std::size_t>& below,
                               std::vector<std::size_t>& above) {
  solvers::MilpModel model = setup.model.milp;
  below.assign(model.rows.size(), kNoColumn);
  above.assign(model.rows.size(), kNoColumn);
  const auto add = [&](std::size_t row, double coefficient, double price) {
    const std::size_t column = model.add_column(0, solvers::kUnbounded, sign_of(model) * price);
    model.rows[row].entries.push_back({column, coefficient});
    return column;
  };
  for (const Penalty& penalty : setup.penalties) {
    if (!penalty.row) continue;
    if (penalty.below > 0) below[penalty.index] = add(penalty.index, 1, penalty.below);
    if (penalty.above > 0) above[penalty.index] = add(penalty.index, -1, penalty.above);
  }
  return model;
}

}  // namespace

ModelWorker::ModelWorker(std::shared_ptr<const ModelSetup> setup, std::span<const double> usual)
    : setup_(std::move(setup)),
      numbers_(setup_->model.milp),
      decider_(setup_->model.milp),
      is_free_(setup_->model.milp.columns.size()),
      row_penalty_(setup_->model.milp.rows.size()),
      column_penalty_(setup_->model.milp.columns.size()) {
  for (const std::size_t column : setup_->free_columns) is_free_[column] = 1;
  for (const Penalty& penalty : setup_->penalties)
    (penalty.row ? row_penalty_ : column_penalty_)[penalty.index] = &penalty;
  find_touched();
  if (!setup_->free_columns.empty())
    recourse_ = std::make_unique<solvers::MilpSolver>(with_slacks(*setup_, slack_below_, slack_above_));
  if (!usual.empty()) start_from(usual);
}

// What slots write to, each row, column and entry once.
void ModelWorker::find_touched() {
  std::vector<std::size_t>&rows = touched_rows_, &columns = touched_columns_;
  for (const SlotTable* table : {&setup_->known, &setup_->predicted})
    for (const ModelSlot& slot : table->slots) {
      if (slot.kind == SlotKind::kObjective) objective_touched_ = true;
      if (slot.kind == SlotKind::kEntry) touched_entries_.emplace_back(slot.index, slot.entry);
      if (slot.kind == SlotKind::kColumnLower || slot.kind == SlotKind::kColumnUpper)
        columns.push_back(slot.index);
      if (slot.kind == SlotKind::kRightSide || slot.kind == SlotKind::kRowLower ||
          slot.kind == SlotKind::kRowUpper)
        rows.push_back(slot.index);
    }
  for (std::vector<std::size_t>* list : {&rows, &columns}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

void ModelWorker::start_from(std::span<const double> usual) {
  if (!fill(usual, 0) || !load(decider_)) return;
  decider_.start_from_here();
  const std::vector<solvers::BasisPlace> basis = decider_.start_basis();
  if (!basis.empty() && touched_entries_.empty() && solvers::SmallLp::suits(setup_->model.milp))
    small_ = std::make_unique<solvers::SmallLp>(setup_->model.milp, basis);
  if (!recourse_) return;
  const MilpResult result = decider_.solve(setup_->limits);
  if (!result.solution.empty() && load_recourse(result.solution)) recourse_->start_from_here();
}

bool ModelWorker::fill(std::span<const double> parameters, std::size_t instance) {
  for (const double parameter : parameters)
    if (!std::isfinite(parameter)) return false;
  const std::size_t width = setup_->known_width();
  if (width != 0) {
    if ((instance + 1) * width > setup_->known_values.size()) return false;
    numbers_.fill(setup_->known.slots, setup_->known_values.data() + instance * width);
  }
  numbers_.fill(setup_->predicted.slots, parameters.data());
  return true;
}

// False where bounds cross, which the solver would not take.
bool ModelWorker::load(solvers::MilpSolver& solver) const {
  for (const std::size_t row : touched_rows_) {
    if (numbers_.row_lower[row] > numbers_.row_upper[row]) return false;
    solver.set_row_bounds(row, numbers_.row_lower[row], numbers_.row_upper[row]);
  }
  for (const std::size_t column : touched_columns_) {
    if (numbers_.column_lower[column] > numbers_.column_upper[column]) return false;
    solver.set_column_bounds(column, numbers_.column_lower[column], numbers_.column_upper[column]);
  }
  for (const auto& [row, entry] : touched_entries_)
    solver.set_coefficient(row, entry, numbers_.coefficients[row][entry]);
  if (!objective_touched_) return true;
  std::vector<double> objective = numbers_.objective;
  for (std::size_t slack = objective.size(); slack < solver.model().columns.size(); ++slack)
    objective.push_back(solver.model().columns[slack].objective);
  solver.set_objective(objective);
  return true;
}

bool ModelWorker::decide_small(std::span<double> decision) {
  if (!small_ || !small_->ready()) return false;
  const double sign = sign_of(setup_->model.milp);
  minimised_.resize(numbers_.objective.size());
  for (std::size_t column = 0; column < minimised_.size(); ++column)
    minimised_[column] = sign * numbers_.objective[column];
  return small_->solve({.objective = minimised_,
                        .column_lower = numbers_.column_lower,
                        .column_upper = numbers_.column_upper,
                        .row_lower = numbers_.row_lower,
                        .row_upper = numbers_.row_upper},
                       decision);
}

MilpStatus ModelWorker::decide(std::span<const double> parameters, std::size_t instance,
                               std::span<double> decision) {
  ModelFailures& failures = *setup_->failures;
  if (!fill(parameters, instance)) {
    ++failures.not_finite;
    return MilpStatus::kFailed;
  }
  if (decide_small(decision)) {
    for (double& value : decision) value = rounded(value);
    return MilpStatus::kOptimal;
  }
  if (!load(decider_)) {
    ++failures.infeasible;
    return MilpStatus::kInfeasible;
  }
  const MilpResult result = decider_.solve(setup_->limits);
  for (std::size_t column = 0; column < result.solution.size(); ++column)
    decision[column] = rounded(result.solution[column]);
  if (result.status == MilpStatus::kOptimal) return MilpStatus::kOptimal;
  if (result.status == MilpStatus::kInfeasible) ++failures.infeasible;
  if (result.status == MilpStatus::kUnbounded) ++failures.unbounded;
  if (result.status == MilpStatus::kFailed) ++failures.numerical;
  if (result.status == MilpStatus::kLimit && result.solution.empty()) ++failures.limit;
  // A limit without a solution is told by there being none.
  return result.status == MilpStatus::kLimit && result.solution.empty() ? MilpStatus::kFailed : result.status;
}

Realisation ModelWorker::realise(std::span<const double> decision, std::span<const double> truth,
                                  std::size_t instance) {
  if (!fill(truth, instance)) return {kCannot, {}};
  const Breach breach = breach_of(decision);
  Realisation outcome{kCannot, {.infeasible = breach.any, .changed = breach.any}};
  if (recourse_ && !breach.unpaid_column) outcome = choose_again(decision, outcome, breach.column_price);
  if (!recourse_ && !breach.unpaid)
    outcome.cost = sign_of(setup_->model.milp) * own_value(decision) + breach.row_price + breach.column_price;
  if (!std::isfinite(outcome.cost)) ++setup_->failures->broken;
  return outcome;
}

double ModelWorker::own_value(std::span<const double> decision) const {
  double sum = setup_->model.constant;
  for (std::size_t column = 0; column < decision.size(); ++column)
    sum += numbers_.objective[column] * decision[column];
  return sum;
}

void ModelWorker::add_breach(Breach& breach, double& price, double value, double lower, double upper,
                             double scale, const Penalty* penalty) const {
  const double below = std::max(lower - value, 0.0), above = std::max(value - upper, 0.0);
  if (below == 0 && above == 0) return;
  for (const double bound : {lower, upper})
    if (std::isfinite(bound)) scale = std::max(scale, std::abs(bound));
  const bool broken = below + above > solvers::kFeasibilityTolerance * scale;
  const double unit = penalty == nullptr ? 0 : below > 0 ? penalty->below : penalty->above;
  breach.any |= broken;
  breach.unpaid |= broken && unit == 0;
  price += unit * (below + above);
}

ModelWorker::Breach ModelWorker::breach_of(std::span<const double> decision) const {
  const solvers::MilpModel& model = setup_->model.milp;
  Breach breach;
  for (std::size_t row = 0; row < model.rows.size(); ++row) {
    const Activity activity = activity_of(model.rows[row], numbers_.coefficients[row], decision);
    add_breach(breach, breach.row_price, activity.sum, numbers_.row_lower[row], numbers_.row_upper[row],
               activity.scale, row_penalty_[row]);
  }
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (is_free_[column]) continue;  // it will be chosen within its true bounds
    const bool unpaid = breach.unpaid;
    add_breach(breach, breach.column_price, decision[column], numbers_.column_lower[column],
               numbers_.column_upper[column], 1, column_penalty_[column]);
    breach.unpaid_column |= breach.unpaid && !unpaid;
  }
  return breach;
}

bool ModelWorker::load_recourse(std::span<const double> decision) {
  if (!load(*recourse_)) return false;
  for (std::size_t column = 0; column < decision.size(); ++column)
    if (!is_free_[column]) recourse_->set_column_bounds(column, decision[column], decision[column]);
  return true;
}

// The best for the truth of what is free, with broken rows paid for.
Realisation ModelWorker::choose_again(std::span<const double> decision, Realisation outcome,
                                       double column_price) {
  if (!load_recourse(decision)) return outcome;
  const MilpResult result = recourse_->solve(setup_->limits);
  if (result.solution.empty()) return outcome;
  outcome.cost = sign_of(setup_->model.milp) * (result.objective + setup_->model.constant) + column_price;
  for (std::size_t column = 0; column < decision.size(); ++column)
    outcome.recourse.changed |= std::abs(result.solution[column] - decision[column]) >
                                kChangeTolerance * std::max(1.0, std::abs(decision[column]));
  return outcome;
}

}  // namespace polystep
