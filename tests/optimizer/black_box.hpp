// Runs the real optimizer on small losses, and the settings in which a step can be followed by hand.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "polystep/optimizer.hpp"

namespace polystep::testing {

// Costs of this step's probes.
template <class Loss>
std::vector<double> evaluate(PolyStep& optimizer, Loss&& loss) {
  const Probes& probes = optimizer.ask();
  std::vector<double> costs(probes.size());
  std::vector<double> theta(optimizer.parameters().size());
  for (std::size_t i = 0; i < probes.size(); ++i) {
    optimizer.candidate(i, theta);
    costs[i] = loss(std::span<const double>(theta));
  }
  return costs;
}

template <class Loss>
void take_step(PolyStep& optimizer, Loss&& loss) {
  optimizer.tell(evaluate(optimizer, loss));
}

template <class Loss>
void take_steps(PolyStep& optimizer, Loss&& loss, int count) {
  for (int t = 0; t < count; ++t) take_step(optimizer, loss);
}

// The theory's setting: raw costs, no rotation, one probe per vertex at exactly `radius`.
inline PolyStepOptions plain_options(std::size_t block_size, double radius, double temperature) {
  PolyStepOptions options;
  options.block_size = block_size;
  options.last_block = LastBlock::kShrunken;
  options.rotation = RotationKind::kIdentity;
  options.probe_radius = Schedule::constant(2 * radius);
  options.temperature = Schedule::constant(temperature);
  options.step_length = Schedule::constant(1.0);
  options.cost_scale = CostScale::kNone;
  return options;
}

inline PolyStep at_origin(std::size_t dimension, const PolyStepOptions& options, std::uint64_t seed = 1) {
  return PolyStep(make_full_space(std::vector<double>(dimension, 0.0)), options, seed);
}

inline std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

inline double sphere(std::span<const double> x) { return dot(x, x); }

}  // namespace polystep::testing
