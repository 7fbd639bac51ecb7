// One step's probes: where the optimizer wants the loss evaluated.
//
// The search coordinates are cut into blocks. Each block has a rotated polytope of unit directions, and each
// direction is probed at one or more radii, so probe (block, vertex, radius) is the candidate
//
//   theta + radii()[radius] * direction(block, vertex).
//
// Costs are told in the order of index(): blocks, then vertices, then radii. All functions are const and may
// be called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polystep/predictor.hpp"
#include "polystep/search_space.hpp"

namespace polystep {

struct ProbeAddress {
  std::size_t block = 0;
  std::size_t vertex = 0;
  std::size_t radius = 0;  // index into radii()
};

class Probes {
 public:
  std::size_t blocks() const { return blocks_; }
  std::size_t vertices(std::size_t block) const { return block + 1 < blocks_ ? vertices_ : last_vertices_; }
  std::span<const double> radii() const { return radii_; }  // physical lengths, ascending
  std::size_t size() const { return ((blocks_ - 1) * vertices_ + last_vertices_) * radii_.size(); }

  std::size_t index(std::size_t block, std::size_t vertex, std::size_t radius) const {
    return (block * vertices_ + vertex) * radii_.size() + radius;
  }
  std::size_t block_offset(std::size_t block) const {
    return index(block, 0, 0);
  }  // of a block's first probe
  ProbeAddress address(std::size_t probe) const;

  // True where vertex v and vertex v + vertices/2 of a block are exact opposites, so that one direction
  // serves two.
  bool antipodal() const { return antipodal_; }

  // The unit direction of a vertex in parameter space. Shorter than 1 where padding coordinates take a share
  // of it, and empty where they take all of it: such a probe is the current point.
  void direction(std::size_t block, std::size_t vertex, Direction& out) const;

  // The same direction in the block's own search coordinates, padding included.
  std::span<const double> block_direction(std::size_t block, std::size_t vertex) const;

  // The search coordinates, and which of them block_direction() is about: from `first_coordinate(block)` on,
  // as far as there are that many; the rest is padding.
  const SearchSpace& space() const { return *space_; }
  std::size_t first_coordinate(std::size_t block) const { return block * block_size_; }

  // The parameters a block's probes can change, ascending.
  void support(std::size_t block, std::vector<std::uint32_t>& out) const;

 private:
  friend class ProbeBuilder;

  const SearchSpace* space_ = nullptr;
  std::size_t dimension_ = 0;  // search coordinates without padding
  std::size_t blocks_ = 0;
  std::size_t block_size_ = 0;
  std::size_t last_block_size_ = 0;
  std::size_t vertices_ = 0;
  std::size_t last_vertices_ = 0;
  bool antipodal_ = false;
  std::vector<double> radii_;
  std::vector<double> rotated_;  // [blocks × vertices × block size]; the last block may be smaller
};

}  // namespace polystep
