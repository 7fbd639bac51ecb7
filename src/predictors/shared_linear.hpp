// The same few weights for every output, each of which has its own row of features.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry shared_linear_entry();

}  // namespace polystep
