#include "solvers/knapsack/knapsack.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "polystep/error.hpp"
#include "polystep/tile.hpp"
#include "solvers/knapsack/knapsack_variants.hpp"

namespace polystep::solvers {
namespace {

constexpr std::int64_t kMostTableEntries = std::int64_t{1}
                                           << 25;  // of the dynamic programme, eight bytes each

// The capacity, cut to what all items weigh, after a look at everything the caller gave.
std::int64_t checked_capacity(const std::vector<int>& weights, std::int64_t capacity) {
  if (weights.empty()) throw InputError("knapsack: there are no items, expected at least one");
  if (capacity < 0)
    throw InputError(fmt::format("knapsack: the capacity is {}, expected 0 or more", capacity));
  for (std::size_t item = 0; item < weights.size(); ++item) {
    if (weights[item] >= 0) continue;
    throw InputError(fmt::format("knapsack: item {} weighs {}, expected 0 or more", item, weights[item]));
  }
  const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  const std::int64_t usable = std::min(capacity, all);
  const auto items = static_cast<std::int64_t>(weights.size());
  if (usable >= kMostTableEntries / items) {
    throw InputError(
        fmt::format("knapsack: {} items with a capacity of {} need too large a table, expected items × "
                    "capacity below {}",
                    items, usable, kMostTableEntries));
  }
  return usable;
}

bool fits_tile_kernel(const WeightClasses& classes, std::size_t items) {
  if (!classes.usable || items > KnapsackTileTables::kMostItems) return false;
  return std::all_of(classes.items.begin(), classes.items.end(),
                     [](const auto& members) { return members.size() <= KnapsackTileTables::kClassSize; });
}

// Spreads the bits of an item's number over a word (the finaliser of SplitMix64), so that sums of them rarely
// meet.
std::uint64_t spread(std::uint64_t item) {
  std::uint64_t bits = (item + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

double value_of(std::span<const double> take, std::span<const double> values) {
  double sum = 0.0;
  for (std::size_t item = 0; item < take.size(); ++item) {
    if (take[item] != 0.0) sum += values[item];
  }
  return sum;
}

void gather_lane(const double* tile, std::size_t lane, std::span<double> values) {
  for (std::size_t item = 0; item < values.size(); ++item) values[item] = tile[item * kLanes + lane];
}

}  // namespace

Knapsack::Knapsack(std::vector<int> weights, std::int64_t capacity, InstructionSet set)
    : weights_(std::move(weights)),
      capacity_(checked_capacity(weights_, capacity)),
      classes_(weights_, capacity_),
      solve_kernel_(knapsack_solve_variant(set)),
      gap_kernel_(knapsack_gap_variant(set)) {
  require_supported(set, "knapsack");
  if (fits_tile_kernel(classes_, items())) tables_ = std::make_shared<KnapsackTileTables>(classes_, items());
}

double Knapsack::solve_by_classes(std::span<const double> values, std::span<double> take) const {
  if (!has_classes()) return solve(values, take);
  classes_.solve(values, take);
  return value_of(take, values);
}

void Knapsack::solve_lane(const double* predicted, const double* truth, std::size_t lane, double* realised,
                          std::uint64_t* signatures) const {
  thread_local std::vector<double> values;
  thread_local std::vector<double> take;
  values.resize(items());
  take.resize(items());
  gather_lane(predicted, lane, values);
  solve_by_classes(values, take);
  gather_lane(truth, lane, values);
  realised[lane] = value_of(take, values);
  signatures[lane] = signature(take);
}

void Knapsack::solve_tile(const double* predicted, const double* truth, double* realised,
                          std::uint64_t* signature) const {
  std::uint32_t left_over = (1u << kLanes) - 1;
  if (has_tile_kernel()) left_over = solve_kernel_(*tables_, predicted, truth, realised, signature);
  for (std::size_t lane = 0; lane < kLanes && left_over != 0; ++lane) {
    if ((left_over >> lane & 1) != 0) solve_lane(predicted, truth, lane, realised, signature);
  }
}

bool Knapsack::gap_tile(const double* predicted, double* gap) const {
  if (has_tile_kernel()) return gap_kernel_(*tables_, predicted, gap);
  thread_local std::vector<double> values;
  values.resize(items());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    gather_lane(predicted, lane, values);
    double scale = 0.0;
    for (const double value : values) scale += std::abs(value);
    if (!std::isfinite(scale)) return false;
    gap[lane] = std::max(0.0, runner_up_gap(values) - gap_allowance(items()) * scale);
  }
  return true;
}

bool Knapsack::margins_tile(const double* predicted, double* margin) const {
  double gap[kLanes];
  if (!gap_tile(predicted, gap)) return false;
  thread_local std::vector<double> values;
  thread_local std::vector<double> take;
  values.resize(items());
  take.resize(items());
  double value[kLanes];
  std::uint64_t taken[kLanes];
  if (has_tile_kernel()) solve_tile(predicted, predicted, value, taken);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (!has_tile_kernel()) {
      gather_lane(predicted, lane, values);
      solve_by_classes(values, take);
    }
    for (std::size_t item = 0; item < items(); ++item) {
      const bool is_taken = has_tile_kernel() ? (taken[lane] >> item & 1) != 0 : take[item] != 0.0;
      const bool too_heavy = weights_[item] > capacity_;
      margin[item * kLanes + lane] = too_heavy  ? std::numeric_limits<double>::infinity()
                                     : is_taken ? -gap[lane]
                                                : gap[lane];
    }
  }
  return true;
}

std::uint64_t Knapsack::signature(std::span<const double> take) const {
  std::uint64_t word = 0;
  for (std::size_t item = 0; item < take.size(); ++item) {
    if (take[item] == 0.0) continue;
    word += take.size() <= KnapsackTileTables::kMostItems ? std::uint64_t{1} << item : spread(item);
  }
  return word;
}

}  // namespace polystep::solvers
