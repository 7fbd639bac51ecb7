#include "solvers/tour/tour_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polystep/error.hpp"

namespace polystep::solvers {

void check_tour_points(std::span<const TourPoint> points) {
  if (points.empty()) throw InputError("a tour has 0 points, expected at least one");
  for (const TourPoint& point : points) {
    if (point.x < -kMaxTourCoordinate || point.x > kMaxTourCoordinate || point.y < -kMaxTourCoordinate ||
        point.y > kMaxTourCoordinate) {
      throw InputError(fmt::format("a tour has the point ({}, {}), expected coordinates within {} metres",
                                   point.x, point.y, kMaxTourCoordinate));
    }
  }
}

std::int64_t TourSolver::solve(std::span<const TourPoint> points, std::size_t perturbations,
                               std::uint64_t seed, std::size_t exact) {
  check_tour_points(points);
  order_.resize(points.size());
  const std::size_t most = std::clamp(exact, kFewestSearched - 1, HeldKarp::kMaxPoints);
  if (points.size() <= most) return exact_.solve(points, order_);
  graph_.set(points);
  start_.build(graph_, order_);
  const std::int64_t length = search_.improve(graph_, order_, perturbations, seed);
  std::rotate(order_.begin(), std::find(order_.begin(), order_.end(), 0u), order_.end());
  return length;
}

}  // namespace polystep::solvers
