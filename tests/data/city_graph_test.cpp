// Features of edges, and the exact surrogate on all published small cities: figures of the benchmark.
#include "data/cities/city_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/needs_cities.hpp"
#include "data/published_files.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace polystep {
namespace {

using solvers::TreeSurrogate;

void expect_features(const double* found, const std::array<double, kEdgeFeatures>& expected) {
  for (std::size_t k = 0; k < kEdgeFeatures; ++k)
    EXPECT_NEAR(found[k] / expected[k], 1, 1e-8) << kEdgeFeatureNames[k];
}

TEST(CityGraph, FeaturesAreThePublishedOnes) {
  POLYSTEP_NEEDS_CITIES();
  const auto cities = published_small_cities(find_data_directory(""), CityPolygons::kNone);
  const auto features = edge_features(cities[0], DistanceUnit::kMillidegrees);
  const auto graph = city_graph(cities[0], 3);
  ASSERT_EQ(features.size(), 76 * kEdgeFeatures);
  ASSERT_EQ(graph.edges(), 76u);
  EXPECT_EQ(graph.edge_ends()[0].other, 2u);
  EXPECT_EQ(graph.edge_ends()[1].other, 30u);
  EXPECT_EQ(graph.edge_ends()[2].other, 4u);
  EXPECT_EQ(graph.edge_ends()[3].other, 5u);
  expect_features(&features[0],
                  {3603.890128, 8857, 0.441451722, 125.107701, 3.368050016, 9.933629168, 26.42253415});
  expect_features(&features[kEdgeFeatures],
                  {2913.971127, 5515.5, 0.266433064, 59.00635067, 0.946388924, 3.340532497, 118.0127013});

  std::vector<std::vector<double>> training;
  std::size_t edges = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    training.push_back(edge_features(cities[k], DistanceUnit::kMillidegrees));
    edges += training.back().size() / kEdgeFeatures;
  }
  EXPECT_EQ(edges, 8715u);
  const std::array<double, kEdgeFeatures> expected = {2956.6874, 2275.2740, 0.10295662, 44.164558,
                                                      11.265229, 8.5792311, 40.232283};
  const auto deviations = feature_deviations(training);
  for (std::size_t k = 0; k < kEdgeFeatures; ++k) EXPECT_NEAR(deviations[k] / expected[k], 1, 1e-7);
}

TEST(CityGraph, KilometresFollowThePlane) {
  const City city = synthetic_city(40);
  const auto degrees = edge_features(city, DistanceUnit::kMillidegrees);
  const auto kilometres = edge_features(city, DistanceUnit::kKilometres);
  const auto graph = city_graph(city, 4);
  ASSERT_EQ(kilometres.size(), graph.edges() * kEdgeFeatures);
  for (std::size_t edge = 0; edge < graph.edges(); ++edge) {
    for (std::size_t k = 0; k < kEdgeFeatures; ++k) {
      const std::size_t at = edge * kEdgeFeatures + k;
      if (k != kDepotDistance && k != kCentreDistance) {
        EXPECT_EQ(degrees[at], kilometres[at]);
      }
    }
    const auto ends = graph.edge_ends()[edge];
    if (graph.is_depot_edge(edge)) {  // half of the unit's own distance, and the whole
      EXPECT_EQ(2 * kilometres[edge * kEdgeFeatures + kDepotDistance],
                kilometres[edge * kEdgeFeatures + kCentreDistance]);
      continue;
    }
    // The synthetic plane is the degrees scaled, by 111.32 cos and 110.574 km.
    const Point a = city.units[ends.unit].centre_degrees, b = city.units[ends.other].centre_degrees;
    const double scale = std::cos(48.86 * 3.14159265358979 / 180);
    const double plane = std::hypot(111.320 * scale * (a.x - b.x), 110.574 * (a.y - b.y));
    EXPECT_NEAR(kilometres[edge * kEdgeFeatures + kCentreDistance] / plane, 1, 0.007);
  }
  EXPECT_INPUT_ERROR(city_graph(city, 41), "city 'Synth40'", "target size 41");
  EXPECT_INPUT_ERROR(feature_deviations({}), "0 edges", "expected at least 2");
}

// All 200 cities, exactly: stored optima, and what distances as weights lead to.
TEST(CityGraph, SurrogateReproducesStoredOptimaAndYardsticks) {
  POLYSTEP_NEEDS_CITIES();
  const std::string directory = find_data_directory("");
  const auto cities = published_small_cities(directory, CityPolygons::kNone);
  const auto priced = read_district_costs(districting_file(directory, "small_costs.txt"));
  const auto optima = read_optimal_districtings(districting_file(directory, "small_optimal.txt"));
  ASSERT_EQ(optima.size(), 200u);
  struct Sums {
    double oracle = 0, cost = 0, gap = 0;
  };
  Sums sums[2][2];  // [millidegrees, kilometres][training, validation]
  for (std::size_t k = 0; k < 200; ++k) {
    const TreeSurrogate surrogate(city_graph(cities[k], 3), {.orders = 2, .reinsertions = 0});
    TreeSurrogate::Workspace work(surrogate);
    const auto& sets = surrogate.sets();
    ASSERT_EQ(sets.size(), priced[k].costs.size());
    std::size_t sets_of[5] = {};
    for (std::size_t set = 0; set < sets.size(); ++set) {
      ASSERT_TRUE(std::ranges::equal(sets.units(set), priced[k].districts[set]));
      ++sets_of[sets.units(set).size()];
    }
    EXPECT_EQ(cities[k].adjacent.size(), optima[k].adjacent_pairs);
    for (std::size_t size = 2; size <= 4; ++size) EXPECT_EQ(sets_of[size], optima[k].sets_of[size - 2]);

    std::vector<std::uint32_t> chosen(surrogate.districts());
    const double best = surrogate.solve_costs(priced[k].costs, work, chosen);
    EXPECT_NEAR(best, optima[k].cost, 1e-9) << cities[k].name;
    if (k == 0) {  // the order of districts differs
      std::vector<std::vector<std::uint32_t>> districts;
      for (const std::uint32_t set : chosen)
        districts.emplace_back(sets.units(set).begin(), sets.units(set).end());
      std::ranges::sort(districts);
      EXPECT_EQ(districts, optima[0].districts);
    }
    for (const DistanceUnit unit : {DistanceUnit::kMillidegrees, DistanceUnit::kKilometres}) {
      const auto features = edge_features(cities[k], unit);
      std::vector<double> weights;
      for (std::size_t at = kCentreDistance; at < features.size(); at += kEdgeFeatures)
        weights.push_back(features[at]);
      const double objective = surrogate.solve(weights, work, chosen);
      double cost = 0;
      for (const std::uint32_t set : chosen) cost += priced[k].costs[set];
      Sums& sum = sums[unit == DistanceUnit::kKilometres][k / 100];
      sum.oracle += best, sum.cost += cost, sum.gap += cost / best - 1;
      if (unit == DistanceUnit::kKilometres) continue;
      const auto expect = [&](double golden_objective, double golden_cost) {
        EXPECT_NEAR(objective, golden_objective, 1e-6);
        EXPECT_NEAR(cost, golden_cost, 1e-8);
      };
      if (k == 0) expect(1554.485371, 564.29952);
      if (k == 1) expect(465.696094, 196.51048);
      if (k == 100) expect(695.127353, 261.79327);
    }
  }
  EXPECT_NEAR(sums[0][0].oracle / 100, 320.188, 5e-4);
  EXPECT_NEAR(sums[0][1].oracle / 100, 316.624, 5e-4);
  EXPECT_NEAR(sums[0][0].cost / 100, 326.161, 5e-4);
  EXPECT_NEAR(sums[0][1].cost / 100, 323.773, 5e-4);
  EXPECT_NEAR(sums[0][0].gap, 1.94, 0.005);  // per cent of 100 cities
  EXPECT_NEAR(sums[0][1].gap, 2.28, 0.005);
  EXPECT_NEAR(sums[1][0].gap, 1.66, 0.005);
  EXPECT_NEAR(sums[1][1].gap, 1.78, 0.005);
  EXPECT_NEAR(sums[1][1].cost / 100, 322.09, 5e-3);
}

}  // namespace
}  // namespace polystep
