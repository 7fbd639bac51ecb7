// Closed tours through points of the plane, in whole metres.
//
// Arcs are Euclidean and rounded to the nearest metre, so lengths are exact integers: sums have no order, and
// two tours are equally long or they are not.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polystep::solvers {

struct TourPoint {
  std::int32_t x = 0;  // metres
  std::int32_t y = 0;

  friend bool operator==(const TourPoint&, const TourPoint&) = default;
};

// More than the girth of the Earth. Within it the arcs of a move, and all arcs of a tour that is solved
// exactly, add up in 32 bits.
constexpr std::int32_t kMaxTourCoordinate = 50'000'000;

inline std::int32_t arc_length(TourPoint from, TourPoint to) {
  const double dx = static_cast<double>(from.x) - to.x;
  const double dy = static_cast<double>(from.y) - to.y;
  return static_cast<std::int32_t>(std::sqrt(dx * dx + dy * dy) + 0.5);
}

inline std::int64_t tour_length(std::span<const TourPoint> points, std::span<const std::uint32_t> order) {
  std::int64_t length = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    length += arc_length(points[order[i]], points[order[i + 1 < order.size() ? i + 1 : 0]]);
  return length;
}

}  // namespace polystep::solvers
