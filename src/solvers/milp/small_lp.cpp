#include "solvers/milp/small_lp.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace polystep::solvers {
namespace {

constexpr std::size_t kLargestTable = 20000;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr double kTolerance = 1e-9;  // of values, and of reduced costs relative to the largest cost
constexpr double kSmallestPivot = 1e-7;
constexpr double kChecked = 1e-7;  // what an answer may be off by

bool crossed(std::span<const double> lower, std::span<const double> upper) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (!(lower[i] <= upper[i])) return true;
  return false;
}

}  // namespace

bool SmallLp::suits(const MilpModel& model) {
  return !model.rows.empty() && model.columns.size() * model.rows.size() <= kLargestTable &&
         std::none_of(model.columns.begin(), model.columns.end(),
                      [](const MilpColumn& column) { return column.integer; });
}

SmallLp::SmallLp(const MilpModel& model, std::span<const BasisPlace> places)
    : columns_(model.columns.size()), rows_(model.rows.size()), model_(model) {
  for (std::size_t variable = 0; variable < variables(); ++variable) {
    if (places[variable] == BasisPlace::kBasic) {
      reference_basic_.push_back(variable);
    } else {
      reference_nonbasic_.push_back(variable);
      starts_high_.push_back(places[variable] == BasisPlace::kUpper);
    }
  }
  if (reference_basic_.size() != rows_) return;
  const auto rows = static_cast<Eigen::Index>(rows_), columns = static_cast<Eigen::Index>(columns_);
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, columns + rows);  // A x - r = 0
  for (Eigen::Index row = 0; row < rows; ++row) {
    for (const MilpEntry& entry : model.rows[static_cast<std::size_t>(row)].entries)
      all(row, static_cast<Eigen::Index>(entry.column)) += entry.coefficient;
    all(row, columns + row) = -1;
  }
  Eigen::MatrixXd base(rows, rows), others(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    base.col(i) = all.col(static_cast<Eigen::Index>(reference_basic_[static_cast<std::size_t>(i)]));
  for (Eigen::Index j = 0; j < columns; ++j)
    others.col(j) = all.col(static_cast<Eigen::Index>(reference_nonbasic_[static_cast<std::size_t>(j)]));
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(base);
  if (!factors.isInvertible()) return;
  const Eigen::MatrixXd table = -factors.solve(others);
  reference_table_.resize(rows_ * columns_);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j) {
      const double entry = table(i, j);
      // Zeros that rounding has blurred would cost a pass over their row in every pivot.
      reference_table_[static_cast<std::size_t>(i * columns + j)] = std::abs(entry) < 1e-12 ? 0.0 : entry;
    }
  ready_ = true;
}

double SmallLp::outside(std::size_t variable) const {
  if (value_[variable] < lower_[variable]) return value_[variable] - lower_[variable];
  return value_[variable] > upper_[variable] ? value_[variable] - upper_[variable] : 0.0;
}

// A nonbasic variable goes to the bound its reduced cost favours. False where there is no such bound; it then
// stays at the other one, and the primal simplex has to start.
bool SmallLp::place(std::size_t variable, double reduced_cost) {
  const bool has_lower = std::isfinite(lower_[variable]), has_upper = std::isfinite(upper_[variable]);
  const bool wants_upper = reduced_cost < -dual_tolerance_;
  if (!has_lower && !has_upper) {
    value_[variable] = 0;
    return std::abs(reduced_cost) <= dual_tolerance_;
  }
  const bool at_upper = (wants_upper && has_upper) || !has_lower;
  value_[variable] = at_upper ? upper_[variable] : lower_[variable];
  return wants_upper ? has_upper : has_lower || reduced_cost <= dual_tolerance_;
}

// Sets up the present solve. True where the start is dual feasible.
bool SmallLp::load(const LpNumbers& numbers) {
  basic_ = reference_basic_;
  nonbasic_ = reference_nonbasic_;
  table_ = reference_table_;
  lower_.assign(numbers.column_lower.begin(), numbers.column_lower.end());
  lower_.insert(lower_.end(), numbers.row_lower.begin(), numbers.row_lower.end());
  upper_.assign(numbers.column_upper.begin(), numbers.column_upper.end());
  upper_.insert(upper_.end(), numbers.row_upper.begin(), numbers.row_upper.end());
  value_.assign(variables(), 0.0);
  const auto cost = [&](std::size_t variable) {
    return variable < columns_ ? numbers.objective[variable] : 0.0;
  };
  double largest = 0;
  for (const double coefficient : numbers.objective) largest = std::max(largest, std::abs(coefficient));
  dual_tolerance_ = kTolerance * (largest > 0 ? largest : 1.0);
  reduced_.resize(columns_);
  for (std::size_t j = 0; j < columns_; ++j) reduced_[j] = cost(nonbasic_[j]);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double basic_cost = cost(basic_[i]);
    if (basic_cost == 0) continue;
    const double* row = table_.data() + i * columns_;
    for (std::size_t j = 0; j < columns_; ++j) reduced_[j] += basic_cost * row[j];
  }
  bool dual_feasible = true;
  for (std::size_t j = 0; j < columns_; ++j) dual_feasible &= place(nonbasic_[j], reduced_[j]);
  if (!dual_feasible)  // back to the reference point, which the primal simplex can start from
    for (std::size_t j = 0; j < columns_; ++j) place(nonbasic_[j], starts_high_[j] ? -largest : largest);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double* row = table_.data() + i * columns_;
    double sum = 0;
    for (std::size_t j = 0; j < columns_; ++j) sum += row[j] * value_[nonbasic_[j]];
    value_[basic_[i]] = sum;
  }
  return dual_feasible;
}

bool SmallLp::primal_feasible() const {
  return std::all_of(basic_.begin(), basic_.end(), [&](std::size_t variable) {
    return std::abs(outside(variable)) <= kTolerance * std::max(1.0, std::abs(value_[variable]));
  });
}

// A nonbasic variable moves by `step`; basic ones follow.
void SmallLp::move(std::size_t position, double step) {
  value_[nonbasic_[position]] += step;
  for (std::size_t i = 0; i < rows_; ++i) value_[basic_[i]] += table_[i * columns_ + position] * step;
}

// Exchanges a basic and a nonbasic variable: the row is solved for the latter and put into the others.
void SmallLp::pivot(std::size_t row, std::size_t position) {
  double* own = table_.data() + row * columns_;
  const double inverse = 1 / own[position];
  for (std::size_t j = 0; j < columns_; ++j) own[j] *= -inverse;
  own[position] = inverse;
  scratch_.assign(own, own + columns_);
  scratch_[position] = 0;
  const auto substitute = [&](double* target) {
    const double factor = target[position];
    if (factor == 0) return;
    for (std::size_t j = 0; j < columns_; ++j) target[j] += factor * scratch_[j];
    target[position] = factor * inverse;
  };
  for (std::size_t i = 0; i < rows_; ++i)
    if (i != row) substitute(table_.data() + i * columns_);
  substitute(reduced_.data());
  std::swap(basic_[row], nonbasic_[position]);
}

// The nonbasic variable by which the row's value is brought to its bound, `wanted` away, at the least loss:
// the ratio test of the dual simplex. Among equals the largest pivot.
std::size_t SmallLp::entering_for(std::size_t row, double wanted) const {
  std::size_t best = kNone;
  double best_ratio = 0, best_pivot = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    const double entry = table_[row * columns_ + j];
    if (std::abs(entry) < kSmallestPivot) continue;
    const std::size_t variable = nonbasic_[j];
    if (lower_[variable] == upper_[variable]) continue;
    const bool up = (entry > 0) == (wanted > 0);
    if (up ? value_[variable] >= upper_[variable] : value_[variable] <= lower_[variable]) continue;
    const double ratio = std::abs(reduced_[j] / entry);
    const bool better = best == kNone || ratio < best_ratio - kTolerance * dual_tolerance_ ||
                        (ratio <= best_ratio && std::abs(entry) > best_pivot);
    if (!better) continue;
    best = j;
    best_ratio = ratio;
    best_pivot = std::abs(entry);
  }
  return best;
}

bool SmallLp::run_dual() {
  const std::size_t most = 50 + 4 * variables();
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    std::size_t row = kNone;
    double worst = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double amount = std::abs(outside(basic_[i]));
      if (amount > kTolerance * std::max(1.0, std::abs(value_[basic_[i]])) && amount > worst) {
        worst = amount;
        row = i;
      }
    }
    if (row == kNone) return true;
    const double wanted = -outside(basic_[row]);
    const std::size_t position = entering_for(row, wanted);
    if (position == kNone) return false;  // no solution, which is for others to say
    const std::size_t leaving = basic_[row];
    const double bound = wanted > 0 ? lower_[leaving] : upper_[leaving];
    move(position, wanted / table_[row * columns_ + position]);
    value_[leaving] = bound;
    pivot(row, position);
  }
  return false;
}

bool SmallLp::run_primal() {
  const std::size_t most = 50 + 4 * variables();
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    std::size_t position = kNone;
    double worst = dual_tolerance_;
    for (std::size_t j = 0; j < columns_; ++j) {
      const std::size_t variable = nonbasic_[j];
      const bool can_rise = value_[variable]<upper_[variable], can_fall = value_[variable]> lower_[variable];
      const double gain = reduced_[j] < 0 ? (can_rise ? -reduced_[j] : 0) : (can_fall ? reduced_[j] : 0);
      if (gain > worst) {
        worst = gain;
        position = j;
      }
    }
    if (position == kNone) return true;
    const std::size_t entering = nonbasic_[position];
    const double direction = reduced_[position] < 0 ? 1 : -1;
    double step = direction > 0 ? upper_[entering] - value_[entering] : value_[entering] - lower_[entering];
    std::size_t row = kNone;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double rate = direction * table_[i * columns_ + position];
      if (std::abs(rate) < kSmallestPivot) continue;
      const std::size_t variable = basic_[i];
      const double room =
          rate > 0 ? upper_[variable] - value_[variable] : value_[variable] - lower_[variable];
      const double limit = std::max(room, 0.0) / std::abs(rate);
      const bool tied =
          row != kNone && limit <= step && std::abs(rate) > std::abs(table_[row * columns_ + position]);
      if (!(limit < step) && !tied) continue;
      step = limit;
      row = i;
    }
    if (!std::isfinite(step)) return false;  // without end
    move(position, direction * step);
    if (row == kNone) {
      value_[entering] = direction > 0 ? upper_[entering] : lower_[entering];
      continue;
    }
    const std::size_t leaving = basic_[row];
    value_[leaving] = direction * table_[row * columns_ + position] > 0 ? upper_[leaving] : lower_[leaving];
    pivot(row, position);
  }
  return false;
}

// The optimality conditions from the programme's own numbers: within all bounds, and no reduced cost that
// points to a better solution.
bool SmallLp::verified(const LpNumbers& numbers, std::span<const double> solution) const {
  std::vector<double> price(rows_, 0.0), reduced(numbers.objective.begin(), numbers.objective.end());
  for (std::size_t j = 0; j < columns_; ++j)
    if (nonbasic_[j] >= columns_) price[nonbasic_[j] - columns_] = reduced_[j];
  const double cost_slack = kChecked / kTolerance * dual_tolerance_;
  const auto holds = [&](double value, double lower, double upper, double scale, double reduced_cost) {
    const double slack = kChecked * std::max(scale, std::abs(value));
    if (value < lower - slack || value > upper + slack) return false;
    if (reduced_cost > cost_slack) return value <= lower + slack;
    if (reduced_cost < -cost_slack) return value >= upper - slack;
    return true;
  };
  for (std::size_t row = 0; row < rows_; ++row) {
    double sum = 0, scale = 1;
    for (const MilpEntry& entry : model_.rows[row].entries) {
      const double term = entry.coefficient * solution[entry.column];
      sum += term;
      scale = std::max(scale, std::abs(term));
      reduced[entry.column] += price[row] * entry.coefficient * -1.0;
    }
    if (!holds(sum, numbers.row_lower[row], numbers.row_upper[row], scale, price[row])) return false;
  }
  for (std::size_t column = 0; column < columns_; ++column)
    if (!holds(solution[column], numbers.column_lower[column], numbers.column_upper[column], 1,
               reduced[column]))
      return false;
  return true;
}

bool SmallLp::solve(const LpNumbers& numbers, std::span<double> solution) {
  if (!ready_ || crossed(numbers.column_lower, numbers.column_upper) ||
      crossed(numbers.row_lower, numbers.row_upper))
    return false;
  if (load(numbers)) {
    if (!run_dual()) return false;
  } else if (!primal_feasible() || !run_primal()) {
    return false;
  }
  for (std::size_t column = 0; column < columns_; ++column)
    solution[column] = std::clamp(value_[column], lower_[column], upper_[column]);
  return verified(numbers, solution);
}

}  // namespace polystep::solvers
