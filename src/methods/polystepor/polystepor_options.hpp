// The option table of method polystepor, its presets, and the optimizer they describe.
#pragma once

#include <memory>

#include "methods/polystepor/flip_rate_rule.hpp"
#include "polystep/method.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {

OptionTable polystepor_options();
std::vector<Preset> polystepor_presets();

// Throws InputError where the options do not make an optimizer for this predictor.
void check_optimizer(const Options& options, const Predictor& predictor);

// The optimizer that the options describe, starting from the given parameters. `parallel` lends threads to a
// basis that is rebuilt (see make_moving_space).
PolyStep make_optimizer(const Options& options, const Predictor& predictor, std::vector<double> start,
                        std::uint64_t seed, ParallelFor parallel = {});

// Probes of one step of that optimizer, by counting.
std::size_t count_probes(const Options& options, const Predictor& predictor);

// Between which shares of probe solves should change a decision (radius-rule = flip-rate).
FlipRateBand flip_rate_band(const Options& options);

}  // namespace polystep
