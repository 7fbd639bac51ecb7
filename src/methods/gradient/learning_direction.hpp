// A known slip of the published portfolio runs, kept as an option.
//
// Three methods (dbb, imle, fenchel-young) were run there with the gradient of a minimisation problem
// although the problem maximises, so they learned to decide badly. `direction = published` repeats this on
// maximisation problems; the `paper` preset sets it for the portfolio, the `corrected` preset does not.
#pragma once

#include "methods/gradient/decision_oracle.hpp"
#include "polystep/method.hpp"

namespace polystep {

// Adds the option `direction`, lets the `paper` preset set it where the published runs had it wrong (`helped`
// does not), and adds the preset `corrected`.
void add_direction_option(MethodEntry& entry);

// Whether to take the minimisation form on a maximisation problem.
bool learns_wrong_way(const Options& options, const DecisionOracle& oracle);

}  // namespace polystep
