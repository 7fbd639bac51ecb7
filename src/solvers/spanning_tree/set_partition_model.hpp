// Set partitioning as a model of the general backend: every unit in exactly one of the chosen sets, and as
// many sets as there are districts. Columns are the sets.
#pragma once

#include "solvers/milp/milp_model.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

MilpModel set_partition_model(const DistrictGraph& graph, const ConnectedSets& sets);

}  // namespace polystep::solvers
