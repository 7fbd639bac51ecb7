// A weight per feature and output: the predictor of most benchmarks.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry linear_entry();

}  // namespace polystep
