#include "districting/district_plan.hpp"

#include <utility>

namespace polystep {
namespace {

constexpr std::size_t kShownScenario = 0;

double mean_customers(const Demand& demand, const District& district) {
  double customers = 0;
  for (const std::uint32_t unit : district)
    for (std::size_t scenario = 0; scenario < demand.scenarios(); ++scenario)
      customers += static_cast<double>(demand.customers(unit, scenario).size());
  return customers / static_cast<double>(demand.scenarios());
}

}  // namespace

DistrictingPlan unrouted_plan(const Division& division, const std::string& method) {
  DistrictingPlan plan;
  plan.method = method;
  for (const District& district : division.districts) plan.districts.push_back({.units = district});
  return plan;
}

RoutedPlan route_plan(const Division& division, const std::string& method, RoutingCosts& routing, Team& team,
                      const std::function<void(std::size_t done)>& done) {
  RoutedPlan routed;
  routed.plan = unrouted_plan(division, method);
  std::size_t reached = 0;
  try {
    for (PlannedDistrict& district : routed.plan.districts) {
      if (done) done(reached);
      district.cost = routing.costs(std::span(&district.units, 1), team).front();
      district.customers = mean_customers(routing.demand(), district.units);
      district.tour = routing.tour(district.units, kShownScenario);
      district.tour.erase(district.tour.begin());  // the depot
      ++reached;
    }
  } catch (const Stopped&) {
    routed.stopped = true;
  }
  if (done) done(reached);
  return routed;
}

DistrictingFile districting_file_of(const City& city, const solvers::DistrictSizes& sizes, Point depot,
                                    DistrictingPlan plan) {
  DistrictingFile file;
  file.city = city;
  file.depot = depot;
  file.target = sizes.target;
  file.smallest = sizes.lower;
  file.largest = sizes.upper;
  file.plans.push_back(std::move(plan));
  return file;
}

}  // namespace polystep
