// Margins of all edges of a grid, in lanes, from the best path before and behind every node.
//
// The best path through edge (u, v) costs forward(u) + cost + backward(v). Every path crosses exactly one
// edge of each anti-diagonal layer, so the best path that avoids an edge is the best one through another edge
// of its layer.
#pragma once

#include <cmath>
#include <limits>

#include "polystep/tile.hpp"
#include "simd/lanes.hpp"
#include "solvers/grid/grid_layout.hpp"
#include "solvers/grid/grid_path.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

template <class Lanes, int Side>
struct GridMarginTables {
  static constexpr int kNodes = Side != 0 ? Side : GridPath::kLargestSide;
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;

  int side;
  const double* predicted;  // [edges × kLanes]
  double* margin;           // [edges × kLanes]

  Real forward[kNodes][kNodes];  // cost of the best path to each node
  Real scale;                    // sum of all |costs|
  Real allowance;                // for rounding
  Real backward[kNodes];         // cost of the best path onwards from each node of the current row
  Word chosen[kNodes];           // whether the node lies on the cheapest path
  Word from_above[kNodes];       // whether the best path to the node arrives from above
  Real avoiding[2 * kNodes];     // the best path through another edge than the chosen one, per layer

  POLYSTEP_INLINE Real cost(int edge) const {
    return load<Lanes>(predicted + static_cast<int>(kLanes) * edge);
  }

  POLYSTEP_INLINE Real counted_cost(int edge) {
    const Real edge_cost = cost(edge);
    scale += Lanes::larger(edge_cost, -edge_cost);
    return edge_cost;
  }

  POLYSTEP_INLINE void pass_forward() {
    scale = Real{};
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        Real& here = forward[row][column];
        if (row == 0 && column == 0) {
          here = Real{};
        } else if (row == 0) {
          here = forward[0][column - 1] + counted_cost(edge_right(side, 0, column - 1));
        } else if (column == 0) {
          here = forward[row - 1][0] + counted_cost(edge_down(side, row - 1, 0));
        } else {
          const Real above = forward[row - 1][column] + counted_cost(edge_down(side, row - 1, column));
          const Real left = forward[row][column - 1] + counted_cost(edge_right(side, row, column - 1));
          here = Lanes::smaller(above, left);
        }
      }
    }
    // Two path sums are compared here and two more when the costs have moved, each off by less than half a
    // unit in the last place of the scale per step.
    allowance = scale * Lanes::all(8.0 * (side - 1) * std::numeric_limits<double>::epsilon());
  }

  POLYSTEP_INLINE void note_edge(int edge, int layer, Real through, Word on_path) {
    const Real none = Lanes::all(std::numeric_limits<double>::infinity());
    const Real gap = through - forward[side - 1][side - 1] - allowance;
    avoiding[layer] = Lanes::smaller(on_path ? none : gap, avoiding[layer]);
    store(margin + static_cast<int>(kLanes) * edge, on_path ? none : -Lanes::larger(gap, Real{}));
  }

  POLYSTEP_INLINE void pass_backward() {
    for (int layer = 0; layer < 2 * (side - 1); ++layer) {
      avoiding[layer] = Lanes::all(std::numeric_limits<double>::infinity());
    }
    for (int row = side - 1; row >= 0; --row) {
      for (int column = side - 1; column >= 0; --column) leave(row, column);
    }
  }

  // Handles a node after its neighbours to the right and below, whose entries still stand in the row arrays.
  POLYSTEP_INLINE void leave(int row, int column) {
    const int last = side - 1;
    const Real here = forward[row][column];
    Real onwards{};
    Word on_path = ~Word{};
    if (row < last) {
      const Word used = chosen[column] & from_above[column];
      const Real down = cost(edge_down(side, row, column)) + backward[column];
      note_edge(edge_down(side, row, column), row + column, here + down, used);
      onwards = down, on_path = used;
    }
    if (column < last) {
      const Word used = chosen[column + 1] & ~from_above[column + 1];
      const Real right = cost(edge_right(side, row, column)) + backward[column + 1];
      note_edge(edge_right(side, row, column), row + column, here + right, used);
      onwards = row < last ? Lanes::smaller(onwards, right) : right;
      on_path = row < last ? on_path | used : used;
    }
    backward[column] = onwards;
    chosen[column] = on_path;
    from_above[column] = arrives_from_above(row, column);
  }

  POLYSTEP_INLINE Word arrives_from_above(int row, int column) const {
    if (row == 0) return Word{};
    if (column == 0) return ~Word{};
    return forward[row - 1][column] + cost(edge_down(side, row - 1, column)) <
           forward[row][column - 1] + cost(edge_right(side, row, column - 1));
  }

  // Chosen edges were left at plus infinity, all others at or below zero.
  POLYSTEP_INLINE void fill_chosen(int edge, int layer) {
    double* const slot = margin + static_cast<int>(kLanes) * edge;
    const Real found = load<Lanes>(slot);
    store(slot, found > Real{} ? Lanes::larger(avoiding[layer], Real{}) : found);
  }
};

// False where a cost is not finite; the margins are then meaningless.
template <class Lanes, int Side>
POLYSTEP_INLINE bool grid_margins(int side, const double* predicted, double* margin) {
  GridMarginTables<Lanes, Side> tables;
  tables.side = side, tables.predicted = predicted, tables.margin = margin;
  tables.pass_forward();
  tables.pass_backward();
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      if (row < side - 1) tables.fill_chosen(edge_down(side, row, column), row + column);
      if (column < side - 1) tables.fill_chosen(edge_right(side, row, column), row + column);
    }
  }
  double scale[Lanes::kWidth];
  store(scale, tables.scale);
  bool finite = true;
  for (const double lane : scale) finite = finite && std::isfinite(lane);
  return finite;
}

}  // namespace polystep::solvers
