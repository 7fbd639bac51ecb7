#include "solvers/knapsack/weight_classes.hpp"

#include <algorithm>
#include <set>

namespace polystep::solvers {

WeightClasses::WeightClasses(std::span<const int> weights, std::int64_t capacity) {
  std::set<int> distinct;
  for (const int weight : weights) {
    if (weight <= capacity) distinct.insert(weight);
  }
  if (distinct.size() > kClasses) return;
  std::array<std::int64_t, kClasses> class_weight{};
  std::size_t used = 0;
  for (const int weight : distinct) {
    class_weight[used] = weight;
    for (std::uint32_t item = 0; item < weights.size(); ++item) {
      if (weights[item] == weight) items[used].push_back(item);
    }
    ++used;
  }
  const std::size_t pairs = (items[1].size() + 1) * (items[2].size() + 1);
  if (pairs > kMostChoices || weights.size() > UINT16_MAX) return;
  list_choices(class_weight, capacity);
  usable = true;
}

void WeightClasses::list_choices(const std::array<std::int64_t, kClasses>& class_weight,
                                 std::int64_t capacity) {
  std::array<std::int64_t, kClasses> size;
  for (std::size_t k = 0; k < kClasses; ++k) size[k] = static_cast<std::int64_t>(items[k].size());
  for (std::int64_t third = 0; third <= size[2] && third * class_weight[2] <= capacity; ++third) {
    const auto group_start = static_cast<std::uint32_t>(choices.size());
    for (std::int64_t second = 0; second <= size[1]; ++second) {
      std::int64_t room = capacity - third * class_weight[2] - second * class_weight[1];
      if (room < 0) break;
      const std::int64_t first = class_weight[0] == 0 ? size[0] : std::min(size[0], room / class_weight[0]);
      room -= first * class_weight[0];
      const bool second_fits = second < size[1] && class_weight[1] <= room;
      const bool third_fits = third < size[2] && class_weight[2] <= room;
      if (second_fits || third_fits) continue;
      choices.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(second),
                         static_cast<std::uint16_t>(third)});
    }
    const auto group_end = static_cast<std::uint32_t>(choices.size());
    if (group_end > group_start) groups.push_back({group_start, group_end});
  }
}

void WeightClasses::solve(std::span<const double> values, std::span<double> take) const {
  thread_local std::array<std::vector<std::uint32_t>, kClasses>
      order;                                                      // items of each class, most valuable first
  thread_local std::array<std::vector<double>, kClasses> prefix;  // value of the first n of them
  const auto gain = [&](std::uint32_t item) { return values[item] > 0.0 ? values[item] : 0.0; };
  for (std::size_t k = 0; k < kClasses; ++k) {
    order[k] = items[k];
    std::sort(order[k].begin(), order[k].end(), [&](std::uint32_t a, std::uint32_t b) {
      return gain(a) != gain(b) ? gain(a) > gain(b) : a < b;
    });
    prefix[k].assign(1, 0.0);
    for (const std::uint32_t item : order[k]) prefix[k].push_back(prefix[k].back() + gain(item));
  }

  double best = -1.0;
  Choice best_choice{};
  for (const Group& group : groups) {
    double best_pair = -1.0;
    std::uint32_t best_of_group = group.first;
    for (std::uint32_t at = group.first; at < group.end; ++at) {
      const double pair = prefix[0][choices[at][0]] + prefix[1][choices[at][1]];
      if (pair > best_pair) best_pair = pair, best_of_group = at;
    }
    const double total = best_pair + prefix[2][choices[best_of_group][2]];
    if (total > best) best = total, best_choice = choices[best_of_group];
  }

  std::fill(take.begin(), take.end(), 0.0);
  for (std::size_t k = 0; k < kClasses; ++k) {
    for (std::size_t rank = 0; rank < best_choice[k]; ++rank) {
      if (values[order[k][rank]] > 0.0) take[order[k][rank]] = 1.0;
    }
  }
}

}  // namespace polystep::solvers
