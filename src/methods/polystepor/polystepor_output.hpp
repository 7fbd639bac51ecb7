// Method polystepor-output: probes in prediction space, for problems whose solves are dear.
#pragma once

#include "methods/polystepor/flip_rate_rule.hpp"
#include "polystep/method.hpp"

namespace polystep {

MethodEntry polystepor_output_method();

// Between which shares of pairs should decide differently.
FlipRateBand noise_band(const Options& options);

}  // namespace polystep
