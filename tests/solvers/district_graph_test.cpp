#include "solvers/spanning_tree/district_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"
#include "solvers/district_instances.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"

namespace polystep::solvers {
namespace {

constexpr DistrictSizes kOne{.target = 3, .lower = 1, .upper = 9, .count = 1};

TEST(DistrictGraph, EdgesAreOrderedByEndsAndTheDepotComesLast) {
  const std::vector<UnitPair> pairs{{2, 1}, {0, 2}, {1, 0}};
  const DistrictGraph graph(3, pairs, kOne);
  const std::vector<UnitPair> expected{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  ASSERT_EQ(graph.edges(), expected.size());
  for (std::size_t edge = 0; edge < expected.size(); ++edge) {
    EXPECT_EQ(graph.edge_ends()[edge].unit, expected[edge].first);
    EXPECT_EQ(graph.edge_ends()[edge].other, expected[edge].second);
    EXPECT_EQ(graph.is_depot_edge(edge), expected[edge].second == 3);
  }
  EXPECT_EQ(graph.depot_edge(0), 2u);
  EXPECT_EQ(graph.depot_edge(2), 5u);
  ASSERT_EQ(graph.neighbours(1).size(), 2u);
  EXPECT_EQ(graph.neighbours(1)[1].unit, 2u);
  EXPECT_EQ(graph.neighbours(1)[1].edge, 3u);
}

TEST(DistrictGraph, RefusesWhatIsNoGraphInOnePiece) {
  const std::vector<UnitPair> loop{{1, 1}}, outside{{0, 3}}, twice{{0, 1}, {1, 0}, {1, 2}}, apart{{0, 1}};
  EXPECT_NE(input_error([&] { DistrictGraph(3, loop, kOne); }).find("units 1 and 1"), std::string::npos);
  EXPECT_NE(input_error([&] { DistrictGraph(3, outside, kOne); }).find("units 0 and 3"), std::string::npos);
  EXPECT_NE(input_error([&] { DistrictGraph(3, twice, kOne); }).find("twice"), std::string::npos);
  EXPECT_NE(input_error([&] { DistrictGraph(3, apart, kOne); }).find("unit 2"), std::string::npos);
}

TEST(DistrictSizes, FollowTheBenchmark) {
  struct Row {
    std::size_t units, target, lower, upper, count;
  };
  for (const Row& row : {Row{120, 3, 2, 4, 40},
                         {120, 6, 4, 8, 20},
                         {120, 12, 9, 15, 10},
                         {120, 20, 16, 24, 6},
                         {120, 30, 24, 36, 4},
                         {30, 3, 2, 4, 10},
                         {2000, 20, 16, 24, 100},
                         {50, 5, 4, 6, 10}}) {
    const auto sizes = DistrictSizes::for_target(row.units, row.target);
    EXPECT_EQ(sizes.lower, row.lower);
    EXPECT_EQ(sizes.upper, row.upper);
    EXPECT_EQ(sizes.count, row.count);
  }
  EXPECT_NE(input_error([] { DistrictSizes::for_target(30, 31); }).find("target size 31"), std::string::npos);
  EXPECT_NE(input_error([] { DistrictSizes::for_target(30, 0); }).find("target size 0"), std::string::npos);
  // 19 units in one district of 8 to 12
  EXPECT_NE(input_error([] { DistrictSizes::for_target(19, 10); }).find("cannot hold 19 units"),
            std::string::npos);
}

TEST(ConnectedSets, AreAllThereAreAndInOrder) {
  RandomStream random(1, Purpose::kTest);
  for (int round = 0; round < 300; ++round) {
    const DistrictGraph graph = draw_district_graph(random, 2 + random.below(9), 0.4 * random.uniform());
    const ConnectedSets sets(graph);
    const std::vector<double> weights(graph.edges(), 0.0);
    const AllDistricts all(graph, weights);
    std::size_t expected = 0;
    for (std::uint32_t mask = 1; mask < 1u << graph.units(); ++mask) {
      const auto size = static_cast<std::size_t>(std::popcount(mask));
      if (size < graph.sizes().lower || size > graph.sizes().upper || !std::isfinite(all.value(mask)))
        continue;
      ++expected;
      std::vector<std::uint32_t> units;
      for (std::uint32_t unit = 0; unit < graph.units(); ++unit) {
        if (mask >> unit & 1) units.push_back(unit);
      }
      const auto found = sets.find(units);
      ASSERT_TRUE(found.has_value());
      EXPECT_TRUE(std::ranges::equal(sets.units(*found), units));
    }
    ASSERT_EQ(sets.size(), expected);
    for (std::size_t k = 1; k < sets.size(); ++k) {
      const auto a = sets.units(k - 1), b = sets.units(k);
      EXPECT_TRUE(
          a.size() < b.size() ||
          (a.size() == b.size() && std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end())));
    }
  }
}

TEST(ConnectedSets, RefuseToBeTooMany) {
  std::vector<UnitPair> pairs;
  for (std::uint32_t b = 1; b < 12; ++b) {
    for (std::uint32_t a = 0; a < b; ++a) pairs.emplace_back(a, b);
  }
  const DistrictGraph graph(12, pairs, {.target = 6, .lower = 4, .upper = 8, .count = 2});
  EXPECT_NE(
      input_error([&] { ConnectedSets(graph, 100); }).find("more than 100 connected sets of 4 to 8 units"),
      std::string::npos);
}

}  // namespace
}  // namespace polystep::solvers
