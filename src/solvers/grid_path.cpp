#include "solvers/grid_path.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "solvers/grid_layout.hpp"
#include "solvers/grid_path_kernel.hpp"
#include "solvers/grid_path_variants.hpp"

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
  constexpr int kMost = kLargestSide;
  std::array<double, kMost> value{};                  // of the cheapest path to each node of the current row
  std::array<std::array<bool, kMost>, kMost> down{};  // whether that path arrives from above
  const int side = side_;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const auto from_left = [&] { return value[column - 1] + cost[edge_right(side, row, column - 1)]; };
      const auto from_above = [&] { return value[column] + cost[edge_down(side, row - 1, column)]; };
      if (row == 0 && column == 0) continue;
      down[row][column] = column == 0 || (row > 0 && from_above() < from_left());
      value[column] = down[row][column] ? from_above() : from_left();
    }
  }

  std::fill(path.begin(), path.end(), 0.0);
  for (int row = side - 1, column = side - 1; row + column > 0;) {
    const bool arrives_from_above = down[row][column];
    arrives_from_above ? --row : --column;
    path[arrives_from_above ? edge_down(side, row, column) : edge_right(side, row, column)] = 1.0;
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
