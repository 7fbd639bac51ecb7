// A tour to start from: the shortest arcs first, as long as they make paths; then the paths end to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/tour/tour_graph.hpp"

namespace polystep::solvers {

// One per thread: keeps its tables.
class GreedyTour {
 public:
  // Writes the order, point 0 first.
  void build(const TourGraph& graph, std::span<std::uint32_t> order);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t path_of(std::uint32_t point);
  void link(std::uint32_t from, std::uint32_t to);

  std::vector<std::uint64_t> arcs_;                              // length, then number of the neighbour entry
  std::vector<std::pair<std::uint32_t, std::uint32_t>> linked_;  // [points] on the path, kNone where it ends
  std::vector<std::uint32_t> parent_;                            // [points] a forest: points of one path
  std::vector<std::uint32_t> ends_;                              // of paths not yet joined
};

}  // namespace polystep::solvers
