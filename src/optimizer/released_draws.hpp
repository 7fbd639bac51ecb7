// Rotations and bases as the released runs draw them (draws = twister).
//
// After the sign rule a rotation is a function of its Gaussian numbers alone, and so is a basis once the
// signs that Householder reflections leave are known. Double-precision factorisations of the same numbers
// therefore follow the released run up to its single-precision rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/twister.hpp"
#include "optimizer/block_layout.hpp"
#include "optimizer/dense_columns.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// All rotations of a step come from one array of Gaussian numbers, block after block.
class ReleasedRotations {
 public:
  explicit ReleasedRotations(std::uint64_t seed) : twister_(seed) {}

  void draw(std::size_t step, const BlockLayout& layout);

  // Q of the block's numbers with a positive diagonal of R, its first column turned where that makes it a
  // rotation; column after column into [size × size]. Blocks before the last have this size too.
  void rotation(std::size_t block, std::size_t size, std::span<double> out) const;

 private:
  Twister twister_;
  std::size_t block_entries_ = 0;
  std::vector<double> gaussian_;  // [blocks × size × size], each row after row
};

// Fills the columns with the basis that a tensor has in released runs: Q, with the signs of Householder
// reflections, of a Gaussian matrix whose generator is seeded by run and tensor name.
void draw_released_basis(std::uint64_t seed, const TensorShape& tensor, DenseColumns& columns);

}  // namespace polystep
