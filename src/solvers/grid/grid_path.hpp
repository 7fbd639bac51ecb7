// Shortest paths on a square grid, exactly: one at a time, eight at a time, and how far each cost is from
// mattering.
//
// Node (row, column) has an edge to its right and one down; paths lead from the top left to the bottom right
// corner. The graph has no cycle, so any costs are allowed, negative ones too. Edges are numbered node by
// node along the rows, the edge to the right before the edge down.
//
// All functions share one tie rule: a node is reached from above only where that is strictly cheaper than
// from the left. They also add costs in the order in which the path is walked. So solve and solve_tile choose
// the same paths and give the same path the same cost, bit for bit.
#pragma once

#include <cstdint>
#include <span>

#include "simd/lanes.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

class GridPath {
 public:
  static constexpr int kSmallestSide = 2;
  static constexpr int kLargestSide = 32;  // one bit per step fits a signature

  explicit GridPath(int side, InstructionSet set = best_instruction_set());

  int side() const { return side_; }
  std::size_t edges() const { return static_cast<std::size_t>(2 * side_ * (side_ - 1)); }
  std::size_t steps() const { return static_cast<std::size_t>(2 * (side_ - 1)); }

  // The cheapest path, as 0 or 1 per edge, and its cost. The easy-to-read twin of solve_tile.
  double solve(std::span<const double> cost, std::span<double> path) const;

  // Chooses the cheapest path for predicted costs in eight lanes and reports what it costs under the true
  // ones. A signature has bit k set where step k leads down: equal paths, and only those, have equal
  // signatures. predicted, truth: [edges × kLanes]; realised, signature: [kLanes]
  void solve_tile(const double* predicted, const double* truth, double* realised,
                  std::uint64_t* signature) const {
    solve_tile_(side_, predicted, truth, realised, signature);
  }

  // Margins in the sense of polystep/tile.hpp: positive for edges on the cheapest path (raising them favours
  // another), the best path that avoids the edge costs that much more; negative for the others, the best path
  // through the edge costs that much more. Each is shortened by an allowance for rounding, a few units in the
  // last place of the sum of all |costs|, so that it also holds for the sums that solve_tile compares as long
  // as that sum does not double. False where a cost is not finite. predicted, margin: [edges × kLanes]
  bool margins_tile(const double* predicted, double* margin) const {
    return margins_tile_(side_, predicted, margin);
  }

  // The path that a signature names, as 0 or 1 per edge.
  void mark_path(std::uint64_t signature, std::span<double> path) const;

 private:
  using SolveTile = void (*)(int, const double*, const double*, double*, std::uint64_t*);
  using MarginsTile = bool (*)(int, const double*, double*);

  int side_;
  SolveTile solve_tile_;
  MarginsTile margins_tile_;
};

}  // namespace polystep::solvers
