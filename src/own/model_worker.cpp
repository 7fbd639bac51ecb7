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

// The model with a column for each priced side of a row, by which it may be broken. These come last, in the
// model and in each row.
solvers::MilpModel with_slacks(const ModelSetup& setup) {
  solvers::MilpModel model = setup.model.milp;
  const auto add = [&](std::size_t row, double coefficient, double price) {
    const std::size_t column = model.add_column(0, solvers::kUnbounded, sign_of(model) * price);
    model.rows[row].entries.push_back({column, coefficient});
  };
  for (const Penalty& penalty : setup.penalties) {
    if (!penalty.row) continue;
    if (penalty.below > 0) add(penalty.index, 1, penalty.below);
    if (penalty.above > 0) add(penalty.index, -1, penalty.above);
  }
  return model;
}

std::unique_ptr<solvers::MilpSolver> recourse_solver(const ModelSetup& setup) {
  return setup.free_columns.empty() ? nullptr
                                    : std::make_unique<solvers::MilpSolver>(with_slacks(setup), setup.engine);
}

}  // namespace

ModelWorker::ModelWorker(std::shared_ptr<const ModelSetup> setup, std::span<const double> usual)
    : setup_(std::move(setup)),
      columns_(setup_->model.milp.columns.size()),
      recourse_(recourse_solver(*setup_)),
      numbers_(recourse_ ? recourse_->model() : setup_->model.milp),
      decider_(setup_->model.milp, setup_->engine),
      is_free_(columns_),
      row_penalty_(setup_->model.milp.rows.size()),
      column_penalty_(columns_) {
  for (const std::size_t column : setup_->free_columns) is_free_[column] = 1;
  for (const Penalty& penalty : setup_->penalties)
    (penalty.row ? row_penalty_ : column_penalty_)[penalty.index] = &penalty;
  find_touched();
  chosen_.resize(numbers_.objective.size());
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

// Every solve starts from a basis for the usual parameters.
void ModelWorker::start_from(std::span<const double> usual) {
  make_small(recourse_ ? recourse_->model() : setup_->model.milp);
  if (!fill(usual, 0) || !load(decider_)) return;
  decider_.start_from_here();
  if (small_decider_) small_decider_->start_from(decider_.start_basis());
  if (!recourse_) return;
  std::vector<double> decision(columns_);
  if (!find(decision).solution || !load_recourse(decision)) return;
  recourse_->start_from_here();
  if (small_recourse_) small_recourse_->start_from(recourse_->start_basis());
}

// Columns that stay where they are need not be chosen: those that are fixed, and in recourse those that are
// not free.
void ModelWorker::make_small(const solvers::MilpModel& recourse_model) {
  const solvers::MilpModel& model = setup_->model.milp;
  solvers::SmallShape deciding{std::vector<char>(columns_), touched_entries_};
  solvers::SmallShape again{std::vector<char>(recourse_model.columns.size()), touched_entries_};
  for (std::size_t column = 0; column < columns_; ++column) {
    const bool touched = std::binary_search(touched_columns_.begin(), touched_columns_.end(), column);
    deciding.given[column] = !touched && model.columns[column].lower == model.columns[column].upper;
    again.given[column] = !is_free_[column];
  }
  small_decider_ = std::make_unique<solvers::SmallProgramme>(model, std::move(deciding));
  if (!small_decider_->suits()) small_decider_.reset();
  if (!recourse_) return;
  small_recourse_ = std::make_unique<solvers::SmallProgramme>(recourse_model, std::move(again));
  if (!small_recourse_->suits()) small_recourse_.reset();
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

bool ModelWorker::bounds_cross() const {
  return std::any_of(touched_rows_.begin(), touched_rows_.end(),
                     [&](std::size_t row) { return numbers_.row_lower[row] > numbers_.row_upper[row]; }) ||
         std::any_of(touched_columns_.begin(), touched_columns_.end(), [&](std::size_t column) {
           return numbers_.column_lower[column] > numbers_.column_upper[column];
         });
}

// False where bounds cross, which the solver would not take.
bool ModelWorker::load(solvers::MilpSolver& solver) const {
  if (bounds_cross()) return false;
  for (const std::size_t row : touched_rows_)
    solver.set_row_bounds(row, numbers_.row_lower[row], numbers_.row_upper[row]);
  for (const std::size_t column : touched_columns_)
    solver.set_column_bounds(column, numbers_.column_lower[column], numbers_.column_upper[column]);
  for (const auto& [row, entry] : touched_entries_)
    solver.set_coefficient(row, entry, numbers_.coefficients[row][entry]);
  if (objective_touched_)
    solver.set_objective(std::span(numbers_.objective).first(solver.model().columns.size()));
  return true;
}

// The numbers as a small programme wants them.
solvers::ProgrammeNumbers ModelWorker::view(std::size_t columns, std::span<const double> given) {
  entry_values_.resize(touched_entries_.size());
  for (std::size_t k = 0; k < touched_entries_.size(); ++k)
    entry_values_[k] = numbers_.coefficients[touched_entries_[k].first][touched_entries_[k].second];
  return {.objective = std::span(numbers_.objective).first(columns),
          .column_lower = std::span(numbers_.column_lower).first(columns),
          .column_upper = std::span(numbers_.column_upper).first(columns),
          .row_lower = numbers_.row_lower,
          .row_upper = numbers_.row_upper,
          .entries = entry_values_,
          .given = given};
}

// Asking for the time takes as long as a small solve.
std::chrono::steady_clock::time_point ModelWorker::now_if_limited() const {
  return std::isfinite(setup_->limits.seconds) ? std::chrono::steady_clock::now()
                                               : std::chrono::steady_clock::time_point{};
}

// What is left of the limits for the general solver.
solvers::MilpLimits ModelWorker::limits_after(std::chrono::steady_clock::time_point start) const {
  solvers::MilpLimits limits = setup_->limits;
  limits.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return limits;
}

// The decision for the numbers filled in. A limit without a solution is told by there being none.
ModelWorker::Found ModelWorker::find(std::span<double> decision) {
  if (bounds_cross()) return {MilpStatus::kInfeasible, false};
  const auto start = now_if_limited();
  if (small_decider_) {
    const auto status =
        small_decider_->solve(view(columns_, numbers_.column_lower), setup_->limits, decision);
    if (status == MilpStatus::kOptimal)
      for (double& value : decision) value = rounded(value);
    if (status) return {*status, *status == MilpStatus::kOptimal};
  }
  load(decider_);
  const MilpResult result = decider_.solve(limits_after(start));
  for (std::size_t column = 0; column < result.solution.size(); ++column)
    decision[column] = rounded(result.solution[column]);
  return {result.status, !result.solution.empty()};
}

MilpStatus ModelWorker::decide(std::span<const double> parameters, std::size_t instance,
                               std::span<double> decision) {
  ModelFailures& failures = *setup_->failures;
  if (!fill(parameters, instance)) {
    ++failures.not_finite;
    return MilpStatus::kFailed;
  }
  const Found found = find(decision);
  if (found.status == MilpStatus::kOptimal) return MilpStatus::kOptimal;
  if (found.status == MilpStatus::kInfeasible) ++failures.infeasible;
  if (found.status == MilpStatus::kUnbounded) ++failures.unbounded;
  if (found.status == MilpStatus::kFailed) ++failures.numerical;
  if (found.status == MilpStatus::kLimit && !found.solution) ++failures.limit;
  return found.status == MilpStatus::kLimit && !found.solution ? MilpStatus::kFailed : found.status;
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

// The best for the truth of what is free, with broken rows paid for: chosen_. False where there is none.
bool ModelWorker::solve_recourse(std::span<const double> decision) {
  if (bounds_cross()) return false;
  const auto start = now_if_limited();
  if (small_recourse_) {
    const auto status = small_recourse_->solve(view(chosen_.size(), decision), setup_->limits, chosen_);
    if (status) return *status == MilpStatus::kOptimal;
  }
  load_recourse(decision);
  const MilpResult result = recourse_->solve(limits_after(start));
  std::copy(result.solution.begin(), result.solution.end(), chosen_.begin());
  return !result.solution.empty();
}

Realisation ModelWorker::choose_again(std::span<const double> decision, Realisation outcome,
                                      double column_price) {
  if (!solve_recourse(decision)) return outcome;
  double value = 0;
  for (std::size_t column = 0; column < chosen_.size(); ++column)
    value += numbers_.objective[column] * chosen_[column];
  outcome.cost = sign_of(setup_->model.milp) * (value + setup_->model.constant) + column_price;
  for (std::size_t column = 0; column < decision.size(); ++column)
    outcome.recourse.changed |= std::abs(chosen_[column] - decision[column]) >
                                kChangeTolerance * std::max(1.0, std::abs(decision[column]));
  return outcome;
}

}  // namespace polystep
