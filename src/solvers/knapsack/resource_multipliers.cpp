#include "solvers/knapsack/resource_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr double kTolerance = 1e-9;      // what a variable may be outside its bounds
constexpr double kSmallestPivot = 1e-9;  // rows are scaled to largest entries of 1

}  // namespace

const ResourceMultipliers::Row& ResourceMultipliers::find(std::span<const double> values,
                                                          std::span<const Row> weights, const Row& capacities,
                                                          std::size_t resources) {
  items_ = values.size();
  resources_ = resources;
  has_solution_ = true;
  load(values, weights, capacities);
  const std::size_t most_pivots = 4 * (items_ + resources_);
  for (std::size_t pivots = 0; pivots < most_pivots; ++pivots) {
    const std::size_t row = furthest_outside();
    if (row == kNone || !repair(row)) break;
  }
  read_multipliers();
  return multipliers_;
}

// All resources are basic, at no price, and each item is where its value wants it: dual feasible.
void ResourceMultipliers::load(std::span<const double> values, std::span<const Row> weights,
                               const Row& capacities) {
  for (std::size_t r = 0; r < resources_; ++r) {
    double largest = 0;
    for (std::size_t j = 0; j < items_; ++j) largest = std::max(largest, std::abs(weights[j][r]));
    scale_[r] = largest > 0 ? 1 / largest : 1;
    level_[r] = capacities[r] * scale_[r];
    basic_[r] = static_cast<std::uint8_t>(items_ + r);
  }
  for (std::size_t j = 0; j < items_; ++j) {
    reduced_[j] = values[j];
    nonbasic_[j] = static_cast<std::uint8_t>(j);
    high_[j] = values[j] > 0;
    for (std::size_t r = 0; r < resources_; ++r) {
      table_[r][j] = -weights[j][r] * scale_[r];
      if (high_[j]) level_[r] += table_[r][j];
    }
  }
}

double ResourceMultipliers::upper(std::size_t variable) const {
  return variable < items_ ? 1.0 : std::numeric_limits<double>::infinity();
}

std::size_t ResourceMultipliers::furthest_outside() const {
  std::size_t row = kNone;
  double furthest = kTolerance;
  for (std::size_t r = 0; r < resources_; ++r) {
    const double outside = std::max(-level_[r], level_[r] - upper(basic_[r]));
    if (outside > furthest) {
      furthest = outside;
      row = r;
    }
  }
  return row;
}

// Brings the row's variable to the bound it has crossed, at the least loss: cheap items change sides whole,
// and the one that has to stop between its bounds takes the variable's place. False where all items together
// are not enough, so that the relaxation has no solution.
bool ResourceMultipliers::repair(std::size_t row) {
  const std::size_t leaving = basic_[row];
  const bool below = level_[row] < 0;
  const double bound = below ? 0.0 : upper(leaving);
  while (true) {
    const double wanted = bound - level_[row];
    const std::size_t position = cheapest_entering(table_[row].data(), wanted);
    if (position == kNone) {
      has_solution_ = !out_of_reach(table_[row].data(), wanted);
      return false;
    }
    const double step = wanted / table_[row][position];
    const double whole = high_[position] ? -1.0 : 1.0;
    if (nonbasic_[position] < items_ && std::abs(step) > 1.0 + kTolerance) {
      move(position, whole);
      high_[position] = !high_[position];
      continue;
    }
    const double entered = (high_[position] ? 1.0 : 0.0) + step;
    move(position, step);
    pivot(row, position);
    level_[row] = entered;
    nonbasic_[position] = static_cast<std::uint8_t>(leaving);
    high_[position] = !below;
    return true;
  }
}

// No item helps by more than the smallest pivot, and all of them together by less than what is wanted.
bool ResourceMultipliers::out_of_reach(const double* row, double wanted) const {
  double reach = kTolerance;
  for (std::size_t j = 0; j < items_; ++j) {
    const double gain = (high_[j] ? -row[j] : row[j]) * (wanted > 0 ? 1.0 : -1.0);
    if (gain > 0) reach += nonbasic_[j] < items_ ? gain : std::numeric_limits<double>::infinity();
  }
  return std::abs(wanted) > reach;
}

double ResourceMultipliers::taken() const {
  double sum = 0;
  for (std::size_t j = 0; j < items_; ++j) sum += nonbasic_[j] < items_ && high_[j] ? 1.0 : 0.0;
  for (std::size_t r = 0; r < resources_; ++r) sum += basic_[r] < items_ ? level_[r] : 0.0;
  return std::isfinite(sum) ? std::clamp(sum, 0.0, static_cast<double>(items_)) : 0.0;
}

// Of the nonbasic variables that can move the row's value in the wanted direction, the one whose reduced
// value vanishes first. Those that just changed sides move the other way now and are not met again.
std::size_t ResourceMultipliers::cheapest_entering(const double* row, double wanted) const {
  std::size_t best = kNone;
  double best_price = 1, best_gain = 0;
  for (std::size_t j = 0; j < items_; ++j) {
    const double gain = (high_[j] ? -row[j] : row[j]) * (wanted > 0 ? 1.0 : -1.0);
    const double price = std::abs(reduced_[j]);
    // price / gain is compared, without dividing
    if (gain > kSmallestPivot && price * best_gain < best_price * gain) {
      best_price = price;
      best_gain = gain;
      best = j;
    }
  }
  return best;
}

void ResourceMultipliers::move(std::size_t position, double step) {
  for (std::size_t r = 0; r < resources_; ++r) level_[r] += table_[r][position] * step;
}

// The row is solved for the entering variable and put into the other rows and the objective. Levels are left
// to the caller.
void ResourceMultipliers::pivot(std::size_t row, std::size_t position) {
  const double inverse = 1 / table_[row][position];
  std::array<double, kMostKnapsackItems>& own = table_[row];
  for (std::size_t j = 0; j < items_; ++j) own[j] *= -inverse;
  own[position] = inverse;
  const auto substitute = [&](std::array<double, kMostKnapsackItems>& target) {
    const double factor = target[position];
    target[position] = 0;
    for (std::size_t j = 0; j < items_; ++j) target[j] += factor * own[j];
  };
  for (std::size_t r = 0; r < resources_; ++r)
    if (r != row) substitute(table_[r]);
  substitute(reduced_);
  basic_[row] = nonbasic_[position];
}

void ResourceMultipliers::read_multipliers() {
  multipliers_.fill(0.0);
  for (std::size_t j = 0; j < items_; ++j) {
    if (nonbasic_[j] < items_) continue;
    const std::size_t resource = nonbasic_[j] - items_;
    const double multiplier = -reduced_[j] * scale_[resource];
    multipliers_[resource] = std::isfinite(multiplier) ? std::max(0.0, multiplier) : 0.0;
  }
}

}  // namespace polystep::solvers
