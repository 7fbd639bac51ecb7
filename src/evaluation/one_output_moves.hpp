// Adds up what the probes of one output cost on a tile, once the incumbent's bounds and the rival are known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "evaluation/rival.hpp"
#include "polystep/tile.hpp"

namespace polystep {

// The probes of a block that moves a single output, on one tile. Probe (v, k) moves it by radii[k] *
// change[v]; where probes come in opposite pairs, probe (v + directions, k) moves it the other way.
struct OneOutputMoves {
  const double* change;  // [directions × kLanes], `stride` doubles apart
  std::size_t stride;
  std::size_t directions;
  std::span<const double> radii;
  bool antipodal;

  // The furthest that any probe moves the output, per lane.
  std::array<double, kLanes> reach() const;
};

// Adds every probe's cost to sums [probes × kLanes] and the lanes in use that change to `flips`;
// `moved` gets a bit per lane that changed at all. Returns false, with nothing added, where the bounds leave
// a probe open.
bool add_moves(const OneOutputMoves& moves, const double* margin, const Rival& rival,
               const TileOutcome& incumbent, std::size_t lanes, double* sums, std::uint64_t& flips,
               std::uint32_t& moved);

}  // namespace polystep
