// SPO+: the subgradient of a convex upper bound on regret.
//
// With y the true and p the predicted coefficients, x*(.) the solver and s = +1 to minimise, -1 to maximise:
//   gradient_i = s (x*(y_i) - x*(2 p_i - y_i)),
// summed over the batch, not averaged, as the published runs have it (the textbook form has a factor 2).
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry spo_plus_method();

}  // namespace polystep
