// The option table of method polystepor, its presets, and the optimizer they describe.
#pragma once

#include <memory>

#include "polystep/method.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {

OptionTable polystepor_options();
std::vector<Preset> polystepor_presets();

// The optimizer that the options describe, starting from the predictor's seeded initial parameters.
PolyStep make_optimizer(const Options& options, const Predictor& predictor, std::uint64_t seed);

}  // namespace polystep
