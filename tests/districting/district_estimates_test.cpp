// Estimates of district costs: their formulas, their fit, and how good the districts are that they lead to.
#include "districting/district_estimates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/cities/city_files.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"
#include "data/square_city.hpp"
#include "districting/expected_sentence.hpp"
#include "polystep/random.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/partition_program.hpp"

namespace polystep {
namespace {

RoutingSettings settings_for(std::size_t target, std::size_t scenarios) {
  RoutingSettings settings;
  settings.demand = {.seed = 3, .scenarios = scenarios, .probability = demand_probability(target)};
  return settings;
}

TEST(DistrictEstimates, AreTheirFormulas) {
  const City city = testing::square_city(4, 3);
  NumberMemory memory;
  const RoutingCosts routing(city, settings_for(3, 20), memory);
  const District units = {1, 2, 6};
  const double demand = routing.expected_demand(units), distance = routing.mean_depot_distance(units);
  const EstimateCoefficients coefficients = {.beta = 0.5, .fig = {1, 2, 3, 4}};
  EXPECT_DOUBLE_EQ(make_estimate(Estimate::kBd, city, routing, coefficients)->value(units),
                   0.5 * std::sqrt(3 * demand) + 2 * distance);
  EXPECT_DOUBLE_EQ(make_estimate(Estimate::kFig, city, routing, coefficients)->value(units),
                   std::sqrt(3 * demand) + 2 * distance + 3 * std::sqrt(3 / demand) + 4);
  TourWorkspace workspace;
  const auto centres = make_estimate(Estimate::kAvgTsp, city, routing);
  EXPECT_EQ(centres->value(units), routing.centre_tour(units, 0, workspace));  // few points: shortest
  EXPECT_EQ(centres->clone()->value(units), centres->value(units));
}

TEST(DistrictEstimates, FitFindsCoefficientsAgain) {
  RandomStream random(1, Purpose::kPerturbation);
  const EstimateCoefficients truth = {.beta = 0, .fig = {0.7, 1.5, -2, 3}};
  std::vector<DistrictMeasures> measures;
  std::vector<double> costs, bd_costs;
  for (int d = 0; d < 50; ++d) {
    measures.push_back({5 + random.uniform(), 2 + random.uniform(), random.uniform()});
    costs.push_back(truth.figliozzi(measures.back()));
    bd_costs.push_back(0.9 * measures.back().root_area_demand + 2 * measures.back().depot_distance);
  }
  const EstimateCoefficients fitted = fit_estimates(measures, costs);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(fitted.fig[k], truth.fig[k], 1e-8);
  EXPECT_NEAR(fit_estimates(measures, bd_costs).beta, 0.9, 1e-12);
}

TEST(DistrictEstimates, FitRefusesWhatSaysNothing) {
  const std::vector<DistrictMeasures> alike(5, {1, 2, 3});
  expect_input_error([&] { fit_estimates(alike, std::vector<double>(5, 7.0)); }, {"too much alike"});
  expect_input_error([&] { fit_estimates(alike, std::vector<double>(4, 7.0)); }, {"5 districts and 4 costs"});
}

class PublishedEstimates : public ::testing::Test {
 protected:
  void SetUp() override {
    data_ = find_data_directory("");
    if (!holds_districting_data(data_)) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
    cities_ = published_small_cities(data_);
    stored_ = read_district_costs(districting_file(data_, "small_costs.txt"));
  }

  std::string data_;
  std::vector<City> cities_;
  std::vector<PricedDistricts> stored_;
};

TEST_F(PublishedEstimates, CoefficientsAreTheFitToTrainingCities) {
  std::vector<DistrictMeasures> measures;
  std::vector<double> costs;
  NumberMemory memory;
  for (std::size_t k = 0; k < 100; ++k) {
    const RoutingCosts routing(cities_[k], settings_for(3, 20), memory);
    for (std::size_t d = 0; d < stored_[k].districts.size(); ++d) {
      measures.push_back(measure_district(cities_[k], routing, stored_[k].districts[d]));
      costs.push_back(stored_[k].costs[d]);
    }
  }
  EXPECT_EQ(measures.size(), 62203u);
  const EstimateCoefficients fitted = fit_estimates(measures, costs);
  EXPECT_NEAR(fitted.beta, kBenchmarkCoefficients.beta, 0.002);
  // Sampling of the scenarios moves the fitted constants a little.
  const double tolerance[] = {0.003, 0.005, 0.05, 0.05};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(fitted.fig[k], kBenchmarkCoefficients.fig[k], tolerance[k]) << k;
}

TEST_F(PublishedEstimates, DistrictsOfSmallCitiesAreAsGoodAsKnown) {
  const auto optimal = read_optimal_districtings(districting_file(data_, "small_optimal.txt"));
  double gap[2][2] = {};  // of bd and fig, on training and validation cities, %
  NumberMemory memory;
  for (std::size_t k = 0; k < cities_.size(); ++k) {
    const solvers::DistrictGraph graph = city_graph(cities_[k], 3);
    const solvers::ConnectedSets sets(graph);
    const auto program = solvers::PartitionProgram::build(graph, sets, {.orders = 2, .reinsertions = 0});
    ASSERT_NE(program, nullptr) << cities_[k].name;
    const RoutingCosts routing(cities_[k], settings_for(3, 100), memory);
    for (std::size_t method = 0; method < 2; ++method) {
      const auto value = make_estimate(method == 0 ? Estimate::kBd : Estimate::kFig, cities_[k], routing);
      std::vector<double> values(sets.size());
      for (std::size_t set = 0; set < sets.size(); ++set) values[set] = value->value(sets.units(set));
      solvers::PartitionProgram::Workspace work;
      std::vector<std::uint32_t> chosen(graph.sizes().count);
      program->solve(values, work, chosen);
      double cost = 0;
      for (const std::uint32_t set : chosen) cost += stored_[k].costs[set];  // in the order of the sets
      gap[method][k / 100] += (cost - optimal[k].cost) / optimal[k].cost;
    }
  }
  EXPECT_NEAR(gap[0][0], 4.02, 0.05);
  EXPECT_NEAR(gap[0][1], 4.03, 0.05);
  EXPECT_NEAR(gap[1][0], 4.16, 0.05);
  EXPECT_NEAR(gap[1][1], 4.10, 0.05);
}

}  // namespace
}  // namespace polystep
