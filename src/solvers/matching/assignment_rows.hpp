// What an assignment does with one row of its table: the hot loops of assignment.hpp, by instruction set.
//
// A table has at most 64 columns, rounded up to whole vectors of eight; columns beyond the last never win.
// Where several columns are equally good, the first one is taken, so all variants agree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/lanes.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

// Whole numbers in which weights, prices and distances are counted.
using Units = std::int64_t;

inline constexpr Units kFarUnits = Units{1} << 61;

struct BestColumn {
  Units net;  // gain minus price
  std::size_t column;
};

struct TwoBestColumns {
  BestColumn first;
  BestColumn second;
};

// One search for an augmenting path: what is known of the columns. All arrays are [stride].
struct PathSearch {
  Units* distance;            // from the free row
  Units* predecessor;         // the row from which a column is reached
  std::uint64_t settled = 0;  // a bit per column
};

struct RowKernels {
  BestColumn (*best)(const Units* gain, const Units* price, std::size_t stride);
  TwoBestColumns (*two_best)(const Units* gain, const Units* price, std::size_t stride);

  // Shortens distances by way of `row`, whose own is `base` less its profit, and returns the nearest column
  // that is not settled, with its distance.
  BestColumn (*relax)(const Units* gain, const Units* price, std::size_t stride, Units base, Units row,
                      const PathSearch& search);
};

const RowKernels& row_kernels(InstructionSet set = best_instruction_set());

}  // namespace polystep::solvers
