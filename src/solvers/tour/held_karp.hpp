// Shortest tours through a dozen points, exactly, by the dynamic programme of Held and Karp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/tour/tour_instance.hpp"

namespace polystep::solvers {

// One per thread: keeps its tables.
class HeldKarp {
 public:
  static constexpr std::size_t kMaxPoints = 13;

  // Writes the order of a shortest tour, point 0 first, and returns its length. 1 to kMaxPoints points.
  std::int64_t solve(std::span<const TourPoint> points, std::span<std::uint32_t> order);

 private:
  static constexpr std::size_t kWidth = kMaxPoints - 1;  // all points but the first

  std::vector<std::int32_t> shortest_;  // [sets × kWidth] from point 0 through the set, ending at a member
};

}  // namespace polystep::solvers
