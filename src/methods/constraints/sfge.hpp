// SFGE, score function gradient estimation: learns from the realised regret of decisions for sampled
// predictions.
//
// In units of the training data, each row draws one z = m + exp(t / 2) e with e standard normal, m the
// prediction and t a trained log variance per output. The decision for z has regret r, standardised within
// the batch to r'. With B rows: gradient of m = r' (z - m) exp(-t) / B, of t = r' ((z - m)^2 exp(-t) - 1) /
// (2 B). Validation takes the prediction itself; the best epoch is kept.
//
// Each with a switch, off by default, what preset `best` of polystepor has besides its way of learning:
// standardised features, costs relative to each row's optimum, a fitted start with a safety margin.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry sfge_method();

}  // namespace polystep
