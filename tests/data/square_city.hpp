// A city of square units, for tests that need no data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/cities/city.hpp"

namespace polystep::testing {

// columns × rows squares of one kilometre, row by row, around the origin; populations differ.
inline City square_city(std::size_t columns, std::size_t rows, double population = 6000) {
  City city;
  city.name = "squares";
  city.reference_degrees = {2, 48};
  const double west = -0.5 * static_cast<double>(columns), south = -0.5 * static_cast<double>(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double x = west + static_cast<double>(column), y = south + static_cast<double>(row);
      CityUnit unit;
      unit.population = population + 500 * static_cast<double>((3 * row + column) % 5);
      unit.area = 1;
      unit.perimeter = 4;
      unit.density = unit.population;
      // Not the projection's inverse, only somewhere near.
      unit.centre_degrees = {2 + (x + 0.5) / 74.6, 48 + (y + 0.5) / 111.2};
      unit.box_degrees = {2 + x / 74.6, 2 + (x + 1) / 74.6, 48 + y / 111.2, 48 + (y + 1) / 111.2};
      unit.box_plane = {x, x + 1, y, y + 1};
      unit.ring = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
      const auto number = static_cast<std::uint32_t>(city.units.size());
      city.units.push_back(unit);
      if (column + 1 < columns) city.adjacent.push_back({number, number + 1});
      if (row + 1 < rows) city.adjacent.push_back({number, number + static_cast<std::uint32_t>(columns)});
    }
  }
  return city;
}

}  // namespace polystep::testing
