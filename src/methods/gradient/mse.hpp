// Least squares: trains the predictor to be close to the true parameters, whatever that means for decisions.
//
// `fit = closed-form` solves the normal problem exactly in one step; `fit = adam` follows the published
// baseline: mini-batches in stored order, Adam, an L1 penalty where the benchmark has one, a rate lowered
// when validation regret stalls, and the parameters of the last epoch.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry mse_method();

}  // namespace polystep
