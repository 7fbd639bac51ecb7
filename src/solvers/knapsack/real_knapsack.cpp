#include "solvers/knapsack/real_knapsack.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "polystep/error.hpp"

namespace polystep::solvers {

RatioOrder::RatioOrder(std::size_t items) {
  std::iota(item.begin(), item.begin() + static_cast<std::ptrdiff_t>(items), std::uint8_t{0});
}

RealKnapsack::RealKnapsack(std::size_t items) : items_(items), order_(std::min(items, kMostKnapsackItems)) {
  if (items > kMostKnapsackItems)
    throw InputError(fmt::format("knapsack: found {} items, expected at most {}", items, kMostKnapsackItems));
}

bool RealKnapsack::find_ratios(std::span<const double> values, std::span<const double> weights,
                               double capacity) {
  base_ = 0;
  room_ = capacity;
  double check = 0;  // becomes NaN if any number is not finite
  for (std::size_t i = 0; i < items_; ++i) {
    const double value = values[i], weight = weights[i];
    check += 0.0 * value + 0.0 * weight;
    ratio_[i] = (value > 0) == (weight > 0) && value != 0 && weight != 0 ? value / weight : -1.0;
    if (weight < 0 || (weight == 0 && value >= 0)) {
      base_ |= std::uint64_t{1} << i;
      room_ -= weight;
    }
  }
  return !std::isnan(check) && std::isfinite(room_) && room_ >= 0;
}

// Insertion sort by falling ratio, then item: linear where the order hardly changed, and its result depends
// on the ratios alone.
std::size_t RealKnapsack::sort(RatioOrder& order) {
  std::array<double, kMostKnapsackItems> key;
  std::size_t in_play = 0;
  for (std::size_t k = 0; k < items_; ++k) {
    const std::uint8_t item = order.item[k];
    const double ratio = ratio_[item];
    in_play += ratio > 0;
    std::size_t place = k;
    while (place > 0 &&
           (key[place - 1] < ratio || (key[place - 1] == ratio && order.item[place - 1] > item))) {
      key[place] = key[place - 1];
      order.item[place] = order.item[place - 1];
      --place;
    }
    key[place] = ratio;
    order.item[place] = item;
  }
  return in_play;
}

std::optional<std::uint64_t> RealKnapsack::solve(std::span<const double> values,
                                                 std::span<const double> weights, double capacity,
                                                 RatioOrder& order) {
  if (!find_ratios(values, weights, capacity)) return {};
  const std::size_t in_play = sort(order);
  search_.clear();
  for (std::size_t k = 0; k < in_play; ++k) {
    const std::uint8_t item = order.item[k];
    // Items with a negative weight and value are in the base: the search decides whether to take them out.
    const double weight = std::abs(weights[item]);
    if (weight <= room_) search_.push(std::abs(values[item]), weight, ratio_[item], item);
  }
  const std::optional<std::uint64_t> found = search_.solve(room_);
  if (!found) return {};
  return base_ ^ *found;
}

std::uint64_t set_of(std::span<const double> decision) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < decision.size(); ++i) set |= static_cast<std::uint64_t>(decision[i] > 0.5) << i;
  return set;
}

void write_set(std::uint64_t set, std::span<double> decision) {
  for (std::size_t i = 0; i < decision.size(); ++i) decision[i] = static_cast<double>((set >> i) & 1u);
}

double sum_over(std::uint64_t set, std::span<const double> numbers) {
  double sum = 0;
  for (; set != 0; set &= set - 1) sum += numbers[static_cast<std::size_t>(std::countr_zero(set))];
  return sum;
}

}  // namespace polystep::solvers
