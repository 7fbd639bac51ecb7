// What the benchmark on large cities says: methods compared over the same problems, each a city, a number of
// units and a target size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "statistics/published_districting.hpp"

namespace polystep {

// One districting of one method (and seed), priced by tours.
struct DistrictingRecord {
  std::string group;  // "cities", "sizes" or "large"
  std::string city;
  std::size_t units = 0;
  std::size_t target = 0;
  std::string method;
  std::string seed;   // of its training; "-" where there is none
  std::string model;  // fingerprint; "-" where there is none
  std::size_t iterations = 0;
  std::size_t chains = 0;
  std::size_t published_limit = 0;  // of the published search, in its seconds; 0: our search
  std::uint64_t search_seed = 0;
  std::size_t scenarios = 0;
  std::size_t scenario_seed = 0;
  std::size_t perturbations = 0;
  bool published_tours = false;
  double cost = 0;  // km
  std::size_t districts = 0;
  bool feasible = true;
  double search_seconds = 0;
  double tour_seconds = 0;
};

struct DistrictingMethodRow {
  std::string method;
  std::size_t seeds = 0;
  double mean_cost = 0;            // over problems, of means over seeds, km
  double relative_percent = 0;     // mean over problems of 100 (cost - first) / first
  std::size_t wins = 0, ties = 0;  // problems that it serves more cheaply than the first does, or as cheaply
  double wilcoxon = 1, sign_flip = 1;  // of the relative differences
};

struct DistrictingTable {
  std::string group;
  struct Problem {
    std::string city;
    std::size_t units = 0, target = 0;
    std::vector<double> cost;  // [methods], mean over seeds
    const PublishedDistricting* published = nullptr;
  };
  std::vector<Problem> problems;           // that every method has been run on
  std::vector<DistrictingMethodRow> rows;  // [methods], in the given order
  std::size_t incomplete = 0;              // problems that some method is missing on
  // Over the problems where all five are known, [published methods]; empty where there are none.
  std::vector<double> published_mean, published_relative;  // km; % to DistrictNet
  std::size_t published_problems = 0;
};

// One table per group, in the order of first records. Records of one method, problem and seed count once, the
// last one. method_order: whom to show, the one that others are compared with first.
std::vector<DistrictingTable> compare_districtings(const std::vector<DistrictingRecord>& records,
                                                   const std::vector<std::string>& method_order);

}  // namespace polystep
