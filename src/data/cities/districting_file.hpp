// Districting files: a city, the rules of its districting, and plans that one or more methods made for it.
//
// Everything a map shows and nothing else. The JSON is described in docs/districting.md; field names are
// stable. Of a city the file keeps the name, rings, population and what touches; area, perimeter, density and
// boxes are measured on the rings when it is read, and degrees are 0. Positions are kept to a millimetre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

struct PlannedDistrict {
  std::vector<std::uint32_t> units;      // ascending once read or written
  std::optional<double> cost = {};       // expected length of its tour, km
  std::optional<double> customers = {};  // mean number per scenario
  std::vector<Point> tour = {};  // of one scenario, km: customers in the order of the visits; the depot,
                                 // where it starts and ends, is not among them. Empty: none
};

struct DistrictingPlan {
  std::string method;  // as people call it
  std::vector<PlannedDistrict> districts;
  std::optional<double> total_cost = {};  // km; none: the sum, where every district has a cost
};

struct DistrictingFile {
  City city;
  Point depot;               // km
  std::size_t target = 0;    // units per district
  std::size_t smallest = 0;  // limits on their number; a plan may break them, a map then says so
  std::size_t largest = 0;
  std::vector<DistrictingPlan> plans;
};

// What the plan costs: its total, else the sum of its districts' costs; none where one is missing.
std::optional<double> cost_of(const DistrictingPlan& plan);

// Both throw an InputError for anything a map could not show: units in no district or in two, rings of fewer
// than three corners, numbers that are not finite. `name` stands for the file in the sentence.
std::string render_districting(const DistrictingFile& file, const std::string& name);
DistrictingFile parse_districting(std::string_view text, const std::string& name);

void write_districting(const std::filesystem::path& path, const DistrictingFile& file);

// A file, or a directory that holds one by the name districting.json.
DistrictingFile read_districting(const std::filesystem::path& place);

}  // namespace polystep
