#include "solvers/knapsack/multi_knapsack_recourse.hpp"

#include <fmt/core.h>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

void check_not_negative(const char* what, std::span<const double> numbers) {
  for (const double number : numbers)
    if (!(number >= 0))
      throw InputError(
          fmt::format("multi-knapsack recourse: found {} {}, expected a number from 0", what, number));
}

}  // namespace

MultiKnapsackRecourse::MultiKnapsackRecourse(std::span<const double> values, std::size_t resources,
                                             double rho)
    : values_(values.begin(), values.end()),
      rho_(rho),
      search_(values.size(), resources),
      profits_(values.size()) {
  check_recourse(values, rho);
}

std::optional<RecourseOutcome> MultiKnapsackRecourse::apply(std::uint64_t chosen,
                                                            std::span<const double> weights,
                                                            std::span<const double> capacities) {
  check_not_negative("weight", weights);
  check_not_negative("capacity", capacities);
  for (std::size_t i = 0; i < values_.size(); ++i)
    profits_[i] = (chosen >> i) & 1u ? values_[i] * rho_ : values_[i] / rho_;
  const std::optional<std::uint64_t> kept = search_.solve(profits_, weights, capacities, chosen);
  if (!kept) return {};
  return RecourseOutcome{recourse_value(values_, rho_, chosen, *kept), *kept};
}

}  // namespace polystep::solvers
