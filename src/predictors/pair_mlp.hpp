// One multilayer perceptron that scores every pair of a left and a right row of features.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry pair_mlp_entry();

}  // namespace polystep
