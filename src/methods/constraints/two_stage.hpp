// Two-stage predict and optimise (2sPtO): learns from what a relaxed decision costs once it is corrected.
//
// Stage 1 decides for the predicted rows in the linear relaxation, at a fixed height of its barrier, so that
// the decision moves smoothly with the prediction. Stage 2, with the truth known, buys what is missing at its
// surcharge: the cheapest addition that meets the true rows. The loss of a batch is the sum of the prices
// paid; its gradient goes through both stages, by the multipliers of the second and the curvature of the
// barrier of the first. Training begins with epochs of least squares.
//
// Published runs do not say which of several settings were theirs and multiply the loss into its own gradient
// once too often; this is the method as it is meant, with their settings.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry two_stage_method();

}  // namespace polystep
