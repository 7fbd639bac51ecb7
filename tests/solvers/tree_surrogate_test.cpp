// The exact surrogate against enumeration, against the general backend, and its variants against each other.
#include "solvers/spanning_tree/tree_surrogate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "input_error.hpp"
#include "polystep/tile.hpp"
#include "solvers/district_instances.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/spanning_tree/set_partition_model.hpp"

namespace polystep::solvers {
namespace {

using simd::InstructionSet;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Chosen sets cover every unit once; the decision has a tree in each of them and one depot edge.
void expect_partition(const TreeSurrogate& surrogate, std::span<const double> weights,
                      std::span<const std::uint32_t> chosen, double objective) {
  const DistrictGraph& graph = surrogate.graph();
  std::vector<int> covered(graph.units());
  for (const std::uint32_t set : chosen) {
    for (const std::uint32_t unit : surrogate.sets().units(set)) ++covered[unit];
  }
  EXPECT_EQ(covered, std::vector<int>(graph.units(), 1));
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  std::vector<double> decision(graph.edges());
  surrogate.mark_edges(weights, chosen, decision);
  EXPECT_NEAR(dot(weights, decision), objective, 1e-9);
  std::vector<std::uint32_t> district(graph.units());
  for (std::uint32_t k = 0; k < chosen.size(); ++k) {
    for (const std::uint32_t unit : surrogate.sets().units(chosen[k])) district[unit] = k;
  }
  std::vector<UnitPair> branches;
  std::vector<int> depot_edges(chosen.size());
  for (std::size_t edge = 0; edge < graph.edges(); ++edge) {
    if (decision[edge] == 0) continue;
    const DistrictEdge ends = graph.edge_ends()[edge];
    if (graph.is_depot_edge(edge)) {
      ++depot_edges[district[ends.unit]];
    } else {
      EXPECT_EQ(district[ends.unit], district[ends.other]);
      branches.emplace_back(ends.unit, ends.other);
    }
  }
  EXPECT_EQ(depot_edges, std::vector<int>(chosen.size(), 1));
  EXPECT_EQ(branches.size(), graph.units() - chosen.size());
  // As many branches as units less districts, all within districts: trees, if they connect them.
  const auto component = components_of(graph.units(), branches);
  for (std::uint32_t unit = 0; unit < graph.units(); ++unit) {
    EXPECT_EQ(component[unit], surrogate.sets().units(chosen[district[unit]])[0]);
  }
}

TEST(TreeSurrogate, IsAsGoodAsEnumerationOnThousandsOfGraphs) {
  RandomStream random(2, Purpose::kTest);
  int solved = 0, impossible = 0;
  while (solved < 3000) {
    const DistrictGraph graph = draw_district_graph(random, 2 + random.below(8), 0.5 * random.uniform());
    const auto weights = draw_edge_weights(random, graph.edges());
    const double best = AllDistricts(graph, weights).best();
    if (!std::isfinite(best)) {
      ++impossible;
      EXPECT_NE(input_error([&] { TreeSurrogate surrogate(graph); }).find("cannot be divided"),
                std::string::npos);
      continue;
    }
    ++solved;
    const TreeSurrogate surrogate(graph, {.orders = 1 + random.below(3), .reinsertions = random.below(3)});
    TreeSurrogate::Workspace work(surrogate);
    std::vector<std::uint32_t> chosen(surrogate.districts());
    const double objective = surrogate.solve(weights, work, chosen);
    ASSERT_NEAR(objective, best, 1e-9);
    expect_partition(surrogate, weights, chosen, objective);
  }
  EXPECT_GT(impossible, 100);
}

// Five units that all touch have 125 trees: too many to list.
TEST(TreeSurrogate, SetsWithManyTreesAreValuedByKruskalsRule) {
  RandomStream random(3, Purpose::kTest);
  for (int round = 0; round < 100; ++round) {
    std::vector<UnitPair> pairs;
    for (std::uint32_t b = 1; b < 10; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) pairs.emplace_back(a, b);
    }
    const DistrictGraph graph(10, pairs, {.target = 5, .lower = 4, .upper = 6, .count = 2});
    const TreeSurrogate surrogate(graph, {.orders = 1, .reinsertions = 0});
    TreeSurrogate::Workspace work(surrogate);
    AlignedDoubles tile(graph.edges() * kLanes);
    std::vector<std::uint32_t> chosen(2), chosen_lanes(2 * kLanes);
    double objective[kLanes];
    std::vector<std::vector<double>> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes.push_back(draw_edge_weights(random, graph.edges()));
      for (std::size_t edge = 0; edge < graph.edges(); ++edge) tile[edge * kLanes + lane] = lanes[lane][edge];
    }
    surrogate.solve_tile(tile.data(), work, objective, chosen_lanes.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ASSERT_EQ(surrogate.solve(lanes[lane], work, chosen), objective[lane]);
      expect_partition(surrogate, lanes[lane], chosen, objective[lane]);
      if (lane == 0) {
        ASSERT_NEAR(AllDistricts(graph, lanes[0]).best(), objective[0], 1e-9);
      }
    }
  }
}

class OnCities : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { cities_ = small_synthetic_cities(12, 5); }
  static std::vector<City> cities_;
};
std::vector<City> OnCities::cities_;

TEST_F(OnCities, LanesEqualTheScalarPathBitForBit) {
  RandomStream random(4, Purpose::kTest);
  for (const InstructionSet set : {InstructionSet::kBaseline, InstructionSet::kAvx512}) {
    if (!simd::is_supported(set)) continue;
    for (const City& city : cities_) {
      const TreeSurrogate surrogate(city_graph(city, 3),
                                    {.orders = 2, .reinsertions = 0, .instruction_set = set});
      TreeSurrogate::Workspace work(surrogate), other_work(surrogate);
      const std::size_t edges = surrogate.graph().edges(), districts = surrogate.districts();
      for (int round = 0; round < 4; ++round) {
        AlignedDoubles tile(edges * kLanes);
        std::vector<std::vector<double>> lanes;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          lanes.push_back(draw_edge_weights(random, edges));
          for (std::size_t edge = 0; edge < edges; ++edge) tile[edge * kLanes + lane] = lanes[lane][edge];
        }
        double objective[kLanes];
        std::vector<std::uint32_t> chosen(kLanes * districts), one(districts);
        surrogate.solve_tile(tile.data(), work, objective, chosen.data());
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          ASSERT_EQ(surrogate.solve(lanes[lane], other_work, one), objective[lane]);
          ASSERT_TRUE(std::equal(one.begin(), one.end(),
                                 chosen.begin() + static_cast<std::ptrdiff_t>(lane * districts)));
        }
      }
    }
  }
}

TEST_F(OnCities, AgreesWithSetPartitioningByTheGeneralBackend) {
  RandomStream random(5, Purpose::kTest);
  for (std::size_t k = 0; k < 3; ++k) {
    const TreeSurrogate surrogate(city_graph(cities_[k], 3), {.orders = 2, .reinsertions = 0});
    TreeSurrogate::Workspace work(surrogate);
    MilpSolver general(set_partition_model(surrogate.graph(), surrogate.sets()));
    std::vector<std::uint32_t> chosen(surrogate.districts());
    std::vector<double> values(surrogate.sets().size());
    for (int round = 0; round < 2; ++round) {
      const auto weights = draw_edge_weights(random, surrogate.graph().edges());
      surrogate.values().fill(weights, values);
      general.set_objective(values);
      const MilpResult result = general.solve();
      ASSERT_EQ(result.status, MilpStatus::kOptimal);
      EXPECT_NEAR(surrogate.solve(weights, work, chosen), result.objective, 1e-7);
    }
    for (double& value : values) value = random.uniform(10, 60);  // any costs of sets
    general.set_objective(values);
    EXPECT_NEAR(surrogate.solve_costs(values, work, chosen), general.solve().objective, 1e-7);
    double sum = 0;
    for (const std::uint32_t set : chosen) sum += values[set];
    EXPECT_NEAR(sum, general.solve().objective, 1e-7);
  }
}

// One number added to all weights between units and another to all depot edges change nothing: every
// partition has as many of each.
TEST_F(OnCities, ShiftsOfAllWeightsChangeNoDecision) {
  RandomStream random(6, Purpose::kTest);
  const TreeSurrogate surrogate(city_graph(cities_[0], 3), {.orders = 2, .reinsertions = 0});
  TreeSurrogate::Workspace work(surrogate);
  std::vector<std::uint32_t> chosen(surrogate.districts()), shifted_chosen(surrogate.districts());
  for (int round = 0; round < 50; ++round) {
    std::vector<double> weights(surrogate.graph().edges());
    for (double& weight : weights) weight = random.normal();
    surrogate.solve(weights, work, chosen);
    for (std::size_t edge = 0; edge < weights.size(); ++edge) {
      weights[edge] += surrogate.graph().is_depot_edge(edge) ? -3.7 : 2.1;
    }
    surrogate.solve(weights, work, shifted_chosen);
    EXPECT_EQ(chosen, shifted_chosen);
  }
}

TEST_F(OnCities, WhatIsTooLargeForTheProgrammeGoesToTheGeneralBackend) {
  RandomStream random(7, Purpose::kTest);
  const DistrictGraph graph = city_graph(synthetic_city(15), 3);
  const TreeSurrogate exact(graph), general(graph, {.most_arcs = 1});
  ASSERT_NE(exact.program(), nullptr);
  ASSERT_EQ(general.program(), nullptr);
  TreeSurrogate::Workspace exact_work(exact), general_work(general);
  std::vector<std::uint32_t> chosen(exact.districts()), lanes(kLanes * exact.districts());
  AlignedDoubles tile(graph.edges() * kLanes);
  for (double& weight : tile) weight = random.normal();
  double objective[kLanes];
  general.solve_tile(tile.data(), general_work, objective, lanes.data());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::vector<double> weights(graph.edges());
    for (std::size_t edge = 0; edge < weights.size(); ++edge) weights[edge] = tile[edge * kLanes + lane];
    EXPECT_NEAR(exact.solve(weights, exact_work, chosen), objective[lane], 1e-9);
    EXPECT_TRUE(std::equal(chosen.begin(), chosen.end(),
                           lanes.begin() + static_cast<std::ptrdiff_t>(lane * chosen.size())));
  }
}

TEST_F(OnCities, WeightsThatAreNoNumbersFailAloneInTheirLane) {
  RandomStream random(8, Purpose::kTest);
  const TreeSurrogate surrogate(city_graph(cities_[2], 3), {.orders = 1, .reinsertions = 0});
  TreeSurrogate::Workspace work(surrogate);
  const std::size_t edges = surrogate.graph().edges();
  AlignedDoubles tile(edges * kLanes);
  for (double& weight : tile) weight = random.normal();
  double before[kLanes], after[kLanes];
  std::vector<std::uint32_t> chosen(kLanes * surrogate.districts());
  surrogate.solve_tile(tile.data(), work, before, chosen.data());
  tile[7 * kLanes + 2] = std::nan("");
  tile[9 * kLanes + 5] = -std::numeric_limits<double>::infinity();
  surrogate.solve_tile(tile.data(), work, after, chosen.data());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (lane == 2 || lane == 5) {
      EXPECT_TRUE(std::isnan(after[lane]));
    } else {
      EXPECT_EQ(after[lane], before[lane]);
    }
  }
  std::vector<double> weights(edges, 1.0);
  weights[3] = std::nan("");
  EXPECT_TRUE(std::isnan(surrogate.solve(weights, work, chosen)));
}

}  // namespace
}  // namespace polystep::solvers
