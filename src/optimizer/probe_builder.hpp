// Draws a step's rotations and fills in its probes; afterwards turns weighted vertices into block directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimizer/block_layout.hpp"
#include "optimizer/polytope.hpp"
#include "optimizer/released_draws.hpp"
#include "optimizer/vertex_rows.hpp"
#include "polystep/optimizer_options.hpp"
#include "polystep/probes.hpp"

namespace polystep {

class ProbeBuilder {
 public:
  ProbeBuilder(const SearchSpace& space, const PolyStepOptions& options, std::uint64_t seed);

  const BlockLayout& layout() const { return layout_; }
  VertexRows row_shape() const { return {layout_.blocks, polytope_.vertices(), last_polytope_.vertices()}; }
  const Probes& probes() const { return probes_; }

  // Fresh rotations for this step; one probe per vertex and entry of `radii`.
  void build(std::size_t step, std::vector<double> radii);

  // The block's mean vertex under `weights`, rotated, into [block size]. At most 1 long.
  void block_direction(std::size_t block, std::span<const double> weights, std::span<double> direction);

 private:
  const Polytope& polytope(std::size_t block) const {
    return block + 1 < layout_.blocks ? polytope_ : last_polytope_;
  }
  std::span<double> rotation(std::size_t block) {
    const std::size_t q = layout_.size(block);
    return std::span(rotation_).subspan(block * layout_.block_size * layout_.block_size, q * q);
  }

  RotationKind kind_;
  std::uint64_t seed_;
  BlockLayout layout_;
  Polytope polytope_;
  Polytope last_polytope_;
  std::vector<double> rotation_;  // [blocks × block size × block size], each column after column
  Probes probes_;
  std::vector<double> reflector_;              // scratch of draw_rotation
  std::optional<ReleasedRotations> released_;  // draws = twister
  std::vector<double> centroid_;               // scratch, [block size]
};

}  // namespace polystep
