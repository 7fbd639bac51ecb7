// Which outlines share a piece of border.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

using Rings = std::vector<std::vector<Point>>;  // of one unit, km; first vertices are not repeated

inline constexpr double kBorderTolerance = 1e-5;  // km: outlines this near to each other touch
inline constexpr double kShortestBorder = 1e-3;   // km: touching in a corner alone is no border

// Pairs of units that touch in two points at least kShortestBorder apart, smaller number first, ascending.
// Vertices of one outline need not be vertices of the other.
std::vector<std::pair<std::uint32_t, std::uint32_t>> touching_units(const std::vector<Rings>& units);

// A vertex of a ring near which it crosses or touches itself, or -1.
std::ptrdiff_t self_contact(const std::vector<Point>& ring);

Box box_of(const std::vector<Point>& ring);
double signed_area(const std::vector<Point>& ring);  // positive counter-clockwise
double ring_length(const std::vector<Point>& ring);
Point ring_centroid(const std::vector<Point>& ring);  // of the area within

}  // namespace polystep
