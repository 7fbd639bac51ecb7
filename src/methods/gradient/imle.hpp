// I-MLE: implicit maximum likelihood, by decisions of perturbed predictions.
//
// With x*(.) the solver, B the batch size, T the noise scale, e one draw of the noise for both solves, and s
// = +1 to minimise, -1 to maximise:
//   gradient_i = s (x*(p_i + beta y_i / B - s T e) - x*(p_i - s T e)),
// e = Gamma(1/k, rate 1/k) / k per coordinate with k = 5: the sum-of-gamma noise with a single term, as
// published.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry imle_method();

}  // namespace polystep
