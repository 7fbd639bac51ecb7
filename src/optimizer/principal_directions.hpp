// The main directions of a few long vectors: leading left singular vectors of the matrix with those columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/parallel_for.hpp"

namespace polystep {

// Writes up to outputs.size() orthogonal unit vectors, most important first, and returns how many there are:
// fewer if the vectors span fewer dimensions, none if they are all tiny or one is not finite. Sums are taken
// in double precision and in an order that does not depend on threads.
template <class Real>
std::size_t principal_directions(std::span<const std::span<const Real>> vectors,
                                 std::span<const std::span<Real>> outputs, const ParallelFor& parallel = {});

// The same for whoever knows the inner products of the vectors, [vectors × vectors].
template <class Real>
std::size_t principal_directions(std::span<const std::span<const Real>> vectors, std::vector<double> gram,
                                 std::span<const std::span<Real>> outputs, const ParallelFor& parallel = {});

extern template std::size_t principal_directions(std::span<const std::span<const double>>,
                                                 std::span<const std::span<double>>, const ParallelFor&);
extern template std::size_t principal_directions(std::span<const std::span<const float>>,
                                                 std::span<const std::span<float>>, const ParallelFor&);
extern template std::size_t principal_directions(std::span<const std::span<const float>>, std::vector<double>,
                                                 std::span<const std::span<float>>, const ParallelFor&);

}  // namespace polystep
