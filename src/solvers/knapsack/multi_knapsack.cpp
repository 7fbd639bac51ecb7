#include "solvers/knapsack/multi_knapsack.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/error.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep::solvers {
namespace {

constexpr double kRounding = 1e-13;  // of each number in the bound

}  // namespace

MultiKnapsack::MultiKnapsack(std::size_t items, std::size_t resources)
    : items_(items), resources_(resources) {
  if (items > kMostKnapsackItems)
    throw InputError(
        fmt::format("multi-knapsack: found {} items, expected at most {}", items, kMostKnapsackItems));
  if (resources == 0 || resources > kMostResources)
    throw InputError(
        fmt::format("multi-knapsack: found {} resources, expected 1 to {}", resources, kMostResources));
  numbers_.reserve(items);
  values_.reserve(items);
  weights_.reserve(items);
  in_play_.reserve(items);
}

std::optional<std::uint64_t> MultiKnapsack::solve(std::span<const double> values,
                                                  std::span<const double> weights,
                                                  std::span<const double> capacities,
                                                  std::optional<std::uint64_t> known) {
  nodes_ = 0;
  found_ = false;
  best_ = -std::numeric_limits<double>::infinity();
  if (!load(values, weights, capacities)) return {};
  if (known && fits(*known, weights, capacities)) {
    found_ = true;
    best_set_ = *known;
    best_ = sum_over(*known, values);
  }
  const bool may_count = resources_ + 2 <= kMostResources;
  most_nodes_ = may_count ? kShortSearch : kMostNodes;
  search(resources_);
  if (may_count && nodes_ > most_nodes_) search_by_count();
  if (!found_ || nodes_ > kMostNodes) return {};
  return best_set_;
}

void MultiKnapsack::search(std::size_t rows) {
  if (!find_bound(rows) || bound_ <= best_ + rounding_) return;
  const Row room = sort_items();
  const bool some_set_may_fit = std::ranges::all_of(room, [](double left) { return left >= 0; });
  if (some_set_may_fit) visit(0, room, bound_, base_value_, base_);
}

// Sets of one number of items after the other, beginning near the relaxation's.
void MultiKnapsack::search_by_count() {
  most_nodes_ = kMostNodes;
  const double middle = multipliers_.taken();
  for (Row& weight : weights_) {
    weight[resources_] = 1;
    weight[resources_ + 1] = -1;
  }
  const auto most = static_cast<double>(weights_.size());
  double below = std::floor(middle), above = below + 1;
  while ((below >= 0 || above <= most) && nodes_ <= most_nodes_) {
    const bool downwards = above > most || (below >= 0 && middle - below <= above - middle);
    const double count = downwards ? below-- : above++;
    room_[resources_] = count;
    room_[resources_ + 1] = -count;
    search(resources_ + 2);
  }
}

bool MultiKnapsack::fits(std::uint64_t set, std::span<const double> weights,
                         std::span<const double> capacities) const {
  for (std::size_t r = 0; r < resources_; ++r)
    if (sum_over(set, weights.subspan(r * items_, items_)) > capacities[r]) return false;
  return true;
}

// Settles the items that need no search and lists the others. False where a number is not finite.
bool MultiKnapsack::load(std::span<const double> values, std::span<const double> weights,
                         std::span<const double> capacities) {
  double check = 0;  // becomes NaN if any number is not finite
  Row most_room{};   // left if all negative weights were taken
  for (std::size_t r = 0; r < resources_; ++r) {
    most_room[r] = capacities[r];
    check += 0.0 * capacities[r];
    for (std::size_t j = 0; j < items_; ++j) {
      most_room[r] -= std::min(0.0, weights[r * items_ + j]);
      check += 0.0 * weights[r * items_ + j];
    }
  }
  room_ = {};
  for (std::size_t r = 0; r < resources_; ++r) room_[r] = capacities[r];
  base_ = 0;
  base_value_ = 0;
  numbers_.clear();
  values_.clear();
  weights_.clear();
  for (std::size_t j = 0; j < items_; ++j) {
    check += 0.0 * values[j];
    Row weight{};
    bool makes_room = false, uses_room = false, fits = true;
    for (std::size_t r = 0; r < resources_; ++r) {
      weight[r] = weights[r * items_ + j];
      makes_room |= weight[r] < 0;
      uses_room |= weight[r] > 0;
      fits &= weight[r] <= most_room[r];
    }
    if (!uses_room && values[j] >= 0) {
      base_ |= std::uint64_t{1} << j;
      base_value_ += values[j];
      for (std::size_t r = 0; r < resources_; ++r) room_[r] -= weight[r];
    } else if (fits && (makes_room || values[j] > 0)) {
      numbers_.push_back(static_cast<std::uint8_t>(j));
      values_.push_back(values[j]);
      weights_.push_back(weight);
    }
  }
  return !std::isnan(check);
}

// Prices the first `rows` numbers of room and weights. False where not even the relaxation has a solution.
bool MultiKnapsack::find_bound(std::size_t rows) {
  const Row& multipliers = multipliers_.find(values_, weights_, room_, rows);
  in_play_.resize(values_.size());
  double size = std::abs(base_value_);
  bound_ = base_value_;
  for (std::size_t r = 0; r < kMostResources; ++r) {
    bound_ += multipliers[r] * room_[r];
    size += std::abs(multipliers[r] * room_[r]);
  }
  for (std::size_t k = 0; k < in_play_.size(); ++k) {
    double reduced = values_[k];
    size += std::abs(values_[k]);
    for (std::size_t r = 0; r < kMostResources; ++r) {
      reduced -= multipliers[r] * weights_[k][r];
      size += std::abs(multipliers[r] * weights_[k][r]);
    }
    bound_ += std::max(0.0, reduced);
    in_play_[k].preferred = reduced > 0 || (reduced == 0 && values_[k] > 0);
    in_play_[k].loss = std::abs(reduced);
  }
  rounding_ = kRounding * size;
  return multipliers_.has_solution();
}

// Returns the room that counts the negative weights of items in play as taken, see Item.
MultiKnapsack::Row MultiKnapsack::sort_items() {
  Row room = room_;
  for (std::size_t k = 0; k < in_play_.size(); ++k) {
    Item& item = in_play_[k];
    item.number = numbers_[k];
    item.value = values_[k];
    for (std::size_t r = 0; r < kMostResources; ++r) {
      item.use[0][r] = std::max(0.0, -weights_[k][r]);
      item.use[1][r] = std::max(0.0, weights_[k][r]);
      room[r] += item.use[0][r];
    }
  }
  std::sort(in_play_.begin(), in_play_.end(), [](const Item& a, const Item& b) {
    return a.loss != b.loss ? a.loss > b.loss : a.number < b.number;
  });
  rest_[in_play_.size()] = 0;
  for (std::size_t k = in_play_.size(); k-- > 0;) rest_[k] = rest_[k + 1] + std::max(0.0, in_play_[k].value);
  return room;
}

void MultiKnapsack::visit(std::size_t depth, const Row& room, double bound, double value, std::uint64_t set) {
  if (++nodes_ > most_nodes_) return;
  if (depth == in_play_.size()) {
    if (!(value > best_ + rounding_)) return;  // sums of equal values in another order count as equal
    found_ = true;
    best_ = value;
    best_set_ = set;
    return;
  }
  const Item& item = in_play_[depth];
  for (const bool taken : {item.preferred, !item.preferred}) {
    if (taken != item.preferred) bound -= item.loss;
    if (std::min(bound, value + rest_[depth]) <= best_ + rounding_) return;
    Row left;
    bool fits = true;
    for (std::size_t r = 0; r < kMostResources; ++r) {
      left[r] = room[r] - item.use[taken][r];
      fits &= left[r] >= 0;
    }
    if (fits)
      visit(depth + 1, left, bound, taken ? value + item.value : value,
            set | static_cast<std::uint64_t>(taken) << item.number);
  }
}

}  // namespace polystep::solvers
