// Methods compared over the small cities: how far their districtings are from the cheapest ones, and whether
// that is more than luck of the cities.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace polystep {

// What one trained model, or an estimate, came to.
struct SmallCityCosts {
  std::string method;
  std::string seed;           // of its training; "-" where there is none
  std::vector<double> costs;  // [cities], km
};

struct SmallCityRow {
  std::string method;
  std::size_t seeds = 0;
  double mean_cost = 0;  // km
  double gap = 0;        // mean over cities of 100 (cost / optimal - 1), of costs averaged over seeds
  double least_gap = 0, most_gap = 0;  // of single seeds
  // Against the first method, city by city, of costs averaged over seeds; in per cent of the optimal cost.
  double difference = 0, standard_error = 0;
  double wilcoxon = 1, sign_flip = 1;
  std::size_t cheaper = 0, equal = 0;  // cities
};

// One row per method, in the order of their first appearance. optimal: [cities]. Throws InputError where
// there are not as many costs as cities.
std::vector<SmallCityRow> compare_small_cities(std::span<const SmallCityCosts> found,
                                               std::span<const double> optimal);

}  // namespace polystep
