#include "problems/recourse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {

void write_lane(const Realisation& result, std::size_t lane, TileOutcome& outcome) {
  const bool failed = !std::isfinite(result.cost);
  outcome.cost[lane] = failed ? 0 : result.cost;
  outcome.failed |= static_cast<std::uint32_t>(failed) << lane;
  if (failed) return;
  outcome.infeasible |= static_cast<std::uint32_t>(result.recourse.infeasible) << lane;
  outcome.changed |= static_cast<std::uint32_t>(result.recourse.changed) << lane;
}

Realisation pay_shortage(double decision_cost, std::span<const double> required,
                         std::span<const double> provided, std::span<const double> price) {
  Realisation result{decision_cost, {}};
  for (std::size_t i = 0; i < required.size(); ++i) {
    const double missing = required[i] - provided[i];
    if (!(missing > 0)) continue;
    result.cost += price[i] * missing;
    result.recourse = {.infeasible = true, .changed = true};
  }
  return result;
}

Recourse scale_to_fit(std::span<double> decision, std::span<const double> uses, double capacity) {
  double used = 0;
  for (std::size_t i = 0; i < decision.size(); ++i) used += uses[i] * decision[i];
  if (used <= capacity) return {};
  const double factor = std::max(0.0, capacity) / used;
  for (double& amount : decision) amount *= factor;
  return {.infeasible = true, .changed = true};
}

Realisation scale_to_cover(double decision_cost, std::span<const double> required,
                           std::span<const double> provided, double surcharge) {
  double factor = 1;
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (provided[i] >= required[i]) continue;
    factor = provided[i] > 0 ? std::max(factor, required[i] / provided[i])
                             : std::numeric_limits<double>::infinity();
  }
  if (factor == 1) return {decision_cost, {}};
  return {factor * decision_cost + surcharge * (factor - 1) * decision_cost,
          {.infeasible = true, .changed = true}};
}

}  // namespace polystep
