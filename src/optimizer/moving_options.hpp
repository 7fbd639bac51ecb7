// What the two kinds of moving space share: their checks, and how many directions of remembered steps a basis
// keeps.
#pragma once

#include <cstddef>

#include "polystep/search_space.hpp"

namespace polystep {

void check_moving_options(const MovingSpaceOptions& options, std::size_t parameters);  // throws InputError

// At `step`, of the given number of remembered steps: the scheduled share of the dimension, at least one.
std::size_t directions_to_keep(const MovingSpaceOptions& options, std::size_t step, std::size_t remembered);

}  // namespace polystep
