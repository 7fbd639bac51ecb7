// Random rotations, uniform (Haar) on SO(q).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/random.hpp"

namespace polystep {

// Writes a rotation, column after column, into [dimension × dimension]. `reflector` is scratch space that
// keeps its capacity between calls.
void draw_rotation(RandomStream& random, std::size_t dimension, std::span<double> rotation,
                   std::vector<double>& reflector);

void set_identity(std::size_t dimension, std::span<double> rotation);

}  // namespace polystep
