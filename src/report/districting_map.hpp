// What a map of plans draws, be it a page or a picture: borders, colours, and where districts are labelled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/cities/districting_file.hpp"
#include "report/unit_borders.hpp"

namespace polystep {

struct DrawnDistrict {
  std::uint32_t colour = 0;
  Point label;            // within the district, km
  double population = 0;  // of all its units
  double area = 0;        // km2
  bool size_allowed = true;
  bool connected = true;
};

struct DrawnPlan {
  std::vector<std::uint32_t> district_of;  // per unit
  std::vector<DrawnDistrict> districts;    // as in the file
};

struct DistrictingMap {
  DistrictingFile file;
  Box frame;  // of all rings, the depot and tours, km
  std::vector<UnitBorder> borders;
  std::vector<DrawnPlan> plans;  // as in the file
  std::size_t colours = 0;       // how many are used
};

DistrictingMap lay_out_map(DistrictingFile file);

// Plans of several files, in their order, on one city. Files of different cities are an InputError; methods
// of one name are told apart by the place of their file. `places` has an entry per file.
DistrictingFile join_districtings(std::vector<DistrictingFile> files, const std::vector<std::string>& places);

// The plans of these methods alone, in this order; an unknown method is an InputError.
void keep_methods(DistrictingFile& file, const std::vector<std::string>& methods, const std::string& where);

// The parts of a border that a plan shows thick: units of different districts, or the city's edge.
bool divides_districts(const UnitBorder& border, const DrawnPlan& plan);

// "1,234.5 km"
std::string kilometres(double cost);

// "+1.23 %": how much more than `base` it costs.
std::string difference_percent(double cost, double base);

// Districts are counted from 1 where people read.
inline std::size_t shown_number(std::size_t district) { return district + 1; }

}  // namespace polystep
