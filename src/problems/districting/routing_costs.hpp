// What districts cost on the road: the mean length, over random scenarios of demand, of a tour from the depot
// through all customers of a district's units.
//
// A district's cost depends on nothing but its own customers, so it is remembered by them: whoever asks for
// the same units of the same city under the same demand gets the same number without a tour being driven
// again, in this process or a later one. Tours have whole metres and a scenario has its own seed, so costs
// are the same for any number of threads and in any order of asking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/content_key.hpp"
#include "base/number_memory.hpp"
#include "data/cities/city.hpp"
#include "data/cities/demand.hpp"
#include "polystep/team.hpp"
#include "solvers/tour/published_tour.hpp"
#include "solvers/tour/tour_solver.hpp"

namespace polystep {

struct RoutingSettings {
  DemandSettings demand;
  std::size_t perturbations = 100;  // of every tour: 100 leave about 0.1 % of its length, 300 about 0.03 %
  bool published_tours = false;     // as the published evaluator drives them, too long, and no perturbations
};

// What a thread needs to drive tours; grows to the longest of them.
struct TourWorkspace {
  solvers::TourSolver solver;
  solvers::PublishedTour published;
  std::vector<solvers::TourPoint> points;
};

using District = std::vector<std::uint32_t>;  // units, in any order

class RoutingCosts {
 public:
  // The memory outlives this object; several of these may share one.
  RoutingCosts(const City& city, const RoutingSettings& settings, NumberMemory& memory);

  // km, one for each district. Tours not remembered are slots of the team, and what is finished is remembered
  // where the team's watch stops the rest. A district without units, or with one that the city does not have
  // or that comes twice, is an InputError.
  std::vector<double> costs(std::span<const District> districts, Team& team);

  // The same for one district of ascending units, without asking or telling the memory: for callers that
  // guard it themselves. Metres, over all scenarios; throws Stopped between them, and in the middle of a
  // tour, where it is to stop. May be called from several threads at once, each with a
  // workspace of its own.
  std::int64_t drive(const District& district, TourWorkspace& workspace) const;
  ContentKey key(const District& district) const;  // by which the memory knows it
  double kilometres(std::int64_t metres) const {   // the cost that such a sum stands for
    return static_cast<double>(metres) / (1000.0 * static_cast<double>(demand_.scenarios()));
  }

  std::size_t tours_solved() const { return tours_solved_; }  // so far, not counting remembered ones

  // The tour of one scenario, for maps: the depot first, then the customers as they are visited, km.
  std::vector<Point> tour(const District& district, std::size_t scenario) const;

  // For estimates that drive no tours, of units in ascending order: the mean over scenarios of the mean
  // distance of customers from the depot in km, the expected number of customers (without the least number of
  // three per unit), and the tour through the centres of the units in km. They are asked for in inner loops
  // of a search, also from several threads at once, and allocate nothing.
  double mean_depot_distance(std::span<const std::uint32_t> units) const;
  double expected_demand(std::span<const std::uint32_t> units) const;
  double centre_tour(std::span<const std::uint32_t> units, std::size_t perturbations,
                     TourWorkspace& workspace) const;

  const Demand& demand() const { return demand_; }
  Point depot() const { return depot_; }

 private:
  District checked(const District& district) const;  // ascending
  void check_ascending(std::span<const std::uint32_t> units) const;
  std::int64_t drive_scenario(std::size_t scenario, TourWorkspace& workspace) const;  // through its points
  void gather(const District& district, std::size_t scenario, std::vector<solvers::TourPoint>& points) const;

  RoutingSettings settings_;
  NumberMemory& memory_;
  std::vector<double> populations_;          // [units]
  std::vector<solvers::TourPoint> centres_;  // [units] seen from the depot
  Point depot_;                              // km
  Demand demand_;
  std::vector<solvers::TourPoint>
      customers_;                      // seen from the depot, unit after unit, scenario after scenario
  std::vector<std::size_t> offsets_;   // [units × scenarios + 1] into customers_
  std::vector<double> distances_;      // [units × scenarios] from the depot, summed over customers, km
  std::vector<double> counts_;         // [units × scenarios] of customers
  std::vector<ContentKey> unit_keys_;  // [units]
  std::size_t tours_solved_ = 0;
};

}  // namespace polystep
