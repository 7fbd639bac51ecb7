// Data of the shortest-path benchmark: five features, and the costs of the edges of a square grid.
//
// Nodes are numbered row by row; node by node, the edge to the right neighbour comes before the edge to the
// one below. The cost of edge j is ((B_j . z / sqrt(5) + 3)^degree + 1) * xi_j, so a linear predictor is
// right in expectation for degree 1 and ever more misspecified above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kShortestPathFeatures = 5;
inline constexpr std::size_t kPublishedGrid = 5;  // nodes per side
inline constexpr int kLargestDegree = 100;        // costs stay far from overflow up to here

constexpr std::size_t grid_edges(std::size_t side) { return 2 * side * (side - 1); }

// The true costs of one instance. mixing is B [edges × 5], features is z [5], noise is xi [edges], costs
// [edges].
void shortest_path_costs(std::span<const double> mixing, std::span<const double> features,
                         std::span<const double> noise, int degree, std::span<double> costs);

// The published data on the 5 by 5 grid: 1000 training, 250 validation and 10000 test instances.
Dataset published_shortest_path(const std::string& data_directory, int degree);

// A fresh draw of the same distribution on a grid with `grid` nodes per side and xi uniform in [1 - noise, 1
// + noise]. The draws depend on data_seed and the grid alone: degrees and noise levels of one seed share
// them.
Dataset generated_shortest_path(std::size_t grid, int degree, double noise, std::uint64_t data_seed);

}  // namespace polystep
