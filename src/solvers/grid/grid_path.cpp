#include "solvers/grid/grid_path.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "solvers/grid/grid_layout.hpp"
#include "solvers/grid/grid_path_kernel.hpp"
#include "solvers/grid/grid_path_variants.hpp"

namespace polystep::solvers {

constinit const StepBits step_bits = [] {
  StepBits bits;
  for (int step = 0; step < StepBits::kSteps; ++step) {
    for (std::int64_t& lane : bits.bit[step]) lane = std::int64_t{1} << step;
  }
  return bits;
}();

GridPath::GridPath(int side, InstructionSet set) : side_(side) {
  if (side < kSmallestSide || side > kLargestSide) {
    throw InputError(
        fmt::format("grid path: the side is {}, expected {} to {} nodes", side, kSmallestSide, kLargestSide));
  }
  require_supported(set, "grid path");
  solve_tile_ = grid_solve_variant(side, set);
  margins_tile_ = grid_margins_variant(side, set);
}

double GridPath::solve(std::span<const double> cost, std::span<double> path) const {
  std::array<double, kLargestSide> value;        // of the cheapest path to each node of the current row
  std::array<std::uint32_t, kLargestSide> down;  // [rows] bit per column: that path arrives from above
  const int side = side_;
  value[0] = 0.0;
  down[0] = 0;
  for (int column = 1; column < side; ++column) {
    value[column] = value[column - 1] + cost[edge_right(side, 0, column - 1)];
  }
  for (int row = 1; row < side; ++row) {
    value[0] += cost[edge_down(side, row - 1, 0)];
    down[row] = 1;
    for (int column = 1; column < side; ++column) {
      const double above = value[column] + cost[edge_down(side, row - 1, column)];
      const double left = value[column - 1] + cost[edge_right(side, row, column - 1)];
      const bool from_above = above < left;
      value[column] = from_above ? above : left;
      down[row] |= static_cast<std::uint32_t>(from_above) << column;
    }
  }

  std::fill(path.begin(), path.end(), 0.0);
  for (int row = side - 1, column = side - 1; row + column > 0;) {
    const bool from_above = (down[row] >> column & 1) != 0;
    from_above ? --row : --column;
    path[from_above ? edge_down(side, row, column) : edge_right(side, row, column)] = 1.0;
  }
  return value[side - 1];
}

void GridPath::mark_path(std::uint64_t signature, std::span<double> path) const {
  std::fill(path.begin(), path.end(), 0.0);
  int row = 0;
  int column = 0;
  for (std::size_t step = 0; step < steps(); ++step) {
    const bool down = (signature >> step & 1) != 0;
    path[down ? edge_down(side_, row, column) : edge_right(side_, row, column)] = 1.0;
    down ? ++row : ++column;
  }
}

}  // namespace polystep::solvers
