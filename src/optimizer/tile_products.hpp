// Products of a few rows of a tall matrix, packed so that they stay in a cache: the arithmetic behind
// orthonormal columns.
//
// Sums run in a fixed order that does not depend on how many columns are done at once, so all instruction
// sets give the bits of the plain loops that tests hold them against.
#pragma once

#include <cstddef>

#include "simd/lanes.hpp"

namespace polystep {

inline constexpr std::size_t kTileRows =
    128;  // a tile of a few hundred columns stays in the second-level cache
inline constexpr std::size_t kStripRows = 8;  // running sums of an inner product

struct TileProducts {
  std::size_t column_group;  // gram() wants a multiple of this many columns

  // Upper triangle of X^T X for a tile packed column after column, [columns × kTileRows]; into gram
  // [columns × columns], whose lower triangle is not defined afterwards. `rows`: in use, the others are 0.
  void (*gram)(const double* tile, std::size_t rows, std::size_t columns, double* gram);

  // X = X R^-1 for a strip [columns × kStripRows]; r: [columns × columns], upper triangular, rows `stride`
  // apart.
  void (*divide)(double* strip, std::size_t columns, const double* r, std::size_t stride);
};

TileProducts tile_products(simd::InstructionSet set = simd::best_instruction_set());

// The sum that gram() takes for every pair: eight running sums, added up in order after what is left over.
double tile_dot(const double* a, const double* b, std::size_t count);

}  // namespace polystep
