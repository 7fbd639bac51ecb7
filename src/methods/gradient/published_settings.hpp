// The hyperparameters published with the classical benchmark, by method, problem and setting.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polystep/options.hpp"

namespace polystep {

// Option values of a gradient method for a problem: rate, epochs, batch, l1 and the method's own parameters.
// A setting between two published ones takes those of the next higher, one above all those of the highest. A
// problem outside the benchmark gets none: the options' defaults hold.
std::vector<std::pair<std::string, OptionValue>> published_values(const std::string& method,
                                                                  const std::string& problem,
                                                                  const Options& settings);

}  // namespace polystep
