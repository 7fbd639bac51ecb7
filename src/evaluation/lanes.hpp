// kLanes doubles as one SIMD value, for code that works on whole tile rows.
//
// GCC and clang vector extensions: the compiler maps eight doubles to whatever registers the target has.
#pragma once

#include <cstring>

#include "polystep/tile.hpp"

namespace polystep {

using LaneVector = double __attribute__((vector_size(kLanes * sizeof(double))));
using LaneMask = long long __attribute__((vector_size(kLanes * sizeof(long long))));

inline LaneVector load_lanes(const double* from) {
  LaneVector value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

inline void store_lanes(double* to, LaneVector value) { std::memcpy(to, &value, sizeof(value)); }

inline LaneVector all_lanes(double value) { return LaneVector{} + value; }

inline LaneVector abs_lanes(LaneVector value) { return value < 0 ? -value : value; }

inline bool every_lane(LaneMask mask) {
  long long all = -1;
  for (std::size_t lane = 0; lane < kLanes; ++lane) all &= mask[lane];
  return all != 0;
}

}  // namespace polystep
