// A synthetic electricity market: the stand-in for the published energy data where these are not at hand.
//
// It has the shape of the published data (789 days of 48 slots, the same eight features, scaling and splits)
// and the traits that make them hard: prices follow net load (load minus wind) through a convex curve and
// break out in heavy-tailed spikes when supply is tight, so a linear predictor is misspecified. Its numbers
// are not the published ones; results on it compare methods with each other only. docs/data.md gives every
// formula.
#pragma once

#include <cstdint>
#include <vector>

#include "data/benchmarks/energy_days.hpp"
#include "polystep/dataset.hpp"

namespace polystep {

// All days in calendar order, in raw units.
EnergyDays generate_energy_days(std::uint64_t data_seed, EnergyTarget target);

// The data set: days of data_seed, dealt into splits in the order of split_seed.
Dataset generated_energy(std::uint64_t data_seed, std::uint64_t split_seed, EnergyTarget target);
Dataset generated_knapsack(std::uint64_t data_seed, std::uint64_t split_seed);

// The weights of the 48 knapsack items, sixteen each of 3, 5 and 7: one arrangement for all seeds.
std::vector<int> generated_knapsack_weights();

}  // namespace polystep
