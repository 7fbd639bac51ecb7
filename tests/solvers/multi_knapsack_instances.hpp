// Random multi-dimensional knapsacks of every kind, and two slow ways to solve them.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/knapsack/real_knapsack.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {

struct MultiKnapsackInstance {
  std::size_t items = 0, resources = 0;
  std::vector<double> values;      // [items]
  std::vector<double> weights;     // [resources × items]
  std::vector<double> capacities;  // [resources]

  std::span<const double> row(std::size_t resource) const {
    return std::span(weights).subspan(resource * items, items);
  }
  bool fits(std::uint64_t set, double slack = 0) const {
    for (std::size_t r = 0; r < resources; ++r)
      if (sum_over(set, row(r)) > capacities[r] + slack) return false;
    return true;
  }
};

struct MultiKnapsackKind {
  bool real = false;      // numbers are not whole
  bool tied = false;      // few different values and weights, zeros among them
  bool any_sign = false;  // of values, weights and capacities: some have no solution
};

inline MultiKnapsackInstance draw_multi_knapsack(std::uint64_t number, std::size_t items,
                                                 std::size_t resources, const MultiKnapsackKind& kind) {
  RandomStream stream(21, Purpose::kTest, number, items);
  MultiKnapsackInstance instance{items, resources, {}, {}, {}};
  const auto draw = [&](double largest) {
    if (kind.tied) return static_cast<double>(stream.below(4));
    const double drawn = stream.uniform(0, largest);
    return kind.real ? drawn : std::floor(drawn);
  };
  const auto signed_draw = [&](double largest, std::uint64_t one_in) {
    const double drawn = draw(largest);
    return kind.any_sign && stream.below(one_in) == 0 ? -drawn : drawn;
  };
  for (std::size_t j = 0; j < items; ++j) instance.values.push_back(signed_draw(300, 8));
  for (std::size_t r = 0; r < resources; ++r) {
    double total = 0;
    for (std::size_t j = 0; j < items; ++j) {
      instance.weights.push_back(signed_draw(100, 5));
      total += std::max(0.0, instance.weights.back());
    }
    const double share = stream.uniform(kind.any_sign ? -0.2 : 0.0, 0.8);
    instance.capacities.push_back(kind.real ? share * total : std::floor(share * total));
  }
  return instance;
}

// The best value, or nothing where no set fits.
inline std::optional<double> multi_knapsack_by_enumeration(const MultiKnapsackInstance& instance) {
  std::optional<double> best;
  for (std::uint64_t set = 0; set < (std::uint64_t{1} << instance.items); ++set)
    if (const double value = sum_over(set, instance.values); (!best || value > *best) && instance.fits(set))
      best = value;
  return best;
}

inline MilpModel multi_knapsack_model(const MultiKnapsackInstance& instance) {
  MilpModel model{.sense = Sense::kMaximise};
  for (const double value : instance.values) model.add_binary(value);
  for (std::size_t r = 0; r < instance.resources; ++r) {
    std::vector<MilpEntry> row;
    for (std::size_t j = 0; j < instance.items; ++j) row.push_back({j, instance.row(r)[j]});
    model.add_row(row, -kUnbounded, instance.capacities[r]);
  }
  return model;
}

}  // namespace polystep::solvers
