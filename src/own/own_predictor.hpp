// Makes the predictor of a task of one's own.
#pragma once

#include <memory>

#include "own/predictor_spec.hpp"
#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// Outputs are in the units of the training rows' truth unless `raw_outputs`: where predictions only rank
// decisions, methods choose units of their own.
std::unique_ptr<Predictor> make_own_predictor(const PredictorSpec& spec, const Dataset& data,
                                              bool raw_outputs);

}  // namespace polystep
