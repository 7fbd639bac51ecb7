// One multilayer perceptron for all edges of an instance's graph; without hidden layers it is affine.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry edge_mlp_entry();

}  // namespace polystep
