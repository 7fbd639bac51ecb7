#include "problems/districting/routing_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "data/cities/polyconic.hpp"
#include "polystep/error.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

using solvers::TourPoint;
using solvers::TourSolver;

// Districts whose tours are slots of one fill: what is remembered between two of them survives being stopped.
constexpr std::size_t kDistrictsAtOnce = 64;

// In the place of a number of perturbations, which nobody can ask for.
constexpr std::uint64_t kPublishedTours = std::numeric_limits<std::uint64_t>::max();

// Whole metres from the depot, cut towards it as the published evaluator does.
TourPoint seen_from(Point depot, Point point) {
  const double x = (point.x - depot.x) * 1000, y = (point.y - depot.y) * 1000;
  if (!(std::abs(x) <= solvers::kMaxTourCoordinate && std::abs(y) <= solvers::kMaxTourCoordinate)) {
    throw InputError(fmt::format("a point lies at ({}, {}) metres from the depot, expected at most {}", x, y,
                                 solvers::kMaxTourCoordinate));
  }
  return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
}

}  // namespace

RoutingCosts::RoutingCosts(const City& city, const RoutingSettings& settings, NumberMemory& memory)
    : settings_(settings), memory_(memory), depot_(city.depot_plane()), demand_(city, settings.demand) {
  for (const CityUnit& unit : city.units) {
    populations_.push_back(unit.population);
    centres_.push_back(seen_from(depot_, polyconic(unit.centre_degrees, city.reference_degrees)));
  }
  offsets_.push_back(0);
  for (std::size_t unit = 0; unit < demand_.units(); ++unit) {
    ContentHash content;
    for (std::size_t scenario = 0; scenario < demand_.scenarios(); ++scenario) {
      double distance = 0;
      for (const Point& customer : demand_.customers(unit, scenario)) {
        const TourPoint point = seen_from(depot_, customer);
        customers_.push_back(point);
        content.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(point.x)) << 32 |
                    static_cast<std::uint32_t>(point.y));
        distance += std::hypot(customer.x - depot_.x, customer.y - depot_.y);
      }
      content.add(demand_.customers(unit, scenario).size());
      offsets_.push_back(customers_.size());
      distances_.push_back(distance);
      counts_.push_back(static_cast<double>(demand_.customers(unit, scenario).size()));
    }
    unit_keys_.push_back(content.key());
  }
}

District RoutingCosts::checked(const District& district) const {
  District ascending = district;
  std::sort(ascending.begin(), ascending.end());
  check_ascending(ascending);
  return ascending;
}

void RoutingCosts::check_ascending(std::span<const std::uint32_t> units) const {
  if (units.empty()) throw InputError("a district has 0 units, expected at least 1");
  for (std::size_t i = 1; i < units.size(); ++i) {
    if (units[i] <= units[i - 1]) {
      throw InputError(fmt::format("a district has unit {} after {}, expected every unit once, ascending",
                                   units[i], units[i - 1]));
    }
  }
  if (units.back() >= unit_keys_.size()) {
    throw InputError(
        fmt::format("a district has unit {}, expected units below {}", units.back(), unit_keys_.size()));
  }
}

// Customers say all there is to say of city, seed and probability; the solver's settings say the rest.
ContentKey RoutingCosts::key(const District& district) const {
  ContentHash content;
  content.add(solvers::kTourSolverVersion);
  if (settings_.published_tours) {
    content.add(kPublishedTours);
    content.add(solvers::kPublishedTourVersion);
  } else {
    content.add(settings_.perturbations);
  }
  content.add(demand_.scenarios());
  for (const std::uint32_t unit : district) content.add(unit_keys_[unit]);
  return content.key();
}

void RoutingCosts::gather(const District& district, std::size_t scenario,
                          std::vector<TourPoint>& points) const {
  points.assign(1, TourPoint{});
  for (const std::uint32_t unit : district) {
    const std::size_t cell = unit * demand_.scenarios() + scenario;
    points.insert(points.end(), customers_.begin() + static_cast<std::ptrdiff_t>(offsets_[cell]),
                  customers_.begin() + static_cast<std::ptrdiff_t>(offsets_[cell + 1]));
  }
}

std::int64_t RoutingCosts::drive_scenario(std::size_t scenario, TourWorkspace& workspace) const {
  return settings_.published_tours
             ? workspace.published.solve(workspace.points)
             : workspace.solver.solve(workspace.points, settings_.perturbations, scenario);
}

std::int64_t RoutingCosts::drive(const District& district, TourWorkspace& workspace) const {
  check_ascending(district);
  std::int64_t metres = 0;
  for (std::size_t scenario = 0; scenario < demand_.scenarios(); ++scenario) {
    stop_if_wanted();
    gather(district, scenario, workspace.points);
    metres += drive_scenario(scenario, workspace);
  }
  return metres;
}

std::vector<double> RoutingCosts::costs(std::span<const District> districts, Team& team) {
  const std::size_t scenarios = demand_.scenarios();
  std::vector<District> distinct;  // ascending units
  std::vector<ContentKey> keys;
  std::vector<std::size_t> number(districts.size());  // [districts] in `distinct`
  std::unordered_map<ContentKey, std::size_t, ContentKeyHash> numbers;
  for (std::size_t d = 0; d < districts.size(); ++d) {
    District units = checked(districts[d]);
    const ContentKey content = key(units);
    const auto [entry, added] = numbers.try_emplace(content, distinct.size());
    number[d] = entry->second;
    if (!added) continue;
    distinct.push_back(std::move(units));
    keys.push_back(content);
  }

  // Members of a team may remember different things; after this all know the same.
  std::vector<std::int64_t> totals(distinct.size());  // metres over all scenarios; -1: not known
  team.fill(distinct.size(), {slots_of(totals)},
            [&](std::size_t d, std::size_t) { totals[d] = memory_.find(keys[d]).value_or(-1); });
  std::vector<std::size_t> missing;
  for (std::size_t d = 0; d < distinct.size(); ++d)
    if (totals[d] < 0) missing.push_back(d);

  std::vector<TourWorkspace> workspaces(team.threads());
  std::vector<std::int64_t> lengths;  // [districts at once × scenarios] metres
  for (std::size_t start = 0; start < missing.size(); start += kDistrictsAtOnce) {
    const std::size_t count = std::min(kDistrictsAtOnce, missing.size() - start);
    lengths.assign(count * scenarios, 0);
    team.fill(lengths.size(), {slots_of(lengths)}, [&](std::size_t slot, std::size_t member) {
      TourWorkspace& worker = workspaces[member];
      const std::size_t scenario = slot % scenarios;
      gather(distinct[missing[start + slot / scenarios]], scenario, worker.points);
      lengths[slot] = drive_scenario(scenario, worker);
    });
    tours_solved_ += lengths.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t total = 0;
      for (std::size_t s = 0; s < scenarios; ++s) total += lengths[i * scenarios + s];
      totals[missing[start + i]] = total;
      memory_.remember(keys[missing[start + i]], total);
    }
    if (team.rank() == 0) memory_.save();
  }

  std::vector<double> result(districts.size());
  for (std::size_t d = 0; d < districts.size(); ++d) result[d] = kilometres(totals[number[d]]);
  return result;
}

std::vector<Point> RoutingCosts::tour(const District& district, std::size_t scenario) const {
  if (scenario >= demand_.scenarios()) {
    throw InputError(
        fmt::format("scenario {} was asked for, expected one below {}", scenario, demand_.scenarios()));
  }
  const District units = checked(district);
  TourWorkspace workspace;
  gather(units, scenario, workspace.points);
  std::vector<Point> places = {depot_};
  for (const std::uint32_t unit : units) {
    const auto customers = demand_.customers(unit, scenario);
    places.insert(places.end(), customers.begin(), customers.end());
  }
  drive_scenario(scenario, workspace);
  std::vector<Point> visited;
  visited.reserve(places.size());
  for (const std::uint32_t place :
       settings_.published_tours ? workspace.published.order() : workspace.solver.order())
    visited.push_back(places[place]);
  return visited;
}

double RoutingCosts::mean_depot_distance(std::span<const std::uint32_t> units) const {
  check_ascending(units);
  constexpr std::size_t kAtOnce = 16;  // scenarios side by side
  const std::size_t scenarios = demand_.scenarios();
  double sum = 0;
  for (std::size_t start = 0; start < scenarios; start += kAtOnce) {
    const std::size_t width = std::min(kAtOnce, scenarios - start);
    double distance[kAtOnce] = {}, count[kAtOnce] = {};
    for (const std::uint32_t unit : units) {
      const std::size_t cell = unit * scenarios + start;
      for (std::size_t s = 0; s < width; ++s) distance[s] += distances_[cell + s];
      for (std::size_t s = 0; s < width; ++s) count[s] += counts_[cell + s];
    }
    for (std::size_t s = 0; s < width; ++s) sum += distance[s] / count[s];
  }
  return sum / static_cast<double>(scenarios);
}

double RoutingCosts::expected_demand(std::span<const std::uint32_t> units) const {
  check_ascending(units);
  double population = 0;
  for (const std::uint32_t unit : units) population += populations_[unit];
  return static_cast<double>(settings_.demand.probability) * population;
}

double RoutingCosts::centre_tour(std::span<const std::uint32_t> units, std::size_t perturbations,
                                 TourWorkspace& workspace) const {
  check_ascending(units);
  workspace.points.assign(1, TourPoint{});
  for (const std::uint32_t unit : units) workspace.points.push_back(centres_[unit]);
  if (settings_.published_tours)
    return static_cast<double>(workspace.published.solve(workspace.points)) / 1000;
  // Asked for very often, and the time of the exact programme doubles with every point.
  return static_cast<double>(
             workspace.solver.solve(workspace.points, perturbations, 0, TourSolver::kFewestSearched - 1)) /
         1000;
}

}  // namespace polystep
