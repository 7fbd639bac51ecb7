// Held-out small cities, divided exactly and priced by stored costs, against the published optima.
#include "districting/small_cities.hpp"

#include <gtest/gtest.h>

#include "data/cities/city_files.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFew = 3;

TEST(SmallCities, AreTheHeldOutOnesAndHaveThePublishedOptima) {
  BenchSettings settings;
  settings.data_directory = find_data_directory("");
  if (!holds_districting_data(settings.data_directory))
    GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  settings.routing.demand.scenarios = 3;
  std::vector<BenchMethod> methods;
  for (const std::string name : {"centre-distance", "fig"}) methods.push_back({.name = name});
  ThreadTeam one(1), two(2);
  std::size_t shown = 0;
  const SmallCityResults results = divide_small_cities(
      methods, settings, one, {}, [&](std::size_t, std::size_t of) { shown += of == kFew; }, kFew);
  EXPECT_FALSE(results.stopped);
  EXPECT_EQ(shown, kFew);
  ASSERT_EQ(results.optimal.size(), kFew);
  const auto optima =
      read_optimal_districtings(districting_file(settings.data_directory, "small_optimal.txt"));
  for (std::size_t city = 0; city < kFew; ++city) {
    EXPECT_EQ(results.cities[city], optima[100 + city].city);
    EXPECT_NEAR(results.optimal[city], optima[100 + city].cost, 1e-4);
  }

  // What the programme of all partitions says of one of them, priced by hand.
  const City city = published_city(settings.data_directory, "city101");
  const solvers::DistrictGraph graph = city_graph(city, 3);
  NumberMemory memory;
  RoutingSettings routing_settings = settings.routing;
  routing_settings.demand.probability = demand_probability(3);
  const RoutingCosts routing(city, routing_settings, memory);
  const PricedDistricts stored =
      read_district_costs(districting_file(settings.data_directory, "small_costs.txt"))[100];
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const auto division = divide_exactly(graph, bench_value(methods[m], city, graph, routing));
    ASSERT_TRUE(division);
    double cost = 0;
    for (const District& district : division->districts)
      for (std::size_t k = 0; k < stored.districts.size(); ++k)
        if (stored.districts[k] == district) cost += stored.costs[k];
    EXPECT_EQ(results.found[m].method, methods[m].name);
    EXPECT_EQ(results.found[m].seed, "-");
    EXPECT_NEAR(results.found[m].costs[0], cost, 1e-9);
    EXPECT_GT(results.found[m].costs[0], results.optimal[0]);
  }

  const SmallCityResults again = divide_small_cities(methods, settings, two, {}, {}, kFew);
  for (std::size_t m = 0; m < methods.size(); ++m) EXPECT_EQ(again.found[m].costs, results.found[m].costs);
  EXPECT_TRUE(divide_small_cities(
                  methods, settings, one, [] { return true; }, {}, kFew)
                  .stopped);
}

}  // namespace
}  // namespace polystep
