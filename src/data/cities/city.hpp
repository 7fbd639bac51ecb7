// A city as districting sees it: basic units, which of them touch, and the plane that tours are driven in.
//
// Units are numbered as in their file; cutting a smaller instance out of a city keeps the first units. The
// plane is in kilometres, x east and y north, with the origin at the reference point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;
};

struct CityUnit {
  double population = 0;         // inhabitants
  double area = 0;               // km2
  double perimeter = 0;          // km
  double density = 0;            // inhabitants per km2
  Point centre_degrees;          // x longitude, y latitude
  Box box_degrees;               // of all its rings
  Box box_plane;                 // of `ring`
  std::vector<Point> ring = {};  // demand is drawn in this polygon, km; the first vertex is not repeated
  std::vector<std::vector<Point>> other_parts = {};  // of units in several pieces, for maps only, km
};

struct City {
  std::string name;
  Point reference_degrees;  // origin of the plane
  std::vector<CityUnit> units;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> adjacent;  // smaller number first, ascending

  // The first units alone, with what touches among them.
  City first(std::size_t count) const;

  Point depot_plane() const;    // where tours start: the centre of the units' boxes, km
  Point depot_degrees() const;  // where features measure from: likewise, in degrees
};

}  // namespace polystep
