// The published routing instances with the shortest tours known of them.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "solvers/tour/tour_instance.hpp"

namespace polystep::testing {

struct GoldenTour {
  std::string city;
  std::uint32_t seed = 0;
  std::vector<std::uint32_t> district;
  std::size_t scenario = 0;
  std::int64_t best_known = 0;
  std::int64_t published = 0;              // by the published evaluator
  std::vector<solvers::TourPoint> points;  // the depot first
};

// Empty where the file is not there.
inline std::vector<GoldenTour> golden_tours(const std::string& data_directory) {
  std::vector<GoldenTour> tours;
  std::ifstream file(data_directory + "/districting/golden_tsp.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    GoldenTour tour;
    std::string units;
    std::size_t points = 0;
    words >> tour.city >> tour.seed >> units >> tour.scenario >> points >> tour.best_known >> tour.published;
    std::istringstream numbers(units);
    for (std::string unit; std::getline(numbers, unit, ',');)
      tour.district.push_back(static_cast<std::uint32_t>(std::stoul(unit)));
    tour.points.resize(points);
    for (solvers::TourPoint& point : tour.points) words >> point.x >> point.y;
    if (words) tours.push_back(tour);
  }
  return tours;
}

}  // namespace polystep::testing
