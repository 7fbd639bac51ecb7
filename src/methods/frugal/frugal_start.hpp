// Where probes start from where predictions enter constraints: what a frugal training learns from its calls.
//
// Remembered answers say in a few calls what recourse costs, which least squares knows nothing of. Validation
// rows are kept aside, so that they can tell whether probes go on to anything better.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

// Whether it can be had, and in less time than people would call a start.
bool serves_frugal_start(const Task& task, const Options& options);

// Parameters for prepared rows (prepared_data.hpp, by the same options).
Found frugal_start(const LearnerContext& context);

}  // namespace polystep
