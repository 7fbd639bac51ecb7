// A first partition for the search: light edges join units to groups, groups are merged to districts, and
// sizes are repaired.
//
// Repair moves a unit from a district that is too large towards the nearest one with room, or to one that is
// too small from the nearest that can spare one, along a chain of districts if need be. Where no chain helps,
// the smallest district is dissolved into its neighbours and the largest one is cut in two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/spanning_tree/districting.hpp"

namespace polystep::solvers {

// Always as many connected districts as asked for. Sizes keep to the limits where repair succeeds, which
// violation() tells. weights: [edges]; those of depot edges are not used.
Districting start_districts(const DistrictGraph& graph, std::span<const double> weights);

// Repairs the sizes of any partition into connected districts; true where they keep to the limits afterwards.
bool repair_sizes(Districting& districts);

}  // namespace polystep::solvers
