// Borders between units: the rings of a city cut into lines, each with the unit on either side.
//
// Rings that share corners are matched exactly. Rings that were simplified one by one no longer do; there,
// what lies across a piece of a ring is looked up a little way outside of it. A map finds in these lines the
// borders of any districts.
#pragma once

#include <cstdint>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

inline constexpr std::uint32_t kOutside = 0xffffffff;

struct UnitBorder {
  std::uint32_t unit = 0;           // the line is a piece of this unit's ring
  std::uint32_t across = kOutside;  // the unit on the other side, a larger number, or kOutside
  std::vector<Point> line;          // at least two points
};

// In the order of units and rings. A border between two units is given once, by the smaller of them.
std::vector<UnitBorder> unit_borders(const City& city);

}  // namespace polystep
