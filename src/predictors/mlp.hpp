// A multilayer perceptron on all features of an instance, with weights of its own for every output.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry mlp_entry();

}  // namespace polystep
