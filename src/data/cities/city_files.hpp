// Readers of the published cities of network districting (docs/data.md has the formats).
//
// Every reader is strict: what does not have the form of its format is an InputError with file and line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

// Which outlines units get: none; simplified ones in whole metres, fit for maps and demand; or those that
// published demand was drawn in, needed only to draw the same customers.
enum class CityPolygons { kNone, kSimplified, kExact };

// All cities of an attribute file, without outlines. Boxes are those of the exact outlines.
std::vector<City> read_city_attributes(const std::string& path);

// Outlines for exactly these cities, in this order.
void read_simplified_polygons(const std::string& path, std::vector<City>& cities);
void read_exact_polygons(const std::string& path, std::vector<City>& cities);

// The 200 small cities of 30 units: the first 100 are for training, the others for validation.
// data_directory: as found by find_data_directory.
std::vector<City> published_small_cities(const std::string& data_directory,
                                         CityPolygons polygons = CityPolygons::kSimplified);

// One city by name: a small one ("city7"), a large one ("London") or "Synth2000", which has no exact outlines
// beyond its simplified ones.
City published_city(const std::string& data_directory, const std::string& name,
                    CityPolygons polygons = CityPolygons::kSimplified);

// What tours in the districts of a small city cost, for every connected district of 2, 3 or 4 units.
struct PricedDistricts {
  std::string city;
  std::vector<std::vector<std::uint32_t>> districts;  // units ascending; ordered by size, then by units
  std::vector<double> costs;                          // km, beside them
};
std::vector<PricedDistricts> read_district_costs(const std::string& path);

// The cheapest partition of a small city by those costs.
struct OptimalDistricting {
  std::string city;
  std::size_t adjacent_pairs = 0;
  std::size_t sets_of[3] = {0, 0, 0};  // connected sets of 2, 3 and 4 units
  double cost = 0;                     // km
  std::vector<std::vector<std::uint32_t>> districts;
};
std::vector<OptimalDistricting> read_optimal_districtings(const std::string& path);

}  // namespace polystep
