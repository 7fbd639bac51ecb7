// The main directions of a few long vectors: leading left singular vectors of the matrix with those columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polystep {

// Writes up to outputs.size() orthogonal unit vectors, most important first, and returns how many there are:
// fewer if the vectors span fewer dimensions, none if they are all tiny or one is not finite.
std::size_t principal_directions(std::span<const std::vector<double>> vectors,
                                 std::span<const std::span<double>> outputs);

}  // namespace polystep
