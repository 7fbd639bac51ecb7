#include "data/cities/city.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// The centre of the smallest box around all boxes.
Point centre_of(const std::vector<CityUnit>& units, Box CityUnit::*box) {
  if (units.empty()) return {};
  Box all = units.front().*box;
  for (const CityUnit& unit : units) {
    const Box& one = unit.*box;
    all.x_min = std::min(all.x_min, one.x_min);
    all.x_max = std::max(all.x_max, one.x_max);
    all.y_min = std::min(all.y_min, one.y_min);
    all.y_max = std::max(all.y_max, one.y_max);
  }
  return {0.5 * (all.x_min + all.x_max), 0.5 * (all.y_min + all.y_max)};
}

}  // namespace

City City::first(std::size_t count) const {
  if (count == 0 || count > units.size()) {
    throw InputError(
        fmt::format("city '{}' has {} units, expected at least 1 and at most that many, found {}", name,
                    units.size(), count));
  }
  City part{.name = name, .reference_degrees = reference_degrees, .units = {}, .adjacent = {}};
  part.units.assign(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(count));
  std::copy_if(adjacent.begin(), adjacent.end(), std::back_inserter(part.adjacent),
               [count](const auto& pair) { return pair.second < count; });
  return part;
}

Point City::depot_plane() const { return centre_of(units, &CityUnit::box_plane); }

Point City::depot_degrees() const { return centre_of(units, &CityUnit::box_degrees); }

}  // namespace polystep
