// The grid of the benchmark on alloys: every profile of the data with every method and training seed.
#pragma once

#include <string>
#include <vector>

#include "runtime/bench/benchmark_grid.hpp"

namespace polystep {

// Profiles unless an option says which; methods as asked for ("mse", "odece:paper alpha=0.2"), or all that
// were published and that the program has, with the presets of its own besides; seeds 11 to 15 unless others
// are given.
std::vector<GridCell> alloy_grid(const ProblemRegistry& problems, const GridRequest& request);

}  // namespace polystep
