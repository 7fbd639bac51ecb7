// Depth-first search of a 0-1 knapsack whose items are given in order of falling value per weight.
//
// The search takes items while they fit and leaves out what does not; it comes back to leave out an item that
// fitted only where Dantzig's bound (fill the room that is left at the next ratio) still promises more. Among
// sets of equal value the first one in this order of search is returned: it keeps the earliest items.
//
// Few distinct values make that bound weak. A search that grows too long goes on as a list of all sets that
// no lighter set equals in value, which is short exactly then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace polystep::solvers {

inline constexpr std::size_t kMostKnapsackItems = 64;  // sets are the bits of a word

class OrderedKnapsack {
 public:
  void clear() { count_ = 0; }

  // The next item in the order; value and weight are positive, ratio = value / weight.
  void push(double value, double weight, double ratio, std::uint8_t item) {
    value_[count_] = value;
    weight_[count_] = weight;
    ratio_[count_] = ratio;
    item_[count_++] = item;
  }
  std::size_t size() const { return count_; }

  // The most valuable set that weighs at most `capacity`, as bits of the pushed item numbers; nothing where
  // both ways grow out of bounds (millions of sets, each lighter or more valuable than any other).
  std::optional<std::uint64_t> solve(double capacity);

 private:
  using Row = std::array<double, kMostKnapsackItems + 1>;  // the last entry ends every scan

  // A set with its weight and value, as bits of positions in the order.
  struct State {
    double weight;
    double value;
    std::uint64_t set;
  };

  void close();
  std::optional<std::uint64_t> solve_by_list(double capacity, double best, std::uint64_t best_set);
  void extend_list(std::size_t k, double capacity, double best);
  std::uint64_t items_of(std::uint64_t positions) const;

  std::size_t count_ = 0;
  Row value_;
  Row weight_;
  Row ratio_;
  Row lightest_;  // lightest item from here on
  Row room_;      // room and sum before an item was taken: restored exactly, without rounding drift
  Row sum_;
  std::array<std::uint8_t, kMostKnapsackItems> item_;
  std::vector<State> states_;  // by rising weight and value
  std::vector<State> next_states_;
};

}  // namespace polystep::solvers
