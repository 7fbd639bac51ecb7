// CombOptNet: learns constraints by moving them towards, or away from, neighbours of the solution.
//
// Predictions are linear, in units of the range of all true parameters or, with `units = data`, in their own;
// constraints are used unrounded.
// The loss compares solutions with the optimal ones; its gradient says which variables should go up or down.
// Adding these wishes one after the other gives lattice points y'. Where y' is feasible, the nearest row (or,
// with `tau`, every row by how near it is) is pushed to cut the solution y off; where it is not, the violated
// rows are pulled to let y' in. The last epoch's parameters are the result, as published.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry comboptnet_method();

}  // namespace polystep
