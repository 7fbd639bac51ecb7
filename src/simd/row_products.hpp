// Dense layers on rows of numbers in single precision, for networks whose rows pass many small layers.
//
// A sum starts from 0, from the bias or from what is there, and takes its terms in order, each by a fused
// multiply-add. So its bits depend on its own row and weights alone: not on the rows beside it, the processor
// or the threads.
#pragma once

#include <cstddef>

#include "simd/lanes.hpp"

namespace polystep {

// Units are computed this many at a time; arrays of units have room for a multiple of it.
inline constexpr std::size_t kUnitsAtOnce = 16;

inline constexpr std::size_t padded_units(std::size_t units) {
  return (units + kUnitsAtOnce - 1) / kUnitsAtOnce * kUnitsAtOnce;
}

struct RowProduct {
  const float* values = nullptr;  // [rows × inputs], rows `value_stride` apart
  std::size_t rows = 0;
  std::size_t inputs = 0;
  std::size_t value_stride = 0;
  const float* weight = nullptr;  // [inputs × padded units], input by input
  std::size_t units = 0;          // a multiple of kUnitsAtOnce
  const float* bias = nullptr;    // [units]; nullptr: 0
  bool rectified = false;         // sums below 0 become 0
  float* sums = nullptr;          // [rows × units], rows `sum_stride` apart
  std::size_t sum_stride = 0;
  bool goes_on = false;  // sums start from what is there, without a bias
};

void multiply_rows(const RowProduct& product, simd::InstructionSet set = simd::best_instruction_set());

// The same without vector instructions of any particular processor, for tests.
void multiply_rows_plainly(const RowProduct& product);

}  // namespace polystep
