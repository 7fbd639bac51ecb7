#include "solvers/knapsack/knapsack_recourse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

[[noreturn]] void refuse(const char* what, double found, const char* expected) {
  throw InputError(fmt::format("knapsack recourse: found {} {}, expected {}", what, found, expected));
}

}  // namespace

void check_recourse(std::span<const double> values, double rho) {
  if (!(rho >= 1) || !std::isfinite(rho)) refuse("rho", rho, "a number from 1");
  for (const double value : values)
    if (!(value >= 0) || !std::isfinite(value)) refuse("value", value, "a number from 0");
}

KnapsackRecourse::KnapsackRecourse(std::span<const double> values, double rho)
    : values_(values.begin(), values.end()), rho_(rho) {
  if (values.size() > kMostKnapsackItems)
    throw InputError(fmt::format("knapsack recourse: found {} items, expected at most {}", values.size(),
                                 kMostKnapsackItems));
  check_recourse(values, rho);
}

void KnapsackRecourse::prepare(std::span<const double> weights, double capacity, Truth& truth) const {
  if (!(capacity >= 0)) refuse("capacity", capacity, "a number from 0");
  truth.capacity = capacity;
  truth.weights.assign(weights.begin(), weights.end());
  truth.order.clear();
  truth.free = 0;
  for (std::size_t i = 0; i < items(); ++i) {
    if (!(weights[i] >= 0)) refuse("weight", weights[i], "a number from 0");
    if (weights[i] == 0) truth.free |= std::uint64_t{1} << i;
    if (weights[i] > 0 && weights[i] <= capacity && values_[i] > 0)
      truth.order.push_back(static_cast<std::uint8_t>(i));
  }
  const auto ratio = [&](std::uint8_t item) { return values_[item] / weights[item]; };
  std::stable_sort(truth.order.begin(), truth.order.end(),
                   [&](std::uint8_t a, std::uint8_t b) { return ratio(a) > ratio(b); });
  truth.ratio.clear();
  for (const std::uint8_t item : truth.order) truth.ratio.push_back(ratio(item));
}

std::optional<RecourseOutcome> KnapsackRecourse::apply(std::uint64_t chosen, const Truth& truth) {
  const std::size_t count = truth.order.size();
  const double up = rho_, down = 1 / rho_;
  const auto is_chosen = [&](std::size_t k) { return (chosen >> truth.order[k]) & 1u; };
  const auto next = [&](std::size_t k, std::uint64_t wanted) {
    while (k < count && is_chosen(k) != wanted) ++k;
    return k;
  };
  search_.clear();
  // Both kinds of items are in order already; merging them orders all.
  std::size_t inside = next(0, 1), outside = next(0, 0);
  while (inside < count || outside < count) {
    const bool take_inside =
        outside >= count || (inside < count && truth.ratio[inside] * up >= truth.ratio[outside] * down);
    std::size_t& k = take_inside ? inside : outside;
    const double factor = take_inside ? up : down;
    const std::uint8_t item = truth.order[k];
    search_.push(values_[item] * factor, truth.weights[item], truth.ratio[k] * factor, item);
    k = next(k + 1, take_inside ? 1 : 0);
  }
  // Items that weigh nothing stay where they were chosen and are added where not.
  const std::optional<std::uint64_t> found = search_.solve(truth.capacity);
  if (!found) return {};
  const std::uint64_t kept = *found | truth.free;
  return RecourseOutcome{recourse_value(values_, rho_, chosen, kept), kept};
}

double recourse_value(std::span<const double> values, double rho, std::uint64_t chosen, std::uint64_t kept) {
  double value = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool before = (chosen >> i) & 1u, after = (kept >> i) & 1u;
    if (before)
      value += after ? values[i] : values[i] - rho * values[i];
    else if (after)
      value += values[i] / rho;
  }
  return value;
}

}  // namespace polystep::solvers
