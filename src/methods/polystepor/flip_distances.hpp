// How far probes must reach: the distance along a probe direction at which an instance's decision first
// changes, found on the real solver.
//
// Where predictions enter a linear objective, the moves that leave a decision optimal form an interval, so
// doubling and bisection find its end for certain. Elsewhere they find a change, which need not be the first.
// Distances are in the units that the method's own radii are in.
#pragma once

#include <functional>
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
  bool cut = false;               // it was stopped before all pairs were tried
};

// Draws training rows and the method's own probe directions (those of random parameters where it has none)
// around `theta`. Empty for predictors that are not affine. `on_pairs` is told how many were tried so far.
// Where it is to stop, what was found by then is the answer.
std::optional<FlipDistances> measure_flip_distances(Evaluator& evaluator, const Options& method_options,
                                                    std::span<const double> theta, std::size_t pairs,
                                                    std::uint64_t seed,
                                                    const std::function<void(std::size_t)>& on_pairs = {});

// Where decisions move smoothly with predictions (no decision recurs), every probe changes one, and distances
// to the first change say nothing. What tells something there is how much costs change.
struct CostChanges {
  std::vector<double> shares;  // ascending: |change of a row's realised cost| / |its cost|
  std::size_t pairs = 0;       // of an instance and a direction that were tried
  double distance = 0;         // that probes went out
  bool cut = false;
};

// The same pairs as above, moved by `distance`.
std::optional<CostChanges> measure_cost_changes(Evaluator& evaluator, const Options& method_options,
                                                std::span<const double> theta, double distance,
                                                std::size_t pairs, std::uint64_t seed,
                                                const std::function<void(std::size_t)>& on_pairs = {});

}  // namespace polystep
