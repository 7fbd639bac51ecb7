#include "solvers/knapsack/ordered_knapsack.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr std::size_t kLongSearch = 100000;     // returns to an item, about a millisecond
constexpr std::size_t kMostStates = 2'000'000;  // of the list, 48 megabytes

}  // namespace

void OrderedKnapsack::close() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  value_[count_] = 0;
  weight_[count_] = kInfinity;
  ratio_[count_] = 0;
  lightest_[count_] = kInfinity;
  for (std::size_t k = count_; k-- > 0;) lightest_[k] = std::min(weight_[k], lightest_[k + 1]);
}

std::uint64_t OrderedKnapsack::items_of(std::uint64_t positions) const {
  std::uint64_t items = 0;
  for (; positions != 0; positions &= positions - 1)
    items |= std::uint64_t{1} << item_[static_cast<std::size_t>(std::countr_zero(positions))];
  return items;
}

std::optional<std::uint64_t> OrderedKnapsack::solve(double capacity) {
  close();
  double best = 0, room = capacity, sum = 0;
  std::uint64_t best_set = 0, set = 0;  // bits are positions in the order
  std::size_t k = 0;
  for (std::size_t returns = 0; returns < kLongSearch; ++returns) {
    while (true) {
      const std::uint64_t before = set;
      while (weight_[k] <= room) {
        room_[k] = room;
        sum_[k] = sum;
        room -= weight_[k];
        sum += value_[k];
        set |= std::uint64_t{1} << k++;
      }
      if (sum > best) {
        best = sum;
        best_set = set;
      }
      if (sum + room * ratio_[k] <= best) {  // bounds whatever could replace the items just taken, too
        set = before;
        break;
      }
      if (room < lightest_[k]) break;
      ++k;
    }
    do {
      if (set == 0) return items_of(best_set);
      k = 63 - static_cast<std::size_t>(std::countl_zero(set));
      set ^= std::uint64_t{1} << k;
      room = room_[k];
      sum = sum_[k];
      ++k;
    } while (sum + room * ratio_[k] <= best);
  }
  return solve_by_list(capacity, best, best_set);
}

std::optional<std::uint64_t> OrderedKnapsack::solve_by_list(double capacity, double best,
                                                            std::uint64_t best_set) {
  states_.assign(1, {0, 0, 0});
  for (std::size_t k = 0; k < count_; ++k) {
    extend_list(k, capacity, best);
    if (states_.size() > kMostStates) return {};
  }
  if (!states_.empty() && states_.back().value > best) best_set = states_.back().set;
  return items_of(best_set);
}

// Merges the list with itself plus item k; leaves out what is heavier without being worth more, and what
// cannot exceed `best` any more.
void OrderedKnapsack::extend_list(std::size_t k, double capacity, double best) {
  next_states_.clear();
  double richest = -1;
  const auto keep = [&](const State& state) {
    if (state.value <= richest || state.weight > capacity) return;
    richest = state.value;
    if (state.value + (capacity - state.weight) * ratio_[k + 1] > best) next_states_.push_back(state);
  };
  const auto taken = [&](std::size_t i) {
    return State{states_[i].weight + weight_[k], states_[i].value + value_[k],
                 states_[i].set | std::uint64_t{1} << k};
  };
  for (std::size_t without = 0, with = 0; with < states_.size();) {
    const State candidate = taken(with);
    if (without < states_.size() && states_[without].weight <= candidate.weight) {
      keep(states_[without++]);
    } else {
      keep(candidate);
      ++with;
    }
  }
  states_.swap(next_states_);
}

}  // namespace polystep::solvers
