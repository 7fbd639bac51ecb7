// The sets of edge features: what they are, and what they do not depend on.
#include "data/cities/edge_inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/cities/city_generator.hpp"
#include "data/published_files.hpp"
#include "data/square_city.hpp"

namespace polystep {
namespace {

constexpr EdgeInputs kRelative = {.set = EdgeFeatureSet::kRelative};
constexpr EdgeInputs kSized = {.set = EdgeFeatureSet::kSized};
constexpr EdgeInputs kGeometric = {.set = EdgeFeatureSet::kGeometric};

TEST(EdgeInputs, HaveNamesOfTheirOwn) {
  EXPECT_EQ(edge_input_count({}), 7u);
  EXPECT_EQ(edge_input_count(kRelative), 7u);
  const std::vector<std::string> names = edge_input_names(kGeometric);
  EXPECT_EQ(names.size(), 38u);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 38u);
  EXPECT_EQ(edge_input_count(kSized), 45u);
  EXPECT_EQ(edge_inputs(synthetic_city(40), kSized, 6).size() % 45, 0u);
  EXPECT_EQ(edge_feature_set("relative"), EdgeFeatureSet::kRelative);
  EXPECT_EQ(edge_feature_set("sized"), EdgeFeatureSet::kSized);
  EXPECT_INPUT_ERROR(edge_feature_set("absolute"), "'absolute'", "geometric");
}

TEST(EdgeInputs, PublishedOnesAreThoseOfTheGraph) {
  const City city = synthetic_city(40);
  for (const DistanceUnit unit : {DistanceUnit::kKilometres, DistanceUnit::kMillidegrees})
    EXPECT_EQ(edge_inputs(city, {.distances = unit}, 3), edge_features(city, unit));
}

// A city with twice the inhabitants everywhere, or with every length doubled, looks the same.
TEST(EdgeInputs, RelativeOnesDoNotChangeWithTheScaleOfACity) {
  const City city = synthetic_city(40);
  City fuller = city, larger = city;
  for (CityUnit& unit : fuller.units) unit.population *= 2, unit.density *= 2;
  const double middle = city.depot_degrees().x;
  for (CityUnit& unit : larger.units) {
    unit.area *= 4, unit.perimeter *= 2, unit.density /= 4;
    // Twice as wide and as high around the depot, on whose latitude kilometres are measured.
    const Point depot = city.depot_degrees();
    const auto away = [&](double& x, double from) { x = from + 2 * (x - from); };
    away(unit.centre_degrees.x, middle), away(unit.centre_degrees.y, depot.y);
    away(unit.box_degrees.x_min, middle), away(unit.box_degrees.x_max, middle);
    away(unit.box_degrees.y_min, depot.y), away(unit.box_degrees.y_max, depot.y);
  }
  for (const EdgeInputs& inputs : {kRelative, kSized}) {
    const std::vector<double> before = edge_inputs(city, inputs, 3);
    for (const City& other : {fuller, larger}) {
      const std::vector<double> after = edge_inputs(other, inputs, 3);
      ASSERT_EQ(after.size(), before.size());
      for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 1e-6 * (1 + std::abs(before[i]))) << i % edge_input_count(inputs);
    }
  }
  EXPECT_NE(edge_inputs(city, kSized, 3), edge_inputs(city, kSized, 12));  // these know of districts
  EXPECT_EQ(edge_inputs(city, kGeometric, 3), edge_inputs(city, kGeometric, 12));
  const std::vector<double> published = edge_inputs(city, {}, 3);
  EXPECT_NE(edge_inputs(fuller, {}, 3), published);
}

TEST(EdgeInputs, GeometricOnesTellUnitEdgesFromDepotEdges) {
  const City city = testing::square_city(4, 3);
  const solvers::DistrictGraph graph = city_graph(city, 3);
  const std::vector<double> inputs = edge_inputs(city, kGeometric, 3), published = edge_inputs(city, {}, 3);
  ASSERT_EQ(inputs.size(), graph.edges() * 38);
  double length = 0;
  std::vector<double> depot(city.units.size());
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const double own = published[e * 7 + kCentreDistance];
    if (graph.is_depot_edge(e))
      depot[graph.edge_ends()[e].unit] = own;
    else
      length += own / static_cast<double>(city.adjacent.size());
  }
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const double* row = &inputs[e * 38];
    for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(row[k], published[e * 7 + k]);
    EXPECT_EQ(row[7], graph.is_depot_edge(e) ? 1 : 0);
    const std::size_t silent = graph.is_depot_edge(e) ? 8 : 26, loud = graph.is_depot_edge(e) ? 26 : 8;
    for (std::size_t k = silent; k < silent + (silent == 8 ? 18u : 12u); ++k) EXPECT_EQ(row[k], 0) << k;
    EXPECT_NEAR(row[loud], published[e * 7 + kCentreDistance] / length, 1e-12);
    EXPECT_NEAR(row[loud + 1] * row[loud + 1], row[loud], 1e-12);
    if (graph.is_depot_edge(e)) continue;
    const double u = depot[graph.edge_ends()[e].unit] / length,
                 v = depot[graph.edge_ends()[e].other] / length;
    EXPECT_NEAR(row[8 + 3], (u + v) / 2, 1e-12);
    EXPECT_NEAR(row[8 + 7], u + v - row[8], 1e-12);  // what driving on saves
    EXPECT_NEAR(row[8 + 9], row[8] - std::abs(u - v), 1e-12);
    for (std::size_t k = 0; k < 38; ++k) EXPECT_TRUE(std::isfinite(row[k]));
  }
}

TEST(EdgeInputs, AreScaledByTrainingCitiesAlone) {
  const std::vector<City> cities = {synthetic_city(20), synthetic_city(30), testing::square_city(6, 6)};
  for (const EdgeInputs& inputs : {EdgeInputs{}, kRelative, kGeometric, kSized}) {
    std::vector<std::vector<double>> features;
    for (const City& city : cities) features.push_back(edge_inputs(city, inputs, 3));
    const EdgeInputScale scale = scale_edge_inputs(inputs, features, 2);
    const std::size_t columns = edge_input_count(inputs);
    ASSERT_EQ(scale.mean.size(), columns);
    features.pop_back();
    const EdgeInputScale same = scale_edge_inputs(inputs, features, 2);
    EXPECT_EQ(same.mean, scale.mean);
    EXPECT_EQ(same.deviation, scale.deviation);
    for (const double deviation : scale.deviation) EXPECT_GT(deviation, 0);
    if (inputs.set == EdgeFeatureSet::kPublished || inputs.set == EdgeFeatureSet::kRelative) {
      EXPECT_EQ(scale.mean, std::vector<double>(columns, 0.0));
    }
    if (inputs.set == EdgeFeatureSet::kPublished) {
      const auto expected = feature_deviations(features);
      EXPECT_EQ(scale.deviation, std::vector<double>(expected.begin(), expected.end()));
    }
  }
  EXPECT_INPUT_ERROR(scale_edge_inputs({}, {}, 0), "0 edges", "at least 2");
}

}  // namespace
}  // namespace polystep
