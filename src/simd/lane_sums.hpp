// What eight lanes of a tile came to, added up and compared.
#pragma once

#include <cstdint>

#include "polystep/tile.hpp"

namespace polystep {

inline double sum_lanes(const double* lanes) {
  double sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) sum += lanes[lane];
  return sum;
}

inline void add_costs(const TileOutcome& outcome, double* sums) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += outcome.cost[lane];
}

inline std::uint32_t lane_bits(std::size_t lanes) { return (1u << lanes) - 1; }

// A bit for every lane in use whose decision differs. All lanes are compared, a fixed number, which the
// compiler can do at once.
inline std::uint32_t flipped_lanes(const TileOutcome& outcome, const TileOutcome& incumbent,
                                   std::size_t lanes) {
  std::uint32_t flipped = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    flipped |= static_cast<std::uint32_t>(outcome.signature[lane] != incumbent.signature[lane]) << lane;
  return flipped & lane_bits(lanes);
}

}  // namespace polystep
