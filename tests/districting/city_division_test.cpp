// Cities divided and driven: exact where they are small, by search elsewhere, the same for any number of
// threads.
#include "districting/city_division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "data/square_city.hpp"
#include "districting/city_choice.hpp"
#include "districting/district_plan.hpp"
#include "districting/expected_sentence.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace polystep {
namespace {

RoutingSettings settings_for(std::size_t target) {
  RoutingSettings settings;
  settings.demand = {.seed = 3, .scenarios = 4, .probability = demand_probability(target)};
  settings.perturbations = 5;
  return settings;
}

struct Ground {
  Ground(City drawn, std::size_t target)
      : city(std::move(drawn)),
        graph(city_graph(city, target)),
        routing(city, settings_for(target), memory) {}

  City city;
  solvers::DistrictGraph graph;
  NumberMemory memory;
  RoutingCosts routing;
};

void expect_partition(const Division& division, const solvers::DistrictGraph& graph) {
  EXPECT_EQ(division.districts.size(), graph.sizes().count);
  std::vector<std::uint32_t> units;
  for (const District& district : division.districts) {
    EXPECT_GE(district.size(), graph.sizes().lower);
    EXPECT_LE(district.size(), graph.sizes().upper);
    units.insert(units.end(), district.begin(), district.end());
  }
  std::ranges::sort(units);
  std::vector<std::uint32_t> all(graph.units());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(units, all);
}

TEST(CityDivision, SmallCitiesAreDividedExactly) {
  Ground ground(testing::square_city(5, 3), 3);
  ThreadTeam team(1);
  const Division division = divide_city(
      ground.graph, untrained_value("centre-distance", ground.city, ground.graph, ground.routing), {}, team);
  EXPECT_TRUE(division.exact);
  expect_partition(division, ground.graph);
  const solvers::TreeSurrogate surrogate(ground.graph);
  solvers::TreeSurrogate::Workspace work(surrogate);
  std::vector<std::uint32_t> chosen(surrogate.districts());
  EXPECT_NEAR(division.value, surrogate.solve(centre_distance_weights(ground.city), work, chosen), 1e-9);
}

TEST(CityDivision, LargeCitiesAreSearchedAlikeByAnyNumberOfThreads) {
  Ground ground(synthetic_city(90), 12);
  ThreadTeam one(1), three(3);
  for (const std::string method : {"centre-distance", "bd", "fig", "avgtsp"}) {
    SCOPED_TRACE(method);
    const MethodValue value = untrained_value(method, ground.city, ground.graph, ground.routing);
    std::size_t most = 0;
    DivisionSettings settings;
    settings.iterations = 3;
    settings.chains = 2;
    settings.progress = [&](std::size_t done, std::size_t of) {
      EXPECT_EQ(of, 6u);
      most = std::max(most, done);
    };
    const Division division = divide_city(ground.graph, value, settings, one);
    EXPECT_FALSE(division.exact);
    EXPECT_TRUE(division.feasible);
    EXPECT_FALSE(division.stopped);
    EXPECT_EQ(division.iterations, 3u);
    EXPECT_GE(most, 4u);
    expect_partition(division, ground.graph);
    const Division again = divide_city(ground.graph, value, settings, three);
    EXPECT_EQ(again.districts, division.districts);
    EXPECT_EQ(again.value, division.value);
  }
}

TEST(CityDivision, StopsWithWhatItHas) {
  Ground ground(synthetic_city(90), 12);
  ThreadTeam team(1);
  std::size_t asked = 0;
  DivisionSettings settings;
  settings.iterations = 1'000'000'000;
  settings.stop = [&] { return ++asked > 2000; };
  const Division division =
      divide_city(ground.graph, untrained_value("centre-distance", ground.city, ground.graph, ground.routing),
                  settings, team);
  EXPECT_TRUE(division.stopped);
  expect_partition(division, ground.graph);
}

TEST(CityDivision, RefusesUnknownMethods) {
  Ground ground(testing::square_city(3, 3), 3);
  expect_input_error([&] { untrained_value("fog", ground.city, ground.graph, ground.routing); },
                     {"method", "'fog'"});
}

class StopAfter final : public Watch {
 public:
  explicit StopAfter(std::size_t items) : left_(items) {}
  bool stop(std::size_t, std::size_t) override { return left_-- == 0; }

 private:
  std::size_t left_;
};

TEST(DistrictPlan, HasCostsCustomersAndTours) {
  Ground ground(testing::square_city(5, 3), 3);
  ThreadTeam team(1);
  const Division division =
      divide_city(ground.graph, untrained_value("bd", ground.city, ground.graph, ground.routing), {}, team);
  const RoutedPlan routed = route_plan(division, "bd", ground.routing, team);
  EXPECT_FALSE(routed.stopped);
  ASSERT_EQ(routed.plan.districts.size(), 5u);
  const std::vector<double> costs = ground.routing.costs(division.districts, team);
  for (std::size_t d = 0; d < 5; ++d) {
    const PlannedDistrict& district = routed.plan.districts[d];
    EXPECT_EQ(district.cost, costs[d]);
    std::size_t first = 0;
    for (const std::uint32_t unit : district.units)
      first += ground.routing.demand().customers(unit, 0).size();
    EXPECT_EQ(district.tour.size(), first);
    EXPECT_GT(*district.customers, 0);
  }
  NumberMemory empty;
  RoutingCosts fresh(ground.city, settings_for(3), empty);
  StopAfter watch(10);
  const Watching watching(team, &watch);
  const RoutedPlan half = route_plan(division, "bd", fresh, team);
  EXPECT_TRUE(half.stopped);
  EXPECT_EQ(half.plan.districts.front().cost, costs.front());
  EXPECT_FALSE(half.plan.districts.back().cost);
}

TEST(CityChoice, TakesDrawnCitiesAndRefusesOthers) {
  EXPECT_EQ(choose_city("synthetic:50", {}, "").units.size(), 50u);
  EXPECT_EQ(choose_city("synthetic:50", 20, "").units.size(), 20u);
  EXPECT_EQ(choose_city("Synth2000", 40, "").units.size(), 40u);
  expect_input_error([] { choose_city("synthetic:x", {}, ""); }, {"'synthetic:x'", "expected synthetic:N"});
  expect_input_error([] { choose_city("synthetic:50", 60, ""); }, {"50 units", "found 60"});
  expect_input_error([] { choose_city("London", {}, ""); }, {"'London'", "docs/data.md"});
}

}  // namespace
}  // namespace polystep
