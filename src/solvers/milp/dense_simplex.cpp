#include "solvers/milp/dense_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace polystep::solvers {
namespace {

constexpr double kSimplexTolerance = 1e-9;  // of values, and of reduced costs relative to the largest cost
constexpr double kTied = 1e-12;             // reduced costs that count as equal in the ratio test, likewise
constexpr double kSmallestPivot = 1e-7;
constexpr double kSmallestOfBasis = 1e-9;

}  // namespace

void DenseSimplex::load_matrix(const DenseProgramme& programme) {
  columns_ = programme.columns;
  rows_ = programme.rows;
  stride_ = programme.stride;
  table_.resize((rows_ + 1) * stride_);
  std::copy(programme.matrix.begin(), programme.matrix.end(), table_.begin());
  std::fill_n(table(rows_), stride_, 0.0);
  basic_.resize(rows_);
  nonbasic_.resize(columns_);
  for (std::size_t row = 0; row < rows_; ++row)
    basic_[row] = static_cast<std::uint32_t>(programme.sum_of(row));
  for (std::size_t j = 0; j < columns_; ++j) nonbasic_[j] = static_cast<std::uint32_t>(j);
  side_.assign(stride_, 0.0);
  scratch_.assign(stride_, 0.0);
  value_.assign(programme.variables(), 0.0);
  load_numbers(programme);
}

void DenseSimplex::bring_in(std::span<const char> basis) {
  const auto wanted = [&](std::size_t variable) { return basis[variable] != 0; };
  while (true) {
    std::size_t best_row = kNone, best_position = kNone;
    double best = kSmallestOfBasis;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (wanted(basic_[row])) continue;
      for (std::size_t j = 0; j < columns_; ++j) {
        const double entry = std::abs(table(row)[j]);
        if (!(entry > best) || !wanted(nonbasic_[j])) continue;
        best = entry;
        best_row = row;
        best_position = j;
      }
    }
    if (best_row == kNone) break;
    pivot(best_row, best_position);
  }
  // Zeros that rounding has blurred would cost a pass over their row in every pivot.
  for (double& entry : table_)
    if (std::abs(entry) < 1e-12) entry = 0.0;
}

void DenseSimplex::load_numbers(const DenseProgramme& programme) {
  lower_ = programme.lower;
  upper_ = programme.upper;
}

void DenseSimplex::price_nothing() {
  std::fill_n(table(rows_), stride_, 0.0);
  dual_tolerance_ = kSimplexTolerance;
}

void DenseSimplex::price(const DenseProgramme& programme) {
  const double largest = programme.largest_cost();
  dual_tolerance_ = kSimplexTolerance * (largest > 0 ? largest : 1.0);
  double* costs = table(rows_);
  const auto cost = [&](std::size_t variable) {
    return variable < columns_ ? programme.objective[variable] : 0.0;
  };
  for (std::size_t j = 0; j < columns_; ++j) costs[j] = cost(nonbasic_[j]);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double basic_cost = cost(basic_[row]);
    if (basic_cost == 0) continue;
    const double* entries = table(row);
    for (std::size_t j = 0; j < stride_; ++j) costs[j] += basic_cost * entries[j];
  }
}

bool DenseSimplex::is_free(std::size_t variable) const {
  return lower_[variable] == -kUnbounded && upper_[variable] == kUnbounded;
}

bool DenseSimplex::place_for_prices() {
  bool favoured = true;
  free_count_ = 0;
  const double* costs = reduced();
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = nonbasic_[j];
    const bool has_lower = lower_[variable] > -kUnbounded, has_upper = upper_[variable] < kUnbounded;
    const bool wants_upper = costs[j] < -dual_tolerance_;
    if (!has_lower && !has_upper) {
      value_[variable] = 0;
      side_[j] = 0;
      ++free_count_;
      favoured &= std::abs(costs[j]) <= dual_tolerance_;
      continue;
    }
    const bool at_upper = (wants_upper && has_upper) || !has_lower;
    value_[variable] = at_upper ? upper_[variable] : lower_[variable];
    side_[j] = lower_[variable] == upper_[variable] ? 0.0 : at_upper ? -1.0 : 1.0;
    favoured &= wants_upper ? has_upper : has_lower || costs[j] <= dual_tolerance_;
  }
  settle();
  return favoured;
}

void DenseSimplex::place(std::span<const char> high) {
  free_count_ = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = nonbasic_[j];
    const bool has_lower = lower_[variable] > -kUnbounded, has_upper = upper_[variable] < kUnbounded;
    const bool at_upper = has_upper && (high[variable] != 0 || !has_lower);
    value_[variable] = at_upper ? upper_[variable] : has_lower ? lower_[variable] : 0.0;
    free_count_ += !has_lower && !has_upper ? 1 : 0;
    side_[j] = (!has_lower && !has_upper) || lower_[variable] == upper_[variable] ? 0.0
               : at_upper                                                         ? -1.0
                                                                                  : 1.0;
  }
  settle();
}

// Values of basic variables from those of the others.
void DenseSimplex::settle() {
  for (std::size_t j = 0; j < columns_; ++j) scratch_[j] = value_[nonbasic_[j]];
  std::fill(scratch_.begin() + static_cast<std::ptrdiff_t>(columns_), scratch_.end(), 0.0);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double* entries = table(row);
    DenseLanes::Real sums = {};
    for (std::size_t j = 0; j < stride_; j += DenseLanes::kWidth)
      sums += simd::load<DenseLanes>(entries + j) * simd::load<DenseLanes>(scratch_.data() + j);
    value_[basic_[row]] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  work_ += rows_ * stride_;
}

double DenseSimplex::outside(std::size_t variable) const {
  if (value_[variable] < lower_[variable]) return value_[variable] - lower_[variable];
  return value_[variable] > upper_[variable] ? value_[variable] - upper_[variable] : 0.0;
}

double DenseSimplex::tolerance_at(double value) const {
  return kSimplexTolerance * std::max(1.0, std::abs(value));
}

bool DenseSimplex::within_bounds() const {
  return std::all_of(basic_.begin(), basic_.end(), [&](std::size_t variable) {
    return std::abs(outside(variable)) <= tolerance_at(value_[variable]);
  });
}

void DenseSimplex::sum_objective(const DenseProgramme& programme) {
  objective_ = 0;
  for (std::size_t column = 0; column < columns_; ++column)
    objective_ += programme.objective[column] * value_[column];
}

void DenseSimplex::set_bounds(std::size_t variable, double lower, double upper) {
  lower_[variable] = lower;
  upper_[variable] = upper;
}

std::uint64_t DenseSimplex::take_work() { return std::exchange(work_, 0); }

// A nonbasic variable moves by `step`; basic ones follow.
void DenseSimplex::move(std::size_t position, double step) {
  value_[nonbasic_[position]] += step;
  for (std::size_t row = 0; row < rows_; ++row) value_[basic_[row]] += table(row)[position] * step;
}

// Exchanges a basic and a nonbasic variable: the row is solved for the latter and put into the others.
void DenseSimplex::pivot(std::size_t row, std::size_t position) {
  double* own = table(row);
  const double inverse = 1 / own[position];
  for (std::size_t j = 0; j < stride_; ++j) own[j] *= -inverse;
  own[position] = 0;
  for (std::size_t target = 0; target <= rows_; ++target) {
    double* entries = table(target);
    const double factor = entries[position];
    if (factor == 0 || target == row) continue;
    for (std::size_t j = 0; j < stride_; ++j) entries[j] += factor * own[j];
    entries[position] = factor * inverse;
  }
  own[position] = inverse;
  std::swap(basic_[row], nonbasic_[position]);
  work_ += (rows_ + 1) * stride_;
}

std::size_t DenseSimplex::worst_row() const {
  std::size_t worst = kNone;
  double most = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::size_t variable = basic_[row];
    const double value = value_[variable];
    const double amount = std::max(lower_[variable] - value, value - upper_[variable]);
    if (amount > most && amount > tolerance_at(value)) {
      most = amount;
      worst = row;
    }
  }
  return worst;
}

// The nonbasic variable by which the row's value is brought to its bound, `wanted` away, at the least loss:
// the ratio test of the dual simplex. Among equals the largest pivot, then the first.
std::size_t DenseSimplex::entering_for(std::size_t row, double wanted) {
  const double* entries = table(row);
  const double* costs = reduced();
  if (free_count_ != 0) {
    std::size_t free_one = kNone;
    for (std::size_t j = 0; j < columns_; ++j)
      if (is_free(nonbasic_[j]) && std::abs(entries[j]) >= kSmallestPivot &&
          (free_one == kNone || std::abs(entries[j]) > std::abs(entries[free_one])))
        free_one = j;
    if (free_one != kNone) return free_one;
  }
  const DenseLanes::Real zero = {}, infinite = DenseLanes::all(kUnbounded),
                         smallest = DenseLanes::all(kSmallestPivot);
  const DenseLanes::Real direction = DenseLanes::all(wanted > 0 ? 1.0 : -1.0);
  const DenseLanes::Real slack = DenseLanes::all(kTied / kSimplexTolerance * dual_tolerance_);
  DenseLanes::Real least = infinite;
  for (std::size_t j = 0; j < stride_; j += DenseLanes::kWidth) {
    const DenseLanes::Real rate =
        simd::load<DenseLanes>(entries + j) * simd::load<DenseLanes>(side_.data() + j) * direction;
    const DenseLanes::Real cost = simd::load<DenseLanes>(costs + j), size = cost > zero ? cost : -cost;
    const DenseLanes::Real usable = rate > smallest ? rate : smallest;
    const DenseLanes::Real ratio = rate > smallest ? size / usable : infinite;
    least = DenseLanes::smaller(rate > smallest ? (size + slack) / usable : infinite, least);
    simd::store(scratch_.data() + j, ratio);
  }
  const double most = std::min({least[0], least[1], least[2], least[3]});
  if (most == kUnbounded) return kNone;
  std::size_t best = kNone;
  double best_pivot = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (scratch_[j] > most || !(std::abs(entries[j]) > best_pivot)) continue;
    best = j;
    best_pivot = std::abs(entries[j]);
  }
  return best;
}

SimplexEnd DenseSimplex::run_dual(double limit) {
  const std::size_t most = 50 + 4 * (columns_ + rows_);
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    const std::size_t row = worst_row();
    if (row == kNone) return SimplexEnd::kOptimal;
    const double wanted = -outside(basic_[row]);
    const std::size_t position = entering_for(row, wanted);
    if (position == kNone) {
      blocked_row_ = row;
      return SimplexEnd::kNoSolution;
    }
    const std::size_t leaving = basic_[row], entering = nonbasic_[position];
    const double step = wanted / table(row)[position];
    objective_ += reduced()[position] * step;
    free_count_ -= free_count_ != 0 && is_free(entering) ? 1 : 0;
    move(position, step);
    value_[leaving] = wanted > 0 ? lower_[leaving] : upper_[leaving];
    pivot(row, position);
    side_[position] = lower_[leaving] == upper_[leaving] ? 0.0 : wanted > 0 ? 1.0 : -1.0;
    if (objective_ > limit) return SimplexEnd::kBeyond;
  }
  return SimplexEnd::kStuck;
}

SimplexEnd DenseSimplex::run_primal() {
  const std::size_t most = 50 + 4 * (columns_ + rows_);
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    const double* costs = reduced();
    std::size_t position = kNone;
    double worst = dual_tolerance_;
    for (std::size_t j = 0; j < columns_; ++j) {
      double gain = -costs[j] * side_[j];
      if (free_count_ != 0 && is_free(nonbasic_[j])) gain = std::abs(costs[j]);
      if (gain > worst) {
        worst = gain;
        position = j;
      }
    }
    if (position == kNone) return SimplexEnd::kOptimal;
    const std::size_t entering = nonbasic_[position];
    const double direction = costs[position] < 0 ? 1 : -1;
    double step = direction > 0 ? upper_[entering] - value_[entering] : value_[entering] - lower_[entering];
    std::size_t row = kNone;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double rate = direction * table(i)[position];
      if (std::abs(rate) < kSmallestPivot) continue;
      const std::size_t variable = basic_[i];
      const double room =
          rate > 0 ? upper_[variable] - value_[variable] : value_[variable] - lower_[variable];
      const double limit = std::max(room, 0.0) / std::abs(rate);
      const bool tied = row != kNone && limit <= step && std::abs(rate) > std::abs(table(row)[position]);
      if (!(limit < step) && !tied) continue;
      step = limit;
      row = i;
    }
    if (!std::isfinite(step)) return SimplexEnd::kNoEnd;
    move(position, direction * step);
    if (row == kNone) {
      value_[entering] = direction > 0 ? upper_[entering] : lower_[entering];
      side_[position] = -side_[position];
      continue;
    }
    const std::size_t leaving = basic_[row];
    const bool high = direction * table(row)[position] > 0;
    free_count_ -= free_count_ != 0 && is_free(entering) ? 1 : 0;
    value_[leaving] = high ? upper_[leaving] : lower_[leaving];
    pivot(row, position);
    side_[position] = lower_[leaving] == upper_[leaving] ? 0.0 : high ? -1.0 : 1.0;
  }
  return SimplexEnd::kStuck;
}

void DenseSimplex::read_prices(std::span<double> prices) const {
  std::fill(prices.begin(), prices.end(), 0.0);
  for (std::size_t j = 0; j < columns_; ++j)
    if (nonbasic_[j] >= stride_) prices[nonbasic_[j] - stride_] = reduced()[j];
}

void DenseSimplex::read_multipliers(std::size_t row, std::span<double> multipliers) const {
  std::fill(multipliers.begin(), multipliers.end(), 0.0);
  if (basic_[row] >= stride_) multipliers[basic_[row] - stride_] = 1;
  for (std::size_t j = 0; j < columns_; ++j)
    if (nonbasic_[j] >= stride_) multipliers[nonbasic_[j] - stride_] -= table(row)[j];
}

DenseSimplex::Slopes DenseSimplex::slopes(std::size_t row) const {
  const double *entries = table(row), *costs = reduced();
  if (free_count_ != 0)
    for (std::size_t j = 0; j < columns_; ++j)
      if (is_free(nonbasic_[j]) && std::abs(entries[j]) >= kSmallestPivot) return {0, 0};
  const DenseLanes::Real zero = {}, infinite = DenseLanes::all(kUnbounded),
                         smallest = DenseLanes::all(kSmallestPivot);
  DenseLanes::Real rise = infinite, fall = infinite;
  for (std::size_t j = 0; j < stride_; j += DenseLanes::kWidth) {
    const DenseLanes::Real rate =
        simd::load<DenseLanes>(entries + j) * simd::load<DenseLanes>(side_.data() + j);
    const DenseLanes::Real size = rate > zero ? rate : -rate, usable = size > smallest ? size : smallest;
    const DenseLanes::Real cost = simd::load<DenseLanes>(costs + j),
                           ratio = (cost > zero ? cost : -cost) / usable;
    rise = DenseLanes::smaller(rate > smallest ? ratio : infinite, rise);
    fall = DenseLanes::smaller(-rate > smallest ? ratio : infinite, fall);
  }
  return {std::min({rise[0], rise[1], rise[2], rise[3]}), std::min({fall[0], fall[1], fall[2], fall[3]})};
}

bool proves_no_solution(const DenseProgramme& programme, const DenseSimplex& blocked,
                        std::span<double> multipliers, std::span<double> reduced) {
  const std::size_t row = blocked.blocked_row(), variable = blocked.basic(row);
  blocked.read_multipliers(row, multipliers);
  if (blocked.value(variable) > blocked.upper(variable))
    for (double& multiplier : multipliers) multiplier = -multiplier;
  return dual_bound(programme, blocked.bounds(), multipliers, false, kSimplexTolerance, reduced) >
         kClearlyApart * std::max(1.0, std::abs(blocked.value(variable)));
}

}  // namespace polystep::solvers
