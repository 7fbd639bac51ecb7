// A division driven on the road: what its districts cost, whom they serve, and one scenario's tours.
#pragma once

#include <functional>
#include <string>

#include "data/cities/districting_file.hpp"
#include "districting/city_division.hpp"
#include "polystep/team.hpp"
#include "problems/districting/routing_costs.hpp"

namespace polystep {

struct RoutedPlan {
  DistrictingPlan plan;
  bool stopped = false;  // by the team's watch; districts that were not reached have no cost
};

// done(districts): called before each district and at the end.
RoutedPlan route_plan(const Division& division, const std::string& method, RoutingCosts& routing, Team& team,
                      const std::function<void(std::size_t done)>& done = {});

// The same without tours, for what was stopped before.
DistrictingPlan unrouted_plan(const Division& division, const std::string& method);

DistrictingFile districting_file_of(const City& city, const solvers::DistrictSizes& sizes, Point depot,
                                    DistrictingPlan plan);

}  // namespace polystep
