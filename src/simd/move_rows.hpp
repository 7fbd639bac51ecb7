// Moves a few rows of a tile, in the instruction set of the solver that reads the tile next.
//
// A probe changes few predicted parameters between two solves. Rows written in 32-byte halves just before an
// AVX-512 kernel loads them whole cannot be forwarded from the store buffer; on the 5 × 5 grid that wait
// costs a quarter of the solves per second. Moved by this function, rows are written as wide as they are
// read.
#pragma once

#include <cstdint>
#include <span>

#include "simd/lanes.hpp"

namespace polystep::simd {

// predicted[row] = base[row] + step * change[k] for the k-th of `rows`; base may be predicted itself.
// base, predicted: [any rows × kLanes]; change: [rows × kLanes]
using MoveRows = void (*)(const double* base, std::span<const std::uint32_t> rows, const double* change,
                          double step, double* predicted);

MoveRows move_rows_variant(InstructionSet set = best_instruction_set());

}  // namespace polystep::simd
