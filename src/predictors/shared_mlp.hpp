// One multilayer perceptron for all outputs, each of which has its own row of features.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry shared_mlp_entry();

}  // namespace polystep
