// What a local search asks of the points of a tour: arcs, and a few near points of every point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/tour/tour_instance.hpp"

namespace polystep::solvers {

// One per thread: keeps its tables for the next instance.
class TourGraph {
 public:
  static constexpr std::size_t kNeighbours = 10;

  struct Neighbour {
    std::int32_t arc = 0;
    std::uint32_t point = 0;
  };

  // More than kNeighbours points. Throws Stopped where it is to stop (polystep/stop.hpp).
  void set(std::span<const TourPoint> points);

  std::size_t size() const { return points_.size(); }
  std::int32_t arc(std::uint32_t from, std::uint32_t to) const {
    return tabled_ ? arcs_[from * points_.size() + to] : arc_length(points_[from], points_[to]);
  }
  // [points × points] arcs, for loops that cannot wait; empty where there are too many points.
  std::span<const std::int32_t> table() const {
    return tabled_ ? std::span<const std::int32_t>(arcs_) : std::span<const std::int32_t>();
  }
  // The nearest of every quarter of the compass, filled up with the nearest of all; nearest first.
  std::span<const Neighbour, kNeighbours> neighbours(std::uint32_t point) const {
    return std::span<const Neighbour, kNeighbours>(neighbours_.data() + point * kNeighbours, kNeighbours);
  }

 private:
  // A larger table would no longer lie in a cache, and computing arcs is then as quick.
  static constexpr std::size_t kMaxTabled = 2048;

  std::span<const TourPoint> points_;
  bool tabled_ = false;
  std::vector<std::int32_t> arcs_;     // [points × points] where tabled, else one row
  std::vector<Neighbour> neighbours_;  // [points × kNeighbours]
};

}  // namespace polystep::solvers
