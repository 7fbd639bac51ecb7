// The first districts of the published search: groups of light edges, merged two at a time until there are as
// many as districts, and a repair that hands border units on one by one.
//
// start_districts does the same and more: it repairs along chains of districts and prefers units that leave
// compact shapes. Ten rounds of handing on often leave districts too large or too small.
#pragma once

#include <cstdint>
#include <span>

#include "solvers/spanning_tree/districting.hpp"

namespace polystep::solvers {

// By these weights alone; whether sizes keep to the limits violation() tells. weights: [edges], those of
// depot edges are not used.
Districting published_districts(const DistrictGraph& graph, std::span<const double> weights);

}  // namespace polystep::solvers
