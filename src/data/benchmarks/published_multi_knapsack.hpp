// The multi-dimensional knapsacks published beside the alloy benchmark: 50 items, 3 resources, 10 features,
// 1500 instances, in which the weights or the capacities are to be predicted.
//
// Data are not shipped but drawn, by NumPy's legacy generator from the seed of the run (11 to 15 in the
// published ones), and split with the same seed: 900 training, 100 validation and 500 test rows. Values
// differ from instance to instance and are known, as is the half that is not predicted.
//
// The published split shuffles features and weights only: capacities and values stay in the order they were
// drawn, and every split takes theirs from the start. Where capacities are predicted, features then belong to
// other instances than the capacities do and tell nothing; where weights are, the three splits share
// capacities and values. `kAsPublished` repeats this, `kAligned` keeps instances whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kPublishedKnapsackItems = 50;
inline constexpr std::size_t kPublishedKnapsackResources = 3;
inline constexpr std::size_t kPublishedKnapsackFeatures = 10;
inline constexpr std::size_t kPublishedKnapsackInstances = 1500;

// All instances, in the order they were drawn.
struct PublishedKnapsacks {
  std::vector<double> features;    // [instances × features]
  std::vector<double> weights;     // [instances × resources × items]
  std::vector<double> capacities;  // [instances × resources]
  std::vector<double> values;      // [instances × items]
};

PublishedKnapsacks draw_knapsacks_of_unknown_weights(std::uint64_t seed);     // throws InputError
PublishedKnapsacks draw_knapsacks_of_unknown_capacities(std::uint64_t seed);  // throws InputError

enum class KnapsackPairing { kAsPublished, kAligned };

// Truth is the weights [rows × resources × items] or the capacities [rows × resources]. Rows are instances
// 0 to 899 (training), 900 to 999 (validation) and 1000 to 1499 (test) of what is known.
struct PublishedKnapsackData {
  Dataset data;
  std::vector<double> values;  // [instances × items]
  std::vector<double> known;   // [instances × resources], or [instances × resources × items]
};

PublishedKnapsackData published_multi_knapsack_weights(std::uint64_t seed, KnapsackPairing pairing);
PublishedKnapsackData published_multi_knapsack_capacities(std::uint64_t seed, KnapsackPairing pairing);

}  // namespace polystep
