// How far probes must reach: the distance along a probe direction at which an instance's decision first
// changes, found on the real solver.
//
// Where predictions enter a linear objective, the moves that leave a decision optimal form an interval, so
// doubling and bisection find its end for certain. Elsewhere they find a change, which need not be the first.
// Distances are in the units that the method's own radii are in.
#pragma once

#include <optional>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/options.hpp"

namespace polystep {

// To this share of itself a distance is exact.
inline constexpr double kFlipDistanceAccuracy = 1e-6;

struct FlipDistances {
  std::vector<double> distances;  // ascending, of the pairs that do change
  std::size_t pairs = 0;          // of an instance and a direction that were tried
  bool certain = false;           // the objective is linear: these are first changes
};

// Draws training rows and the method's own probe directions (those of random parameters where it has none)
// around `theta`. Empty for predictors that are not affine.
std::optional<FlipDistances> measure_flip_distances(Evaluator& evaluator, const Options& method_options,
                                                    std::span<const double> theta, std::size_t pairs,
                                                    std::uint64_t seed);

}  // namespace polystep
