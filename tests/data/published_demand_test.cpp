// Customers of the published scenarios: drawn again, digit for digit.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "data/cities/city_files.hpp"
#include "data/cities/demand.hpp"
#include "data/cities/polyconic.hpp"
#include "data/needs_cities.hpp"
#include "data/published_files.hpp"
#include "solvers/golden_tours.hpp"

namespace polystep {
namespace {

City small_city(const std::string& name) {
  return published_city(find_data_directory(""), name, CityPolygons::kExact);
}

TEST(PublishedDemand, FirstCustomersAreThePublishedOnes) {
  POLYSTEP_NEEDS_CITIES();
  struct Golden {
    const char* city;
    std::uint32_t seed;
    Point first;
    std::size_t count;
  };
  for (const Golden& golden : {Golden{"city1", 8, {-1.195224016, -10.601309317}, 48},
                               Golden{"city2", 4, {-0.431907174, 2.982846467}, 32},
                               Golden{"city101", 8, {4.660397593, -5.203723096}, 27}}) {
    const Demand demand(small_city(golden.city).first(1),
                        {.seed = golden.seed, .scenarios = 1, .probability = demand_probability(3)});
    const auto customers = demand.customers(0, 0);
    EXPECT_EQ(customers.size(), golden.count);
    EXPECT_NEAR(customers[0].x, golden.first.x, 1e-9);
    EXPECT_NEAR(customers[0].y, golden.first.y, 1e-9);
  }
}

// The stored routing instances are the customers of given districts and scenarios, in whole metres: all of
// them come out of the generator, up to the last unit and scenario.
TEST(PublishedDemand, CustomersAreThoseOfTheStoredTours) {
  POLYSTEP_NEEDS_CITIES();
  std::string drawn;
  std::size_t compared = 0;
  City city;
  std::optional<Demand> demand;
  for (const auto& golden : testing::golden_tours(find_data_directory(""))) {
    if (golden.city == "city2" && golden.district.back() > 17) continue;
    ++compared;
    if (drawn != golden.city) {
      drawn = golden.city;
      city = small_city(drawn);
      demand.emplace(
          city, DemandSettings{.seed = golden.seed, .scenarios = 100, .probability = demand_probability(3)});
    }
    const Point depot = city.depot_plane();
    std::vector<solvers::TourPoint> points = {{0, 0}};
    for (const std::uint32_t unit : golden.district) {
      for (const Point& customer : demand->customers(unit, golden.scenario)) {
        points.push_back({static_cast<std::int32_t>((customer.x - depot.x) * 1000),
                          static_cast<std::int32_t>((customer.y - depot.y) * 1000)});
      }
    }
    EXPECT_EQ(points, golden.points) << golden.city << " scenario " << golden.scenario;
  }
  EXPECT_EQ(compared, 30u);
}

TEST(PublishedDemand, CentresLieInThePublishedPlane) {
  POLYSTEP_NEEDS_CITIES();
  const City city = published_city(find_data_directory(""), "city1", CityPolygons::kNone);
  const Point centre =
      polyconic(city.units[0].centre_degrees, city.reference_degrees, PolyconicForm::kPublished);
  EXPECT_NEAR(centre.x, -1.425282108, 1e-8);
  EXPECT_NEAR(centre.y, -10.953049168, 1e-8);
}

// Every unit of the large cities has an inside to draw from, islets too.
TEST(PublishedDemand, LargeCitiesCanBeDrawnFrom) {
  POLYSTEP_NEEDS_CITIES();
  for (const char* name : {"Marseille", "Paris"}) {
    const Demand demand(published_city(find_data_directory(""), name, CityPolygons::kExact),
                        {.seed = 3, .scenarios = 5, .probability = demand_probability(20)});
    EXPECT_EQ(demand.units(), 120u);
    for (std::size_t unit = 0; unit < 120; ++unit) EXPECT_GE(demand.customers(unit, 4).size(), 3u);
  }
}

}  // namespace
}  // namespace polystep
