#include "solvers/knapsack/capacity_multipliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr int kTrials = 120;
constexpr int kPatience = 6;  // trials without a better bound before steps become shorter

}  // namespace

CapacityMultipliers::CapacityMultipliers(const Scheduling& scheduling)
    : scheduling_(scheduling),
      multipliers_(scheduling.slots(), 0.0),
      best_(scheduling.slots(), 0.0),
      before_(scheduling.slots() + 1, 0.0),
      excess_(scheduling.slots(), 0.0) {
  double uses = scheduling.usable_capacity();
  for (const Job& job : scheduling.jobs()) uses += job.resource;
  largest_ =
      std::floor(std::ldexp(1.0, 60) / (std::max(uses, 1.0) * static_cast<double>(scheduling.slots())));
}

// The subgradient method with Polyak's step: towards the target, shorter where that keeps failing.
void CapacityMultipliers::improve(std::span<const std::int64_t> costs, std::int64_t target) {
  multipliers_ = best_;
  double best_bound = -std::numeric_limits<double>::infinity();
  double relaxation = 1.0;
  int failures = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double bound = bound_and_use(costs);
    if (bound > best_bound) {
      best_bound = bound;
      best_ = multipliers_;
      failures = 0;
    } else if (++failures == kPatience) {
      relaxation /= 2;
      failures = 0;
      multipliers_ = best_;
      bound_and_use(costs);
    }
    double squares = 0;
    for (const double excess : excess_) squares += excess * excess;
    const double gap = static_cast<double>(target) - best_bound;
    if (squares == 0 || gap <= 0) break;
    step_along_use(relaxation * gap / squares);
  }
  for (double& multiplier : best_) multiplier = std::floor(multiplier);
}

double CapacityMultipliers::bound_and_use(std::span<const std::int64_t> costs) {
  const double capacity = scheduling_.usable_capacity();
  for (std::size_t slot = 0; slot < multipliers_.size(); ++slot) {
    before_[slot + 1] = before_[slot] + multipliers_[slot];
    excess_[slot] = -capacity;
  }
  double bound = -capacity * before_.back();
  for (const Job& job : scheduling_.jobs()) {
    const double* const first = before_.data() + job.earliest;
    const std::int64_t* const cost = costs.data() + job.first_option;
    double cheapest = std::numeric_limits<double>::infinity();
    std::size_t chosen = 0;
    for (std::size_t option = 0; option < job.options; ++option) {
      const double charged =
          static_cast<double>(cost[option]) +
          job.resource * (first[option + static_cast<std::size_t>(job.duration)] - first[option]);
      if (charged < cheapest) cheapest = charged, chosen = option;
    }
    bound += cheapest;
    double* const excess = excess_.data() + job.earliest + chosen;
    for (int slot = 0; slot < job.duration; ++slot) excess[slot] += job.resource;
  }
  // A slot that is neither charged nor crowded has no say in where to go.
  for (std::size_t slot = 0; slot < excess_.size(); ++slot)
    if (multipliers_[slot] == 0 && excess_[slot] < 0) excess_[slot] = 0;
  return bound;
}

void CapacityMultipliers::step_along_use(double length) {
  for (std::size_t slot = 0; slot < multipliers_.size(); ++slot)
    multipliers_[slot] = std::clamp(multipliers_[slot] + length * excess_[slot], 0.0, largest_);
}

std::int64_t CapacityMultipliers::charge(std::span<const std::int64_t> costs,
                                         std::span<std::int64_t> charged) const {
  std::array<std::int64_t, Scheduling::kMostSlots + 1> before;
  before[0] = 0;
  for (std::size_t slot = 0; slot < best_.size(); ++slot)
    before[slot + 1] = before[slot] + static_cast<std::int64_t>(best_[slot]);
  for (const Job& job : scheduling_.jobs()) {
    const std::int64_t* const first = before.data() + job.earliest;
    for (std::size_t option = 0; option < job.options; ++option)
      charged[job.first_option + option] =
          costs[job.first_option + option] +
          job.resource * (first[option + static_cast<std::size_t>(job.duration)] - first[option]);
  }
  return scheduling_.usable_capacity() * before[best_.size()];
}

}  // namespace polystep::solvers
