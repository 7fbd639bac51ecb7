#include "districting/small_cities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "data/cities/city_files.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"
#include "districting/city_division.hpp"
#include "polystep/error.hpp"
#include "problems/districting/district_prices.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFirstHeldOut = 100;  // those before it are for training
constexpr std::size_t kSmallTarget = 3;     // units per district

using solvers::TreeSurrogate;

double priced(const DistrictPrices& prices, const TreeSurrogate& surrogate,
              std::span<const std::uint32_t> chosen) {
  double total = 0;
  for (const std::uint32_t set : chosen) total += prices.price(set, surrogate.sets().units(set));
  return total;
}

// One city by all methods: costs[m] of methods[m]; the cheapest of all is returned.
double divide_one(const City& city, const PricedDistricts& stored, const std::vector<BenchMethod>& methods,
                  const RoutingSettings& routing_settings, std::span<double> costs) {
  const TreeSurrogate surrogate(city_graph(city, kSmallTarget));
  const std::unique_ptr<DistrictPrices> prices = stored_prices(surrogate.sets(), stored);
  TreeSurrogate::Workspace work(surrogate);
  std::vector<std::uint32_t> chosen(surrogate.districts());
  NumberMemory memory;
  const RoutingCosts routing(city, routing_settings, memory);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const MethodValue method = bench_value(methods[m], city, surrogate.graph(), routing);
    double value = 0;
    if (!method.start_weights.empty()) {
      value = surrogate.solve(method.start_weights, work, chosen);
    } else {
      std::vector<double> values;
      for (std::size_t set = 0; set < surrogate.sets().size(); ++set)
        values.push_back(method.value->value(surrogate.sets().units(set)));
      value = surrogate.solve_costs(values, work, chosen);
    }
    if (!std::isfinite(value))
      throw InputError(fmt::format("{}: method {} found no districts", city.name, methods[m].name));
    costs[m] = priced(*prices, surrogate, chosen);
  }
  surrogate.solve_costs(prices->all(surrogate.sets()), work, chosen);
  return priced(*prices, surrogate, chosen);
}

}  // namespace

SmallCityResults divide_small_cities(const std::vector<BenchMethod>& methods, const BenchSettings& settings,
                                     Team& team, const std::function<bool()>& stop,
                                     const std::function<void(std::size_t done, std::size_t of)>& progress,
                                     std::size_t most) {
  std::vector<City> cities = published_small_cities(settings.data_directory);
  const std::vector<PricedDistricts> stored =
      read_district_costs(districting_file(settings.data_directory, "small_costs.txt"));
  if (cities.size() <= kFirstHeldOut || stored.size() != cities.size())
    throw InputError(fmt::format("small cities: found {} and costs of {}, expected as many, more than {}",
                                 cities.size(), stored.size(), kFirstHeldOut));
  const std::size_t count = std::min(most, cities.size() - kFirstHeldOut);
  RoutingSettings routing = settings.routing;
  routing.demand.probability = demand_probability(kSmallTarget);
  std::vector<double> costs(count * methods.size());  // [cities × methods]
  SmallCityResults results;
  results.optimal.resize(count);
  std::atomic<bool> stopped = false;
  std::size_t done = 0;
  std::mutex shown;
  team.for_each(count, [&](std::size_t slot, std::size_t) {
    {
      const std::lock_guard one_at_a_time(shown);
      if (stop && stop()) stopped = true;
      if (stopped) return;
      if (progress) progress(done, count);
    }
    results.optimal[slot] =
        divide_one(cities[kFirstHeldOut + slot], stored[kFirstHeldOut + slot], methods, routing,
                   std::span(costs).subspan(slot * methods.size(), methods.size()));
    const std::lock_guard one_at_a_time(shown);
    ++done;
  });
  results.stopped = stopped;
  for (std::size_t city = 0; city < count; ++city)
    results.cities.push_back(cities[kFirstHeldOut + city].name);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    SmallCityCosts one{methods[m].name, methods[m].label(), {}};
    for (std::size_t city = 0; city < count; ++city) one.costs.push_back(costs[city * methods.size() + m]);
    results.found.push_back(std::move(one));
  }
  return results;
}

}  // namespace polystep
