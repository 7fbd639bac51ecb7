// Fenchel-Young loss of the perturbed solver, with one sample.
//
// With x*(.) the solver, G standard Gumbel noise, B the batch size and s = +1 to minimise, -1 to maximise:
//   gradient_i = s (x*(y_i) - x*(p_i + sigma G)) / B.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry fenchel_young_method();

}  // namespace polystep
