// A price for each resource of a multi-dimensional knapsack: the multipliers of its linear relaxation.
//
// Charging lambda >= 0 per unit of a resource and refunding it for the whole capacity bounds the value of
// every feasible set by  lambda . C + sum over items of max(0, v_j - lambda . w_j).  The smallest such bound
// is the optimum of the linear relaxation, and a dual simplex over the few rows finds it: every basis on its
// way has multipliers that are valid, so rounding or an early stop can weaken the bound but not falsify it.
// Weights, values and capacities may have any sign.
//
// SmallLp keeps its matrix from solve to solve; here the matrix is what changes. Same numbers, same answer.
// Use one object per thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solvers/knapsack/ordered_knapsack.hpp"

namespace polystep::solvers {

inline constexpr std::size_t kMostResources = 8;

class ResourceMultipliers {
 public:
  using Row = std::array<double, kMostResources>;

  // values [items]; weights [items × kMostResources] by item, of which the first `resources` count;
  // capacities [kMostResources]. The multipliers are finite and not negative; beyond `resources` they are 0.
  const Row& find(std::span<const double> values, std::span<const Row> weights, const Row& capacities,
                  std::size_t resources);

  bool has_solution() const { return has_solution_; }  // false: the relaxation just solved has none for sure
  double taken() const;                                // how many items it takes, parts of items included

 private:
  void load(std::span<const double> values, std::span<const Row> weights, const Row& capacities);
  double upper(std::size_t variable) const;
  std::size_t furthest_outside() const;
  bool repair(std::size_t row);
  bool out_of_reach(const double* row, double wanted) const;
  std::size_t cheapest_entering(const double* row, double wanted) const;
  void move(std::size_t position, double step);
  void pivot(std::size_t row, std::size_t position);
  void read_multipliers();

  std::size_t items_ = 0, resources_ = 0;
  Row scale_{};  // rows are divided by their largest weight, so that what is outside can be compared
  // The dictionary x_basic = level + table x_nonbasic; variable items_ + r is what is left of resource r.
  std::array<std::array<double, kMostKnapsackItems>, kMostResources> table_;  // [resources][items]
  Row level_{};                                     // [resources], of basic variables
  std::array<double, kMostKnapsackItems> reduced_;  // [items], of nonbasic variables
  std::array<std::uint8_t, kMostResources> basic_{};
  std::array<std::uint8_t, kMostKnapsackItems> nonbasic_{};
  std::array<bool, kMostKnapsackItems> high_{};  // the nonbasic variable is at its upper bound, 1
  Row multipliers_{};
  bool has_solution_ = true;
};

}  // namespace polystep::solvers
