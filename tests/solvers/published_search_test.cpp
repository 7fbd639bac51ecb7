// The published search: its bookkeeping, its counted seconds, and where it starts.
#include "solvers/spanning_tree/published_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "input_error.hpp"
#include "solvers/spanning_tree/district_start.hpp"
#include "solvers/spanning_tree/districting.hpp"
#include "solvers/spanning_tree/published_start.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"

namespace polystep::solvers {
namespace {

// Moves alone take time.
constexpr PublishedPace kMovesAlone = {.move = 1, .value = 1e-12};

struct Trees {
  explicit Trees(std::size_t units, std::size_t target, std::uint64_t seed = 4)
      : city(synthetic_city(units, seed)), graph(city_graph(city, target)) {
    const auto features = edge_features(city, DistanceUnit::kKilometres);
    for (std::size_t k = kCentreDistance; k < features.size(); k += kEdgeFeatures)
      weights.push_back(features[k]);
    value = std::make_unique<TreeDistrictValue>(graph, weights);
  }

  City city;
  DistrictGraph graph;
  std::vector<double> weights;
  std::unique_ptr<TreeDistrictValue> value;
};

// Of four units in a row, two and two: both relocations are allowed and gain nothing, and the swap would tear
// both districts apart.
class SizesSquared final : public DistrictValue {
 public:
  double value(std::span<const std::uint32_t> units) override {
    return static_cast<double>(units.size() * units.size());
  }
  std::unique_ptr<DistrictValue> clone() const override { return std::make_unique<SizesSquared>(); }
};

TEST(PublishedSearch, ValuesRejectedMovesBothWaysAndTornDistrictsNotAtAll) {
  const std::vector<UnitPair> row = {{0, 1}, {1, 2}, {2, 3}};
  const DistrictGraph graph(4, row, {.target = 2, .lower = 1, .upper = 3, .count = 2});
  std::vector<double> weights(graph.edges(), 1.0);
  for (std::size_t edge = 0; edge < graph.edges(); ++edge)
    if (!graph.is_depot_edge(edge) && graph.edge_ends()[edge].unit == 1) weights[edge] = 5;
  const DistrictSearchResult found =
      search_as_published(graph, SizesSquared(), weights, {.limit = 2.5, .pace = kMovesAlone});
  EXPECT_EQ(found.moves, 3u);
  EXPECT_EQ(found.values, 8u);
  EXPECT_EQ(found.value, 8);
  EXPECT_EQ(found.iterations, 0u);
}

TEST(PublishedSearch, ForgetsTheFirstLocalOptimum) {
  const Trees trees(90, 6);
  // Districts as they were at the start come back, however far the first local search had come.
  for (const double moves : {0.0, 50.0, 400.0}) {
    const DistrictSearchResult found =
        search_as_published(trees.graph, *trees.value, {}, {.limit = moves, .pace = kMovesAlone});
    EXPECT_EQ(found.value, found.start_value) << moves;
    EXPECT_EQ(found.iterations, 0u);
    if (moves > 0) {
      EXPECT_LT(found.first_optimum, found.start_value) << moves;
    }
  }
  const DistrictSearchResult later =
      search_as_published(trees.graph, *trees.value, {}, {.limit = 100'000, .pace = kMovesAlone});
  EXPECT_GT(later.iterations, 3u);
  EXPECT_LT(later.value, later.start_value);
  EXPECT_LT(later.value, later.first_optimum);
  EXPECT_TRUE(Districting(trees.graph, later.district_of).is_feasible());
}

TEST(PublishedSearch, EndsByCountedSecondsAlone) {
  const Trees trees(90, 12);
  const PublishedPace pace = {.move = 0.002, .value = 0.01};
  const DistrictSearchResult found =
      search_as_published(trees.graph, *trees.value, {}, {.limit = 100, .pace = pace, .seed = 2});
  const double seconds =
      static_cast<double>(found.moves) * pace.move + static_cast<double>(found.values) * pace.value;
  EXPECT_GT(seconds, 100);
  EXPECT_LT(seconds, 103);
  const DistrictSearchResult slower = search_as_published(
      trees.graph, *trees.value, {},
      {.limit = 200, .pace = {.move = 2 * pace.move, .value = 2 * pace.value}, .seed = 2, .remembered = 2});
  EXPECT_EQ(slower.district_of, found.district_of);
  EXPECT_EQ(slower.moves, found.moves);
  EXPECT_EQ(slower.values, found.values);
  const DistrictSearchResult other =
      search_as_published(trees.graph, *trees.value, {}, {.limit = 100, .pace = pace, .seed = 3});
  EXPECT_NE(other.district_of, found.district_of);
}

// What a set was worth before is not computed again, and takes its time all the same.
TEST(PublishedSearch, RemembersValuesWithoutCountingLess) {
  class Counted final : public DistrictValue {
   public:
    Counted(TreeDistrictValue& trees, std::size_t& computed) : trees_(trees), computed_(computed) {}
    double value(std::span<const std::uint32_t> units) override {
      ++computed_;
      return trees_.value(units);
    }
    std::unique_ptr<DistrictValue> clone() const override { return std::make_unique<Counted>(*this); }

   private:
    TreeDistrictValue& trees_;
    std::size_t& computed_;
  };
  const Trees trees(60, 6);
  std::size_t computed = 0;
  const DistrictSearchResult found = search_as_published(trees.graph, Counted(*trees.value, computed),
                                                         trees.weights, {.limit = 5000, .pace = kMovesAlone});
  const DistrictSearchResult same =
      search_as_published(trees.graph, *trees.value, trees.weights, {.limit = 5000, .pace = kMovesAlone});
  EXPECT_EQ(found.district_of, same.district_of);
  EXPECT_EQ(found.values, same.values);
  EXPECT_LT(computed, found.values / 2);
}

TEST(PublishedSearch, CanBeStopped) {
  const Trees trees(120, 12);
  for (const int patience : {0, 10, 1000}) {
    int asked = 0;
    const DistrictSearchResult found =
        search_as_published(trees.graph, *trees.value, trees.weights,
                            {.limit = 1e9, .stop = [&] { return asked++ >= patience; }});
    EXPECT_TRUE(found.stopped);
    EXPECT_TRUE(found.feasible);
    EXPECT_LE(asked, patience + 1);
  }
}

TEST(PublishedSearch, RefusesNumbersThatDoNotFit) {
  const Trees trees(60, 6);
  const auto sentence = [&](std::span<const double> weights, const PublishedSearchOptions& options) {
    return input_error([&] { search_as_published(trees.graph, *trees.value, weights, options); });
  };
  EXPECT_NE(sentence(std::span(trees.weights).first(5), {}).find("5 start weights"), std::string::npos);
  EXPECT_NE(sentence(trees.weights, {.limit = -1}).find("limit of -1"), std::string::npos);
  EXPECT_NE(sentence(trees.weights, {.pace = {.move = 0}}).find("above 0"), std::string::npos);
}

// Two groups of three; the larger limits force nothing, the repair hands on one unit at a time.
TEST(PublishedStart, HandsUnitsOnUntilSizesFit) {
  // A star of a row: 0-1-2-3-4 with 5, 6, 7 beside unit 4. Light edges join 4, 5 and 6, target 4.
  const std::vector<UnitPair> touching = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {4, 6}, {4, 7}};
  const DistrictGraph graph(8, touching, {.target = 4, .lower = 3, .upper = 5, .count = 2});
  std::vector<double> weights(graph.edges(), 9.0);
  for (std::size_t edge = 0; edge < graph.edges(); ++edge) {
    if (graph.is_depot_edge(edge)) continue;
    if (graph.edge_ends()[edge].unit == 4) weights[edge] = 1;
    if (graph.edge_ends()[edge].unit == 3) weights[edge] = 2;  // joins too many
    if (graph.edge_ends()[edge].unit == 0) weights[edge] = 3;
    if (graph.edge_ends()[edge].unit == 1) weights[edge] = 4;
  }
  const Districting start = published_districts(graph, weights);
  EXPECT_EQ(std::vector(start.district_of().begin(), start.district_of().end()),
            (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(PublishedStart, IsConnectedAndFitsLessOftenThanOurs) {
  const City city = synthetic_city(150, 3);
  int theirs = 0, ours = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const DistrictGraph graph = city_graph(city, seed % 2 ? 3 : 10);
    const std::vector<double> weights = random_start_weights(graph, seed);
    Districting start = published_districts(graph, weights);
    ASSERT_EQ(start.count(), graph.sizes().count);
    for (std::uint32_t district = 0; district < start.count(); ++district)
      ASSERT_TRUE(start.is_connected(start.units(district)));
    theirs += start.violation() == 0;
    ours += start_districts(graph, weights).violation() == 0;
  }
  EXPECT_GE(theirs, 6);
  EXPECT_LT(theirs, ours);
}

}  // namespace
}  // namespace polystep::solvers
