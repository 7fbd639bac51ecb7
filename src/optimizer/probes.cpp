#include "polystep/probes.hpp"

#include <algorithm>

namespace polystep {

ProbeAddress Probes::address(std::size_t probe) const {
  const std::size_t vertex = probe / radii_.size();
  const std::size_t block = vertex / vertices_;
  return {block, vertex - block * vertices_, probe % radii_.size()};
}

std::span<const double> Probes::block_direction(std::size_t block, std::size_t vertex) const {
  const std::size_t size = block + 1 < blocks_ ? block_size_ : last_block_size_;
  return std::span(rotated_).subspan(block * vertices_ * block_size_ + vertex * size, size);
}

void Probes::direction(std::size_t block, std::size_t vertex, Direction& out) const {
  const std::size_t first = block * block_size_;
  const auto coefficients = block_direction(block, vertex);
  space_->direction(first, coefficients.first(std::min(coefficients.size(), dimension_ - first)), out);
}

void Probes::support(std::size_t block, std::vector<std::uint32_t>& out) const {
  const std::size_t first = block * block_size_;
  space_->support(first, std::min(block_size_, dimension_ - first), out);
}

}  // namespace polystep
