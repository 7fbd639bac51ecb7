#include "problems/districting/routing_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/cities/polyconic.hpp"
#include "data/square_city.hpp"
#include "input_error.hpp"
#include "stop_after.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

using solvers::TourPoint;
using solvers::TourSolver;
using testing::square_city;

const RoutingSettings kSettings{.demand = {.seed = 4, .scenarios = 12, .probability = 0.002f},
                                .perturbations = 20};
const std::vector<District> kDistricts = {{0, 1, 4}, {2, 3}, {5, 9, 8}, {6, 7, 10, 11}};

std::vector<double> costs_of(const std::vector<District>& districts, std::size_t threads) {
  ThreadTeam team(threads);
  NumberMemory memory;
  return RoutingCosts(square_city(4, 3), kSettings, memory).costs(districts, team);
}

double mean_tour(const Demand& demand, Point depot, const District& district) {
  TourSolver solver;
  double metres = 0;
  for (std::size_t scenario = 0; scenario < demand.scenarios(); ++scenario) {
    std::vector<TourPoint> points = {{0, 0}};
    for (const std::uint32_t unit : district) {
      for (const Point& customer : demand.customers(unit, scenario)) {
        points.push_back({static_cast<std::int32_t>(std::trunc((customer.x - depot.x) * 1000)),
                          static_cast<std::int32_t>(std::trunc((customer.y - depot.y) * 1000))});
      }
    }
    metres += static_cast<double>(solver.solve(points, kSettings.perturbations, scenario));
  }
  return metres / (1000.0 * static_cast<double>(demand.scenarios()));
}

TEST(RoutingCosts, AreMeansOfToursThroughDepotAndCustomers) {
  const City city = square_city(4, 3);
  const Demand demand(city, kSettings.demand);
  const std::vector<double> costs = costs_of(kDistricts, 1);
  for (std::size_t d = 0; d < kDistricts.size(); ++d) {
    District ascending = kDistricts[d];
    std::sort(ascending.begin(), ascending.end());
    EXPECT_DOUBLE_EQ(costs[d], mean_tour(demand, city.depot_plane(), ascending));
  }
}

TEST(RoutingCosts, AreTheSameForAnyThreadsAndOrder) {
  const std::vector<double> one = costs_of(kDistricts, 1);
  EXPECT_EQ(costs_of(kDistricts, 2), one);
  EXPECT_EQ(costs_of(kDistricts, 7), one);
  const std::vector<double> other = costs_of({{11, 10, 6, 7}, {3, 2}, {2, 3}, {8, 5, 9}, {4, 0, 1}}, 2);
  EXPECT_EQ(other, (std::vector<double>{one[3], one[1], one[1], one[2], one[0]}));
}

TEST(RoutingCosts, AreRememberedByContent) {
  const TemporaryDirectory directory;
  ThreadTeam team(2);
  const City city = square_city(4, 3);
  std::vector<double> first;
  {
    NumberMemory memory(directory / "costs");
    RoutingCosts routing(city, kSettings, memory);
    first = routing.costs(kDistricts, team);
    EXPECT_EQ(routing.tours_solved(), 4u * 12u);
    EXPECT_EQ(routing.costs(kDistricts, team), first);
    EXPECT_EQ(routing.tours_solved(), 4u * 12u);
  }
  NumberMemory memory(directory / "costs");
  const auto solved = [&](const City& of, const RoutingSettings& settings) {
    RoutingCosts routing(of, settings, memory);
    routing.costs(kDistricts, team);
    return routing.tours_solved();
  };
  RoutingCosts again(city, kSettings, memory);
  EXPECT_EQ(again.costs(kDistricts, team), first);
  EXPECT_EQ(again.tours_solved(), 0u);

  // Whatever makes other tours is not taken from memory.
  RoutingSettings other = kSettings;
  other.perturbations = 21;
  EXPECT_EQ(solved(city, other), 48u);
  other = kSettings;
  other.demand.seed = 5;
  EXPECT_EQ(solved(city, other), 48u);
  other = kSettings;
  other.demand.scenarios = 11;
  EXPECT_EQ(solved(city, other), 44u);
  other = kSettings;
  other.demand.probability = 0.003f;
  EXPECT_EQ(solved(city, other), 48u);
  City moved = city;
  moved.units[11].box_plane.x_max += 0.5;  // the depot's place
  EXPECT_EQ(solved(moved, kSettings), 48u);
  City grown = city;
  grown.units[11].population += 1000;  // the last unit: others draw before it
  EXPECT_EQ(solved(grown, kSettings), 12u);
  City renamed = city;
  renamed.name = "elsewhere";
  EXPECT_EQ(solved(renamed, kSettings), 0u);
}

class StopAfter final : public Watch {
 public:
  explicit StopAfter(std::size_t calls) : calls_(calls) {}
  bool stop(std::size_t, std::size_t) override { return calls_-- == 0; }

 private:
  std::size_t calls_;
};

// Both kinds of tours in one memory, neither taken for the other; few customers have the same shortest tours.
TEST(RoutingCosts, DriveThePublishedToursToo) {
  RoutingSettings published = kSettings;
  published.published_tours = true;
  const City city = square_city(4, 3);
  ThreadTeam team(2);
  NumberMemory memory;
  RoutingCosts shortest(city, kSettings, memory), longer(city, published, memory);
  EXPECT_EQ(shortest.costs(kDistricts, team), costs_of(kDistricts, 1));
  const std::vector<double> costs = longer.costs(kDistricts, team);
  EXPECT_EQ(longer.tours_solved(), kDistricts.size() * 12);
  TourWorkspace workspace;
  for (std::size_t d = 0; d < kDistricts.size(); ++d) {
    District ascending = kDistricts[d];
    std::sort(ascending.begin(), ascending.end());
    EXPECT_GE(costs[d], 0.998 * shortest.costs({&ascending, 1}, team)[0]);
    EXPECT_DOUBLE_EQ(costs[d], longer.kilometres(longer.drive(ascending, workspace)));
    EXPECT_EQ(longer.centre_tour(ascending, 0, workspace), shortest.centre_tour(ascending, 20, workspace));
  }
  EXPECT_EQ(RoutingCosts(city, published, memory).costs(kDistricts, team), costs);
  const std::vector<Point> tour = longer.tour({2, 3}, 0);
  EXPECT_EQ(tour.size(), shortest.tour({2, 3}, 0).size());
}

TEST(RoutingCosts, CanBeStoppedAndKeepWhatIsFinished) {
  std::vector<District> districts;  // more than are solved at once
  for (std::uint32_t a = 0; a < 12; ++a)
    for (std::uint32_t b = a + 1; b < 12; ++b) districts.push_back({a, b});
  ThreadTeam team(1);
  NumberMemory memory;
  RoutingSettings settings = kSettings;
  settings.perturbations = 0;
  RoutingCosts routing(square_city(4, 3), settings, memory);
  StopAfter watch(66 + 64 * 12 + 5);
  {
    const Watching watching(team, &watch);
    EXPECT_THROW(routing.costs(districts, team), Stopped);
  }
  EXPECT_GT(memory.size(), 0u);
  EXPECT_LT(memory.size(), districts.size());
  const std::size_t before = routing.tours_solved();
  const std::vector<double> costs = routing.costs(districts, team);
  EXPECT_EQ(routing.tours_solved() - before, 2u * 12u);
  NumberMemory empty;
  EXPECT_EQ(RoutingCosts(square_city(4, 3), settings, empty).costs(districts, team), costs);
}

// In the middle of a tour that would take for ever, and between tours where one thread drives them all.
TEST(RoutingCosts, CanBeStoppedWithinATour) {
  const City city = square_city(4, 3);
  NumberMemory memory;
  RoutingSettings settings = kSettings;
  settings.perturbations = std::size_t{1} << 60;
  RoutingCosts endless(city, settings, memory);
  TourWorkspace workspace;
  for (const std::size_t threads : {1u, 2u}) {
    ThreadTeam team(threads);
    testing::StopAfterAsks patience(20);
    const Watching watching(team, &patience);
    EXPECT_THROW(endless.costs(kDistricts, team), Stopped);
    EXPECT_THROW(endless.drive({0, 1, 4}, workspace), Stopped);
    EXPECT_THROW(endless.tour({0, 1, 4}, 0), Stopped);
    EXPECT_EQ(memory.size(), 0u);
  }

  RoutingCosts routing(city, kSettings, memory);
  const std::int64_t metres = routing.drive({0, 1, 4}, workspace);
  testing::StopAfterAsks counting(testing::StopAfterAsks::kNever);
  {
    const StoppedBy stopped_by(&counting);
    EXPECT_EQ(routing.drive({0, 1, 4}, workspace), metres);
  }
  EXPECT_GE(counting.asked(), kSettings.demand.scenarios);
  testing::StopAfterAsks drawing(1);
  const StoppedBy stopped_by(&drawing);
  EXPECT_THROW(RoutingCosts(city, kSettings, memory), Stopped);
}

TEST(RoutingCosts, ShowTheTourOfAScenario) {
  NumberMemory memory;
  ThreadTeam team(1);
  RoutingSettings settings = kSettings;
  settings.demand.scenarios = 1;
  RoutingCosts routing(square_city(4, 3), settings, memory);
  const District district = {5, 2, 6};
  const std::vector<Point> tour = routing.tour(district, 0);
  EXPECT_EQ(tour[0].x, routing.depot().x);
  EXPECT_EQ(tour[0].y, routing.depot().y);
  std::set<std::pair<double, double>> expected, visited;
  for (const std::uint32_t unit : district)
    for (const Point& customer : routing.demand().customers(unit, 0))
      expected.insert({customer.x, customer.y});
  double length = std::hypot(tour.back().x - tour[0].x, tour.back().y - tour[0].y);
  for (std::size_t i = 1; i < tour.size(); ++i) {
    visited.insert({tour[i].x, tour[i].y});
    length += std::hypot(tour[i].x - tour[i - 1].x, tour[i].y - tour[i - 1].y);
  }
  EXPECT_EQ(visited, expected);
  EXPECT_EQ(tour.size(), expected.size() + 1);
  // Whole metres make a difference of at most two per arc.
  EXPECT_NEAR(routing.costs(std::vector<District>{district}, team)[0], length,
              0.002 * static_cast<double>(tour.size()));
}

TEST(RoutingCosts, KnowWhatEstimatesAskFor) {
  const City city = square_city(4, 3);
  NumberMemory memory;
  const RoutingCosts routing(city, kSettings, memory);
  const District district = {0, 1, 4};
  double delta = 0;
  for (std::size_t scenario = 0; scenario < 12; ++scenario) {
    double sum = 0, count = 0;
    for (const std::uint32_t unit : district) {
      for (const Point& customer : routing.demand().customers(unit, scenario)) {
        sum += std::hypot(customer.x, customer.y);
        ++count;
      }
    }
    delta += sum / count / 12;
  }
  EXPECT_NEAR(routing.mean_depot_distance(district), delta, 1e-12);
  EXPECT_NEAR(routing.expected_demand(district),
              static_cast<double>(0.002f) *
                  (city.units[0].population + city.units[1].population + city.units[4].population),
              1e-9);
  TourWorkspace workspace;
  // The depot is the origin and centres are half kilometres: out to unit 0 over unit 1, back over unit 4.
  const double expected = std::hypot(0.5, 1) + 1 + 1 + std::hypot(1.5, 0);
  EXPECT_NEAR(routing.centre_tour(district, 100, workspace), expected, 0.02);
  EXPECT_NEAR(routing.centre_tour(District{6}, 100, workspace), 1.0, 0.01);
}

TEST(RoutingCosts, RefuseWhatIsNoDistrict) {
  NumberMemory memory;
  ThreadTeam team(1);
  RoutingCosts routing(square_city(4, 3), kSettings, memory);
  const auto sentence = [&](const District& district) {
    return input_error([&] { routing.costs(std::vector<District>{district}, team); });
  };
  EXPECT_EQ(sentence({}), "a district has 0 units, expected at least 1");
  EXPECT_EQ(sentence({1, 12}), "a district has unit 12, expected units below 12");
  EXPECT_EQ(sentence({3, 1, 3}), "a district has unit 3 after 3, expected every unit once, ascending");
  EXPECT_EQ(input_error([&] {
              routing.mean_depot_distance(District{2, 1});
            }),
            "a district has unit 1 after 2, expected every unit once, ascending");
  EXPECT_EQ(input_error([&] { routing.tour({1}, 12); }), "scenario 12 was asked for, expected one below 12");
}

}  // namespace
}  // namespace polystep
