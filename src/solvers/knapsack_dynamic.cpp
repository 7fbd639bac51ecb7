// The dynamic programmes over capacity: the best decision, and the two best.
#include <algorithm>
#include <limits>
#include <vector>

#include "solvers/knapsack.hpp"

namespace polystep::solvers {

double Knapsack::solve(std::span<const double> values, std::span<double> take) const {
  const auto room = static_cast<std::size_t>(capacity_) + 1;
  thread_local std::vector<double> best;          // by capacity, over the items so far
  thread_local std::vector<unsigned char> taken;  // [items × capacities] whether that best takes the item
  best.assign(room, 0.0);
  taken.assign(items() * room, 0);
  for (std::size_t item = 0; item < items(); ++item) {
    const auto weight = static_cast<std::size_t>(weights_[item]);
    if (!(values[item] > 0.0)) continue;
    for (std::size_t capacity = room; capacity-- > weight;) {
      const double with_item = best[capacity - weight] + values[item];
      if (with_item > best[capacity]) {
        best[capacity] = with_item;
        taken[item * room + capacity] = 1;
      }
    }
  }
  std::fill(take.begin(), take.end(), 0.0);
  std::size_t left = room - 1;
  for (std::size_t item = items(); item-- > 0;) {
    if (taken[item * room + left] == 0) continue;
    take[item] = 1.0;
    left -= static_cast<std::size_t>(weights_[item]);
  }
  return best[room - 1];
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
