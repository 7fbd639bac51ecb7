#include "optimizer/probe_builder.hpp"

#include <algorithm>

#include "optimizer/rotation.hpp"
#include "polystep/random.hpp"

namespace polystep {

ProbeBuilder::ProbeBuilder(const SearchSpace& space, const PolyStepOptions& options, std::uint64_t seed)
    : kind_(options.rotation),
      seed_(seed),
      layout_(space.dimension(), options.block_size, options.last_block),
      polytope_(options.polytope, layout_.block_size),
      last_polytope_(options.polytope, layout_.last_size),
      rotation_(layout_.blocks * layout_.block_size * layout_.block_size),
      centroid_(layout_.block_size) {
  if (options.draws == Draws::kTwister) released_.emplace(seed);
  probes_.space_ = &space;
  probes_.dimension_ = layout_.dimension;
  probes_.blocks_ = layout_.blocks;
  probes_.block_size_ = layout_.block_size;
  probes_.last_block_size_ = layout_.last_size;
  probes_.vertices_ = polytope_.vertices();
  probes_.last_vertices_ = last_polytope_.vertices();
  probes_.antipodal_ = polytope_.antipodal();
  probes_.rotated_.resize(layout_.blocks * polytope_.vertices() * layout_.block_size);
}

void ProbeBuilder::build(std::size_t step, std::vector<double> radii) {
  probes_.radii_ = std::move(radii);
  const std::size_t stride = polytope_.vertices() * layout_.block_size;
  if (released_ && kind_ == RotationKind::kHaar) released_->draw(step, layout_);
  for (std::size_t block = 0; block < layout_.blocks; ++block) {
    const std::size_t q = layout_.size(block);
    const SeenColumns* seen = probes_.space_->seen();
    const bool alike = seen != nullptr && !released_ && layout_.first(block) >= seen->first_fresh();
    if (kind_ == RotationKind::kIdentity || alike) {
      set_identity(q, rotation(block));
    } else if (released_) {
      released_->rotation(block, q, rotation(block));
    } else {
      RandomStream random(seed_, Purpose::kRotation, step, block);
      draw_rotation(random, q, rotation(block), reflector_);
    }
    const Polytope& shape = polytope(block);
    shape.rotate(rotation(block), std::span(probes_.rotated_).subspan(block * stride, shape.vertices() * q));
  }
}

// The mean is taken before rotating: the polytope's own coordinates cancel exactly where the weights are
// balanced.
void ProbeBuilder::block_direction(std::size_t block, std::span<const double> weights,
                                   std::span<double> direction) {
  const std::size_t q = layout_.size(block);
  const std::span<double> mean = std::span(centroid_).first(q);
  polytope(block).centroid(weights, mean);
  std::fill(direction.begin(), direction.end(), 0.0);
  const std::span<const double> columns = rotation(block);
  for (std::size_t column = 0; column < q; ++column)
    for (std::size_t i = 0; i < q; ++i) direction[i] += mean[column] * columns[column * q + i];
}

}  // namespace polystep
