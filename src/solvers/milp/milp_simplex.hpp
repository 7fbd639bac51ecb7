// Linear programmes by CLP, with a verdict that can be relied on: the one place that knows CLP's status
// codes.
#pragma once

#include "solvers/milp/milp.hpp"

class ClpSimplex;

namespace polystep::solvers {

// Solves the linear programme in `simplex`, whose basis is not used yet, and leaves the optimal basis and
// solution there.
MilpStatus run_simplex(ClpSimplex& simplex, double seconds);

}  // namespace polystep::solvers
