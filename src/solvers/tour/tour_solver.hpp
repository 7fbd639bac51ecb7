// Short tours through the points of a district: shortest ones where there are few points, and within about
// 0.1 % of shortest elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/tour/greedy_tour.hpp"
#include "solvers/tour/held_karp.hpp"
#include "solvers/tour/tour_graph.hpp"
#include "solvers/tour/tour_instance.hpp"
#include "solvers/tour/tour_search.hpp"

namespace polystep::solvers {

// Counts changes that make other tours of the same points: remembered lengths of another number are stale.
constexpr std::uint32_t kTourSolverVersion = 1;

// Throws InputError where there are no points, or some lie beyond kMaxTourCoordinate.
void check_tour_points(std::span<const TourPoint> points);

// One per thread: keeps its tables, so that solving allocates only until the largest instance was seen.
class TourSolver {
 public:
  static constexpr std::size_t kFewestSearched = TourGraph::kNeighbours + 1;  // points

  // Returns the length of the tour that order() then holds. Up to `exact` points the tour is a shortest one
  // (at most HeldKarp::kMaxPoints, and at least what the search needs); else it is improved by local search
  // and so many perturbations of it. The result is a function of the arguments. Coordinates beyond
  // kMaxTourCoordinate and no points at all are an InputError. A tour under way asks now and then whether to
  // stop (polystep/stop.hpp) and throws Stopped.
  std::int64_t solve(std::span<const TourPoint> points, std::size_t perturbations, std::uint64_t seed,
                     std::size_t exact = HeldKarp::kMaxPoints);

  std::span<const std::uint32_t> order() const { return order_; }  // [points], point 0 first

 private:
  HeldKarp exact_;
  TourGraph graph_;
  GreedyTour start_;
  TourSearch search_;
  std::vector<std::uint32_t> order_;
};

}  // namespace polystep::solvers
