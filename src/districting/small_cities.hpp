// The published small cities that nobody trains on, divided exactly by trained models and by estimates and
// priced by the benchmark's stored costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "districting/bench_grid.hpp"
#include "polystep/team.hpp"
#include "statistics/small_city_comparison.hpp"

namespace polystep {

struct SmallCityResults {
  std::vector<std::string> cities;
  std::vector<double> optimal;  // [cities], km
  std::vector<SmallCityCosts> found;
  bool stopped = false;  // by the caller; then nothing else is to be used
};

// settings: the routing is that of estimates that look at customers. most: only the first so many cities. The
// team takes cities side by side. progress(done, of) counts cities; it and stop are called by one thread at a
// time. Throws InputError where the data are missing.
SmallCityResults divide_small_cities(const std::vector<BenchMethod>& methods, const BenchSettings& settings,
                                     Team& team, const std::function<bool()>& stop,
                                     const std::function<void(std::size_t done, std::size_t of)>& progress,
                                     std::size_t most = 100);

}  // namespace polystep
