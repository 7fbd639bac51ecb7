// For tests of kernels over tiles of eight lanes, which are compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <vector>

#include "polystep/tile.hpp"
#include "simd/lanes.hpp"

namespace polystep::solvers {

using simd::InstructionSet;

// Those that this processor has.
inline std::vector<InstructionSet> supported_sets() {
  std::vector<InstructionSet> sets{InstructionSet::kBaseline};
  if (simd::is_supported(InstructionSet::kAvx512)) sets.push_back(InstructionSet::kAvx512);
  return sets;
}

// One lane of a tile.
inline std::vector<double> lane_of(const std::vector<double>& tile, std::size_t lane) {
  std::vector<double> column;
  for (std::size_t at = lane; at < tile.size(); at += kLanes) column.push_back(tile[at]);
  return column;
}

}  // namespace polystep::solvers
