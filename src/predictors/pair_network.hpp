// A network of one hidden layer that scores every pair of a left and a right row, made for sparse rows.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry pair_network_entry();

}  // namespace polystep
