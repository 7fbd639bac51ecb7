// The forward pass over a grid, in lanes: predicted value, realised cost and steps of the best path to each
// node.
//
// Carrying the realised cost and the steps along replaces backtracking: when the last node is reached, both
// are known.
#pragma once

#include "polystep/tile.hpp"
#include "simd/lanes.hpp"
#include "solvers/grid/grid_layout.hpp"
#include "solvers/grid/grid_path.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

// Bit k in every lane, for step k. A table in another file, because g++ 12 would assemble the wide constants
// it knows lane by lane.
struct StepBits {
  static constexpr int kSteps = 2 * (GridPath::kLargestSide - 1);
  alignas(64) std::int64_t bit[kSteps][kLanes]{};  // [steps × kLanes]
};
extern const StepBits step_bits;

// One row of nodes, rolled down the grid. Side is the number of nodes, or 0 where it is known only at run
// time.
template <class Lanes, int Side>
struct GridRow {
  static constexpr int kNodes = Side != 0 ? Side : GridPath::kLargestSide;
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;

  Real value[kNodes];  // predicted cost of the best path to the node
  Real cost[kNodes];   // realised cost of that path
  Word steps[kNodes];  // its signature so far

  POLYSTEP_INLINE void enter(int side, int row, int column, const double* predicted, const double* truth) {
    if (row == 0 && column == 0) {
      value[0] = Real{}, cost[0] = Real{}, steps[0] = Word{};
      return;
    }
    const int right = static_cast<int>(kLanes) * edge_right(side, row, column - 1);
    const int down = static_cast<int>(kLanes) * edge_down(side, row - 1, column);
    if (row == 0) {
      value[column] = value[column - 1] + load<Lanes>(predicted + right);
      cost[column] = cost[column - 1] + load<Lanes>(truth + right);
      steps[column] = Word{};
      return;
    }
    const Real value_above = value[column] + load<Lanes>(predicted + down);
    const Real cost_above = cost[column] + load<Lanes>(truth + down);
    const Word steps_above = steps[column] | load<Lanes>(step_bits.bit[row + column - 1]);
    if (column == 0) {
      value[0] = value_above, cost[0] = cost_above, steps[0] = steps_above;
      return;
    }
    const Real value_left = value[column - 1] + load<Lanes>(predicted + right);
    const Real cost_left = cost[column - 1] + load<Lanes>(truth + right);
    const Word from_above = value_above < value_left;
    value[column] = Lanes::smaller(value_above, value_left);
    cost[column] = from_above ? cost_above : cost_left;
    steps[column] = from_above ? steps_above : steps[column - 1];
  }
};

// Solves as many lanes as the vector type has. All pointers are into tiles, at the first of these lanes.
template <class Lanes, int Side>
POLYSTEP_INLINE void grid_solve(int side, const double* predicted, const double* truth, double* realised,
                                std::uint64_t* signature) {
  GridRow<Lanes, Side> nodes;
  if constexpr (Side != 0) {
#pragma GCC unroll 32
    for (int row = 0; row < Side; ++row) {
#pragma GCC unroll 32
      for (int column = 0; column < Side; ++column) nodes.enter(Side, row, column, predicted, truth);
    }
    side = Side;
  } else {
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) nodes.enter(side, row, column, predicted, truth);
    }
  }
  store(realised, nodes.cost[side - 1]);
  store(signature, nodes.steps[side - 1]);
}

}  // namespace polystep::solvers
