// What is left of a multi-dimensional knapsack decision once the true weights and capacities are known.
//
// As in knapsack_recourse.hpp, with every resource to be kept: items may be added at value / rho and must be
// taken out, at rho times their value, where the decision is too heavy. The best change is a knapsack with
// the same resources in which chosen items have the profit rho v and the others v / rho. A decision that fits
// is changed only where that brings something.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/knapsack/knapsack_recourse.hpp"
#include "solvers/knapsack/multi_knapsack.hpp"

namespace polystep::solvers {

class MultiKnapsackRecourse {
 public:
  // values [items], not negative; rho at least 1.
  MultiKnapsackRecourse(std::span<const double> values, std::size_t resources, double rho);

  // Weights [resources × items] and capacities [resources], not negative; throws InputError on others.
  // Nothing where the search grows out of bounds.
  std::optional<RecourseOutcome> apply(std::uint64_t chosen, std::span<const double> weights,
                                       std::span<const double> capacities);

 private:
  std::vector<double> values_;
  double rho_;
  MultiKnapsack search_;
  std::vector<double> profits_;  // [items]
};

}  // namespace polystep::solvers
