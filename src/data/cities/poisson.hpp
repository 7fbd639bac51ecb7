// Whole numbers from a Poisson distribution, for data generators.
#pragma once

#include "polystep/random.hpp"

namespace polystep {

// A draw with the given mean, which must be finite and not negative.
double poisson(RandomStream& stream, double mean);

}  // namespace polystep
