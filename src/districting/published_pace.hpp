// How fast the published program searched, method by method, as far as its rules and published files tell.
//
// It had twenty minutes for a problem, and how far these carried it differed a hundredfold between methods:
// a move is tried on a copy of the city with all its attributes, a rejected one is valued four times, and an
// estimate by tours reads the city's whole file again for every value. Seconds below are estimates; results
// at other limits say how much hangs on them.
#pragma once

#include "districting/bench_grid.hpp"
#include "solvers/spanning_tree/published_search.hpp"

namespace polystep {

inline constexpr double kPublishedLimit = 1200;  // seconds for up to 400 units, published

solvers::PublishedPace published_pace(const BenchMethod& method, const BenchProblem& problem);

}  // namespace polystep
