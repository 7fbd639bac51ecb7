// Any bytes as a city of the user's own. What is accepted hangs together, has units with an area and a place,
// and features that are numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "data/cities/edge_inputs.hpp"
#include "data/cities/geojson_city.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polystep;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  City city;
  if (!accepts_or_refuses([&] { city = parse_geojson_city(text, "input.geojson"); })) return 0;
  if (city.units.empty()) std::abort();
  for (const CityUnit& unit : city.units)
    if (!(unit.area > 0) || !(unit.perimeter > 0) || !(unit.population >= 0) || unit.ring.size() < 3)
      std::abort();
  for (std::size_t k = 0; k < city.adjacent.size(); ++k) {
    const auto& [a, b] = city.adjacent[k];
    if (a >= b || b >= city.units.size() || (k > 0 && !(city.adjacent[k - 1] < city.adjacent[k])))
      std::abort();
  }
  if (city.units.size() > 1)
    accepts_or_refuses([&] {
      if (city_graph(city, 1).edges() != city.adjacent.size() + city.units.size()) std::abort();
    });
  // Numbers that no city has may overflow.
  for (const CityUnit& unit : city.units)
    if (std::max({unit.population, unit.area, unit.perimeter, std::abs(unit.density)}) > 1e12 ||
        std::min(unit.area, unit.perimeter) < 1e-12)
      return 0;
  for (const EdgeFeatureSet set :
       {EdgeFeatureSet::kRelative, EdgeFeatureSet::kGeometric, EdgeFeatureSet::kSized})
    for (const double number : edge_inputs(city, {.set = set}, 3))
      if (!std::isfinite(number)) std::abort();
  return 0;
}
