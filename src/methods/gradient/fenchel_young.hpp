// Fenchel-Young loss of the perturbed solver: imitation of reference decisions.
//
// With x*(.) the solver, G noise of unit scale, S samples of it, B the batch size, y the reference and s = +1
// to minimise, -1 to maximise:
//   gradient_i = s (y_i - mean over samples of x*(p_i + sigma G)) / B.
// Published with one sample of Gumbel noise. Preset `districtnet` is how districting was published: 20
// samples of normal noise, the same at every call, and references averaged over the decisions that stand for
// the optimal one.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry fenchel_young_method();

}  // namespace polystep
