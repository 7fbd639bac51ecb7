// 0-1 knapsack with real values, weights and capacity, solved exactly: maximise value . x where weight . x is
// at most the capacity.
//
// Values and weights may have any sign. What costs nothing (weight at most 0, value at least 0) is always
// taken and a negative weight makes room; what brings nothing is never taken; an item that makes room but
// loses value is taken out again where that pays. Ties are broken as in ordered_knapsack.hpp, with equal
// ratios in the order of items.
//
// An object remembers the order of its last items: solving for similar ones sorts in nearly linear time. It
// never changes an answer. Use one object per thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "solvers/knapsack/ordered_knapsack.hpp"

namespace polystep::solvers {

// The order of the items in some earlier solve.
struct RatioOrder {
  explicit RatioOrder(std::size_t items);
  std::array<std::uint8_t, kMostKnapsackItems> item{};
};

class RealKnapsack {
 public:
  explicit RealKnapsack(std::size_t items);  // throws InputError above kMostKnapsackItems

  // The best set as bits, item 0 lowest; nothing where even the lightest set is too heavy, a number is not
  // finite or the search grows out of bounds. `order` is where sorting starts from and is left as sorted.
  std::optional<std::uint64_t> solve(std::span<const double> values, std::span<const double> weights,
                                     double capacity, RatioOrder& order);
  std::optional<std::uint64_t> solve(std::span<const double> values, std::span<const double> weights,
                                     double capacity) {
    return solve(values, weights, capacity, order_);
  }

 private:
  bool find_ratios(std::span<const double> values, std::span<const double> weights, double capacity);
  std::size_t sort(RatioOrder& order);  // returns how many items are in play

  std::size_t items_;
  RatioOrder order_;
  OrderedKnapsack search_;
  std::array<double, kMostKnapsackItems> ratio_{};  // value / weight of items in play, -1 of the others
  std::uint64_t base_ = 0;                          // taken before the search
  double room_ = 0;                                 // left for the search
};

// The set of a 0-1 decision, and back. Entries above one half count as taken.
std::uint64_t set_of(std::span<const double> decision);
void write_set(std::uint64_t set, std::span<double> decision);

// Sum over a set, in the order of items.
double sum_over(std::uint64_t set, std::span<const double> numbers);

}  // namespace polystep::solvers
