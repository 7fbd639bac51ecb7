// The classical decision problems as models of the general MILP solver: what tests and benchmarks hold the
// exact solvers against. Objectives are zero until set.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/milp/milp_model.hpp"

namespace polystep::solvers {

// One unit of flow from the top left to the bottom right node of a square grid; columns are edges, numbered
// node by node, the edge to the right before the edge down.
inline MilpModel grid_path_model(std::size_t side) {
  MilpModel model;
  std::vector<MilpRow> nodes(side * side, {.lower = 0.0, .upper = 0.0});
  const auto add_edge = [&](std::size_t from, std::size_t to) {
    const std::size_t edge = model.add_column(0.0, 1.0, 0.0);
    nodes[from].entries.push_back({edge, 1.0});
    nodes[to].entries.push_back({edge, -1.0});
  };
  for (std::size_t node = 0; node < side * side; ++node) {
    if (node % side + 1 < side) add_edge(node, node + 1);
    if (node / side + 1 < side) add_edge(node, node + side);
  }
  nodes.front().lower = nodes.front().upper = 1.0;
  nodes.back().lower = nodes.back().upper = -1.0;
  model.rows = std::move(nodes);
  return model;
}

inline MilpModel knapsack_model(std::span<const int> weights, double capacity) {
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<MilpEntry> entries;
  for (const int weight : weights) entries.push_back({model.add_binary(0.0), static_cast<double>(weight)});
  model.add_row(std::move(entries), -kUnbounded, capacity);
  return model;
}

// Columns are pairs, [left × right]; at least a share rho1 of the pairs chosen has the same label, at least
// rho2 different ones.
inline MilpModel diverse_matching_model(std::size_t left, std::size_t right,
                                        std::span<const std::uint8_t> same_label, double rho1, double rho2) {
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<MilpEntry> enough_same, enough_different;
  std::vector<std::vector<MilpEntry>> of_left(left), of_right(right);
  for (std::size_t pair = 0; pair < left * right; ++pair) {
    const std::size_t column = model.add_binary(0.0);
    const double same = same_label[pair];
    enough_same.push_back({column, same - rho1});
    enough_different.push_back({column, 1.0 - same - rho2});
    of_left[pair / right].push_back({column, 1.0});
    of_right[pair % right].push_back({column, 1.0});
  }
  for (auto& entries : of_left) model.add_row(std::move(entries), 0.0, 1.0);
  for (auto& entries : of_right) model.add_row(std::move(entries), 0.0, 1.0);
  model.add_row(std::move(enough_same), 0.0, kUnbounded);
  model.add_row(std::move(enough_different), 0.0, kUnbounded);
  return model;
}

}  // namespace polystep::solvers
