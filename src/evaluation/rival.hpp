// What a tile decides when a single prediction moves, for any distance at once.
//
// While one prediction moves in the direction that favours other decisions, an exact solver of a linear
// objective keeps the incumbent up to some distance and beyond it takes one and the same rival: the best of
// those that differ in this variable, which all gain alike. So one solve with the prediction pushed far
// enough answers every probe of the output. Margins bound where the change comes: no nearer than the
// incumbent's margin (`stays_below`), and no further than the push less the rival's own margin
// (`changes_above`). Both keep the slack of stability.hpp. Between the two, and where a third decision comes
// within the slack, nothing is claimed.
#pragma once

#include <array>

#include "polystep/aligned.hpp"
#include "polystep/tile.hpp"

namespace polystep {

struct Rival {
  TileOutcome outcome;                                     // lanes that are not in use cost 0
  alignas(64) std::array<double, kLanes> stays_below{};    // the incumbent holds for adverse moves below this
  alignas(64) std::array<double, kLanes> changes_above{};  // the rival is chosen for adverse moves above this
};

// The tile around its incumbent decision.
struct IncumbentTile {
  const Tile& tile;
  const double* prediction;  // [outputs × kLanes]
  const double* margin;      // [outputs × kLanes]
  std::size_t outputs;
  const std::array<double, kLanes>& gap;    // runner-up gap
  const std::array<double, kLanes>& slack;  // far above what rounding can amount to
  const TileOutcome& outcome;
};

struct RivalWorkspace {
  AlignedDoubles prediction;  // [outputs × kLanes], pushed
  AlignedDoubles margin;      // [outputs × kLanes], around the rival
};

// Bounds that need no solve: `stays_below`, with nothing claimed about changes.
void bound_incumbent(const IncumbentTile& incumbent, std::size_t output, Rival& rival);

// Completes the above with the rival itself.
void find_rival(const IncumbentTile& incumbent, std::size_t output, TileSolver& solver, RivalWorkspace& work,
                Rival& rival);

}  // namespace polystep
