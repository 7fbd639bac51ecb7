// The hyperparameters published with the classical benchmark, by method, problem and setting.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polystep/method.hpp"

namespace polystep {

// Option values of a gradient method for a problem: rate, epochs, batch, l1 and the method's own parameters.
// A setting between two published ones takes those of the next higher, one above all those of the highest. A
// problem outside the benchmark gets none: the options' defaults hold.
OptionValues published_values(const std::string& method, const PresetContext& context);

// Peculiarities of the published runs that went beyond hyperparameters.
struct PublishedProtocol {
  bool extra_division = false;  // ranking losses were divided by the batch size twice
  bool wrong_sign = false;      // some methods took the minimisation form on a maximisation problem
};
PublishedProtocol published_protocol(const PresetContext& context);

}  // namespace polystep
