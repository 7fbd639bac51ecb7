// The dynamic programmes over capacity: the best decision, and the two best.
#include <algorithm>
#include <limits>
#include <vector>

#include "solvers/knapsack/knapsack.hpp"

namespace polystep::solvers {

double Knapsack::solve(std::span<const double> values, std::span<double> take) const {
  const auto room = static_cast<std::size_t>(capacity_) + 1;
  thread_local std::vector<double> table;  // [items + 1 × capacities] best value with the items so far
  table.resize((items() + 1) * room);
  std::fill_n(table.begin(), room, 0.0);
  for (std::size_t item = 0; item < items(); ++item) {
    const double* const without = table.data() + item * room;
    double* const best = table.data() + (item + 1) * room;
    const std::size_t weight = values[item] > 0.0 ? static_cast<std::size_t>(weights_[item]) : room;
    const std::size_t too_small = std::min(weight, room);  // capacities below the item's weight
    std::copy_n(without, too_small, best);
    for (std::size_t capacity = too_small; capacity < room; ++capacity) {
      const double with_item = without[capacity - weight] + values[item];
      best[capacity] = with_item > without[capacity] ? with_item : without[capacity];
    }
  }

  std::size_t left = room - 1;
  for (std::size_t item = items(); item-- > 0;) {
    const bool better = table[(item + 1) * room + left] > table[item * room + left];
    take[item] = better ? 1.0 : 0.0;
    if (better) left -= static_cast<std::size_t>(weights_[item]);
  }
  return table.back();
}

double Knapsack::runner_up_gap(std::span<const double> values) const {
  // Every decision counts, also those that take items of negative value.
  const auto room = static_cast<std::size_t>(capacity_) + 1;
  struct TwoBest {
    double first = 0.0;
    double second = -std::numeric_limits<double>::infinity();
  };
  thread_local std::vector<TwoBest> best;  // by capacity, over the items so far
  best.assign(room, TwoBest{});
  for (std::size_t item = 0; item < items(); ++item) {
    const auto weight = static_cast<std::size_t>(weights_[item]);
    for (std::size_t capacity = room; capacity-- > weight;) {
      const TwoBest without = best[capacity];
      const double with_first = best[capacity - weight].first + values[item];
      const double with_second = best[capacity - weight].second + values[item];
      best[capacity].first = std::max(without.first, with_first);
      best[capacity].second =
          std::max(std::min(without.first, with_first), std::max(without.second, with_second));
    }
  }
  return best[room - 1].first - best[room - 1].second;
}

}  // namespace polystep::solvers
