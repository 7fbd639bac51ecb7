// A small city of bricks for tests of districting files and maps: rows of unit squares, every other row
// shifted by half a brick, and plans that cut it into columns or rows.
#pragma once

#include <cstdint>
#include <vector>

#include "data/cities/districting_file.hpp"

namespace polystep {

// Bricks are numbered row by row. With `six_corners` neighbours share corners; without, the corners in the
// middle of long sides are missing, as after a simplification of every ring on its own.
inline City brick_city(std::uint32_t columns, std::uint32_t rows, bool six_corners = true) {
  City city;
  city.name = "Bricks";
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i) {
      const double x = i + 0.5 * (j % 2), y = j;
      CityUnit unit;
      unit.population = 1000 + 10.0 * i + j;
      unit.ring = {{x, y}, {x + 0.5, y}, {x + 1, y}, {x + 1, y + 1}, {x + 0.5, y + 1}, {x, y + 1}};
      if (!six_corners) unit.ring = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
      city.units.push_back(unit);
    }
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::uint32_t here = j * columns + i;
      if (i + 1 < columns) city.adjacent.emplace_back(here, here + 1);
      if (j + 1 == rows) continue;
      const std::int64_t left = std::int64_t{i} - 1 + j % 2;
      for (std::int64_t above = left; above <= left + 1; ++above)
        if (above >= 0 && above < columns)
          city.adjacent.emplace_back(here, static_cast<std::uint32_t>((j + 1) * columns + above));
    }
  return city;
}

// 4 columns and 3 rows; "columns" has four districts of three units, "rows" three of four.
inline DistrictingFile brick_districting() {
  DistrictingFile file;
  file.city = brick_city(4, 3);
  file.depot = {2.25, 1.5};
  file.target = 3;
  file.smallest = 2;
  file.largest = 4;
  DistrictingPlan columns{.method = "columns", .districts = {}};
  for (std::uint32_t i = 0; i < 4; ++i)
    columns.districts.push_back({.units = {i, 4 + i, 8 + i},
                                 .cost = 10.0 + i,
                                 .customers = 30.5,
                                 .tour = {{i + 0.5, 0.5}, {i + 1.0, 1.5}, {i + 0.5, 2.5}}});
  DistrictingPlan rows{.method = "rows", .districts = {}, .total_cost = 48.3};
  for (std::uint32_t j = 0; j < 3; ++j)
    rows.districts.push_back({.units = {4 * j, 4 * j + 1, 4 * j + 2, 4 * j + 3}});
  file.plans = {columns, rows};
  return file;
}

}  // namespace polystep
