// The published energy data: two years of the Irish electricity market, and the knapsack items made from
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/benchmarks/energy_days.hpp"
#include "polystep/dataset.hpp"

namespace polystep {

// All days in file order, in raw units.
EnergyDays read_energy_days(const std::string& data_directory, EnergyTarget target);

// The scaling published with the data; the same for every seed.
FeatureScaling read_energy_scaling(const std::string& data_directory);

// The benchmark data set of one seed: scaled features, days in the seed's order, 550 / 100 / 139.
Dataset published_energy(const std::string& data_directory, std::uint64_t seed, EnergyTarget target);
Dataset published_knapsack(const std::string& data_directory, std::uint64_t seed);

// The weights of the 48 knapsack items.
std::vector<int> published_knapsack_weights(const std::string& data_directory);

}  // namespace polystep
