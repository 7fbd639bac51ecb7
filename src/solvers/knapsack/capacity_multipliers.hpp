// A bound on the cost of every schedule, from putting a price on capacity.
//
// Charging m_t >= 0 for each unit of resource used in slot t, and refunding m_t for each unit that all
// machines together can provide, never makes a feasible schedule dearer. Each task alone at its cheapest
// start under the charged costs is then a lower bound (a Lagrangian relaxation). With m = 0 it is the sum of
// cheapest starts; good multipliers bring it to the optimum of the linear relaxation. What it cannot see is
// capacity that is lost because tasks do not fill machines exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/scheduling/scheduling.hpp"

namespace polystep::solvers {

class CapacityMultipliers {
 public:
  explicit CapacityMultipliers(const Scheduling& scheduling);

  // Looks for multipliers that bring the bound near `target`, the cost of a known schedule, starting from
  // those it found last time: the result depends on the past, the validity of the bound does not.
  void improve(std::span<const std::int64_t> costs, std::int64_t target);

  // The charged cost of every option, [options], and the refund to subtract from their sum.
  std::int64_t charge(std::span<const std::int64_t> costs, std::span<std::int64_t> charged) const;

 private:
  double bound_and_use(std::span<const std::int64_t> costs);
  void step_along_use(double length);

  const Scheduling& scheduling_;
  double largest_;                   // a multiplier may be, so that whole-number sums cannot overflow
  std::vector<double> multipliers_;  // [slots], of the current trial
  std::vector<double> best_;         // [slots], of the best bound
  std::vector<double> before_;       // [slots + 1], sums of multipliers
  std::vector<double> excess_;       // [slots], use minus capacity at the cheapest starts
};

}  // namespace polystep::solvers
