// Grid costs of every kind, and all paths of a small grid, for tests.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/grid/grid_path.hpp"
#include "solvers/tile_lanes.hpp"

namespace polystep::solvers {

// Every kind of cost the solver may meet; all but the first make ties.
enum class Costs { kReal, kNegative, kFewIntegers, kSignedIntegers, kAllEqual, kAllZero };
constexpr Costs kAllCosts[] = {Costs::kReal,           Costs::kNegative, Costs::kFewIntegers,
                               Costs::kSignedIntegers, Costs::kAllEqual, Costs::kAllZero};

inline double draw(RandomStream& random, Costs kind) {
  switch (kind) {
    case Costs::kReal:
      return random.uniform(0.5, 30.0);
    case Costs::kNegative:
      return random.uniform(-5.0, 5.0);
    case Costs::kFewIntegers:
      return static_cast<double>(random.below(3));
    case Costs::kSignedIntegers:
      return static_cast<double>(random.below(5)) - 2.0;
    case Costs::kAllEqual:
      return 1.5;
    case Costs::kAllZero:
      return 0.0;
  }
  return 0.0;
}

inline std::vector<double> draw_costs(RandomStream& random, Costs kind, std::size_t count) {
  std::vector<double> costs(count);
  for (double& cost : costs) cost = draw(random, kind);
  return costs;
}

// Edge lists of all paths, each in walking order, from the numbering as the benchmark states it.
inline std::vector<std::vector<std::size_t>> all_paths(int side) {
  std::vector<std::pair<int, int>> edges;
  for (int node = 0; node < side * side; ++node) {
    if (node % side != side - 1) edges.emplace_back(node, node + 1);
    if (node / side != side - 1) edges.emplace_back(node, node + side);
  }
  std::vector<std::vector<std::size_t>> paths;
  const unsigned steps = 2 * (static_cast<unsigned>(side) - 1);
  for (unsigned downs = 0; downs < 1u << steps; ++downs) {
    if (std::popcount(downs) != side - 1) continue;
    std::vector<std::size_t> path;
    int node = 0;
    for (unsigned step = 0; step < steps; ++step) {
      const int next = node + ((downs >> step & 1) != 0 ? side : 1);
      for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        if (edges[edge] == std::pair(node, next)) path.push_back(edge);
      }
      node = next;
    }
    paths.push_back(path);
  }
  return paths;
}

inline double sum_along(const std::vector<std::size_t>& path, const std::vector<double>& cost) {
  double sum = 0.0;
  for (const std::size_t edge : path) sum += cost[edge];
  return sum;
}

inline std::vector<double> as_indicator(const std::vector<std::size_t>& path, std::size_t edges) {
  std::vector<double> indicator(edges, 0.0);
  for (const std::size_t edge : path) indicator[edge] = 1.0;
  return indicator;
}

}  // namespace polystep::solvers
