// How the edges of a square grid are numbered.
#pragma once

namespace polystep::solvers {

// Every row but the last has 2 * side - 1 edges: two per node, one for its last node. The last row leads only
// right.
constexpr int edge_right(int side, int row, int column) {
  return row * (2 * side - 1) + (row == side - 1 ? column : 2 * column);
}

constexpr int edge_down(int side, int row, int column) {
  return row * (2 * side - 1) + 2 * column + (column == side - 1 ? 0 : 1);
}

}  // namespace polystep::solvers
