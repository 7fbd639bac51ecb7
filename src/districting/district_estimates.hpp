// Estimates of what a district's tour costs, without driving it: the rivals that need no training of weights.
//
//   bd      beta sqrt(A R) + 2 delta                      (Beardwood, Daganzo)
//   fig     b1 sqrt(A R) + b2 delta + b3 sqrt(A/R) + b4   (Figliozzi)
//   avgtsp  a tour through the centres of the units
//
// A is the area of a district in km2, R its expected number of customers, delta the mean distance of its
// customers from the depot in km.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/cities/city.hpp"
#include "problems/districting/routing_costs.hpp"
#include "solvers/spanning_tree/district_value.hpp"

namespace polystep {

struct DistrictMeasures {
  double root_area_demand = 0;      // sqrt(A R)
  double depot_distance = 0;        // delta
  double root_area_per_demand = 0;  // sqrt(A / R); 0 where nobody is expected
};

// Of units in ascending order; `routing` is that of the city.
DistrictMeasures measure_district(const City& city, const RoutingCosts& routing,
                                  std::span<const std::uint32_t> units);

struct EstimateCoefficients {
  double beta = 0;              // of bd
  std::array<double, 4> fig{};  // b1 to b4

  double bd(const DistrictMeasures& measures) const {
    return beta * measures.root_area_demand + 2 * measures.depot_distance;
  }
  double figliozzi(const DistrictMeasures& measures) const {
    return fig[0] * measures.root_area_demand + fig[1] * measures.depot_distance +
           fig[2] * measures.root_area_per_demand + fig[3];
  }
};

// By least squares. Throws InputError where there are fewer than four districts or they are all alike.
EstimateCoefficients fit_estimates(std::span<const DistrictMeasures> measures, std::span<const double> costs);

// What that gives on the 62,203 stored districts of the published training cities (cities 1 to 100, three
// units per district, 100 scenarios of seed 3); a test fits them again.
inline constexpr EstimateCoefficients kBenchmarkCoefficients = {.beta = 0.7175,
                                                                .fig = {0.698, 1.670, 1.427, 2.335}};

enum class Estimate { kBd, kFig, kAvgTsp };

// City and routing must outlive the value.
std::unique_ptr<solvers::DistrictValue> make_estimate(
    Estimate estimate, const City& city, const RoutingCosts& routing,
    const EstimateCoefficients& coefficients = kBenchmarkCoefficients);

}  // namespace polystep
