// PolyStepOR: trains the predictor from the realised cost of decisions alone.
//
// Each step draws a minibatch, asks the optimizer for probes, decides every row with every probe's
// predictions, and tells the optimizer what those decisions really cost. No optimal decisions, no
// derivatives.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry polystepor_method();

}  // namespace polystep
