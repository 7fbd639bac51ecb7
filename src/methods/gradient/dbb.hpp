// DBB, differentiation of a black-box solver: a finite difference between the decision and one nudged towards
// the truth.
//
// With x*(.) the solver, B the batch size and s = +1 to minimise, -1 to maximise:
//   gradient_i = s (x*(p_i + lambda y_i / B) - x*(p_i)) / lambda.
// The published portfolio runs took the minimisation form on a maximisation problem, with
//   gradient_i = (x*(p_i) - x*(p_i - lambda y_i / B)) / lambda,
// and so learned in the wrong direction; `direction = published` repeats that.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry dbb_method();

}  // namespace polystep
