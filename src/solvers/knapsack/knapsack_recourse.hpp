// What is left of a knapsack decision once the true weights and capacity are known.
//
// Items may be added at value / rho and must be taken out, at rho times their value, where the decision is
// too heavy. The best such change is itself a 0-1 knapsack: give chosen items the profit rho v and the others
// v / rho, and keep the most profitable set that fits. The realised value is then
//   v . chosen + (v . added) / rho - rho (v . removed).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solvers/knapsack/ordered_knapsack.hpp"

namespace polystep::solvers {

struct RecourseOutcome {
  double value = 0;        // realised; may be negative
  std::uint64_t kept = 0;  // the set after recourse, equal to the chosen one where nothing changed
};

// The realised value of a chosen set that was changed to another, in the order of items.
double recourse_value(std::span<const double> values, double rho, std::uint64_t chosen, std::uint64_t kept);

// Throws InputError unless rho is at least 1 and no value is negative.
void check_recourse(std::span<const double> values, double rho);

class KnapsackRecourse {
 public:
  // Values are positive or 0, rho is at least 1.
  KnapsackRecourse(std::span<const double> values, double rho);

  std::size_t items() const { return values_.size(); }

  // True weights, not negative, and capacity, not negative: sorted once, then asked for many decisions.
  struct Truth {
    double capacity = 0;
    std::vector<double> weights;
    std::vector<double> ratio;        // value / weight of the items in order
    std::vector<std::uint8_t> order;  // items that weigh something and fit, by falling ratio
    std::uint64_t free = 0;           // items that weigh nothing
  };
  void prepare(std::span<const double> weights, double capacity, Truth& truth) const;

  // Nothing where the search grows out of bounds.
  std::optional<RecourseOutcome> apply(std::uint64_t chosen, const Truth& truth);

 private:
  std::vector<double> values_;
  double rho_;
  OrderedKnapsack search_;
};

}  // namespace polystep::solvers
