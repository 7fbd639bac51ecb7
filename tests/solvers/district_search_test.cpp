#include "solvers/spanning_tree/district_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>

#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "input_error.hpp"
#include "solvers/district_instances.hpp"
#include "solvers/spanning_tree/district_start.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace polystep::solvers {
namespace {

std::vector<double> distances(const City& city) {
  const auto features = edge_features(city, DistanceUnit::kKilometres);
  std::vector<double> weights;
  for (std::size_t k = kCentreDistance; k < features.size(); k += kEdgeFeatures)
    weights.push_back(features[k]);
  return weights;
}

void expect_districts(const DistrictGraph& graph, const DistrictSearchResult& result,
                      TreeDistrictValue value) {
  ASSERT_EQ(result.district_of.size(), graph.units());
  Districting districts(graph, result.district_of);
  EXPECT_TRUE(result.feasible);
  EXPECT_TRUE(districts.is_feasible());
  double sum = 0;
  for (std::uint32_t district = 0; district < districts.count(); ++district)
    sum += value.value(districts.units(district));
  EXPECT_EQ(result.value, sum);
  EXPECT_LE(result.value, result.first_optimum);
  EXPECT_LE(result.first_optimum, result.start_value);
}

// Trees from scratch, whatever a value could know of exchanges.
class ScratchValue final : public DistrictValue {
 public:
  explicit ScratchValue(const TreeDistrictValue& trees) : trees_(trees) {}
  double value(std::span<const std::uint32_t> units) override { return trees_.value(units); }
  std::unique_ptr<DistrictValue> clone() const override { return std::make_unique<ScratchValue>(*this); }

 private:
  TreeDistrictValue trees_;
};

TEST(TreeDistrictValue, IsTheLightestTreeAndDepotEdge) {
  RandomStream random(1, Purpose::kTest);
  for (int round = 0; round < 300; ++round) {
    const DistrictGraph graph = draw_district_graph(random, 2 + random.below(8), 0.5 * random.uniform());
    const auto weights = draw_edge_weights(random, graph.edges());
    const AllDistricts all(graph, weights);
    TreeDistrictValue value(graph, weights);
    for (std::uint32_t mask = 1; mask < 1u << graph.units(); ++mask) {
      if (!std::isfinite(all.value(mask))) continue;
      std::vector<std::uint32_t> units;
      for (std::uint32_t unit = 0; unit < graph.units(); ++unit) {
        if (mask >> unit & 1) units.push_back(unit);
      }
      ASSERT_NEAR(value.value(units), all.value(mask), 1e-12);
      std::set<std::uint32_t> edges;
      double sum = 0;
      value.for_each_edge(units, [&](std::uint32_t edge) { edges.insert(edge), sum += weights[edge]; });
      EXPECT_EQ(edges.size(), units.size());
      EXPECT_NEAR(sum, all.value(mask), 1e-12);
    }
  }
  const DistrictGraph graph = draw_district_graph(random, 4, 0.5);
  std::vector<double> weights(graph.edges(), 1.0);
  weights[2] = std::nan("");
  EXPECT_NE(input_error([&] { TreeDistrictValue(graph, weights); }).find("edge 2"), std::string::npos);
}

TEST(DistrictStart, RepairsSizesOfBadPartitions) {
  const City city = synthetic_city(150, 3);
  RandomStream random(2, Purpose::kTest);
  int feasible = 0;
  for (int round = 0; round < 60; ++round) {
    const DistrictGraph graph = city_graph(city, round % 2 ? 3 : 10);
    std::vector<double> weights(graph.edges());
    for (double& weight : weights) weight = random.uniform();
    Districting districts = start_districts(graph, weights);
    for (std::uint32_t district = 0; district < districts.count(); ++district) {
      EXPECT_TRUE(districts.is_connected(districts.units(district)));
    }
    feasible += districts.violation() == 0;
    // Pushed out of shape again, it comes back.
    for (int push = 0; push < 40; ++push) {
      const auto unit = static_cast<std::uint32_t>(random.below(graph.units()));
      const auto beside = graph.neighbours(unit)[random.below(graph.neighbours(unit).size())].unit;
      const std::uint32_t own = districts.district(unit), other = districts.district(beside);
      if (own != other && districts.size(own) > 1 && districts.is_connected_without(unit))
        districts.move(unit, other);
    }
    const bool repaired = repair_sizes(districts);
    EXPECT_EQ(repaired, districts.violation() == 0);
    EXPECT_EQ(repaired, districts.is_feasible());
    feasible += repaired;
  }
  EXPECT_GE(feasible, 118) << "of 120";
}

// The budget is what it takes: 400 iterations of one chain find 7 of these 20 optima.
TEST(DistrictSearch, EqualsTheExactOptimumOnSmallCities) {
  double gap = 0;
  int equal = 0;
  for (const City& city : small_synthetic_cities(20, 9)) {
    const DistrictGraph graph = city_graph(city, 3);
    const auto weights = distances(city);
    const TreeSurrogate exact(graph, {.orders = 2, .reinsertions = 0});
    TreeSurrogate::Workspace work(exact);
    std::vector<std::uint32_t> chosen(exact.districts());
    const double best = exact.solve(weights, work, chosen);
    const TreeDistrictValue value(graph, weights);
    const DistrictSearchResult found =
        search_districts(graph, value, weights, {.iterations = 2500, .seed = 1, .chains = 4});
    expect_districts(graph, found, value);
    ASSERT_GE(found.value, best - 1e-9);
    gap += found.value / best - 1;
    equal += found.value <= best + 1e-9;
  }
  EXPECT_GE(equal, 15) << "of 20";
  EXPECT_LT(gap / 20, 0.002);
}

TEST(DistrictSearch, FirstLocalOptimumHasNoImprovingMove) {
  const City city = synthetic_city(90, 4);
  const DistrictGraph graph = city_graph(city, 6);
  const auto weights = distances(city);
  const DistrictSizes& sizes = graph.sizes();
  TreeDistrictValue value(graph, weights);
  const DistrictSearchResult found = search_districts(graph, value, weights, {.iterations = 0, .seed = 3});
  EXPECT_EQ(found.value, found.first_optimum);
  EXPECT_LT(found.value, found.start_value);
  Districting districts(graph, found.district_of);
  const auto worth = [&](std::uint32_t district) { return value.value(districts.units(district)); };
  const auto connected = [&](std::uint32_t district) {
    return districts.is_connected(districts.units(district));
  };
  int looked = 0;
  for (std::uint32_t u = 0; u < graph.units(); ++u) {
    for (std::uint32_t v = 0; v < graph.units(); ++v) {
      const std::uint32_t a = districts.district(u), b = districts.district(v);
      if (a == b || !districts.borders(u, b) || !districts.borders(v, a)) continue;
      const double before = worth(a) + worth(b);
      districts.move(u, b);
      if (districts.size(b) <= sizes.upper && districts.size(a) >= sizes.lower && connected(a) &&
          connected(b)) {
        ++looked;
        EXPECT_GE(worth(a) + worth(b), before - 1e-9);
      }
      districts.move(v, a);
      if (connected(a) && connected(b)) {
        ++looked;
        EXPECT_GE(worth(a) + worth(b), before - 1e-9);
      }
      districts.move(u, a);
      districts.move(v, b);
    }
  }
  EXPECT_GT(looked, 100);
}

TEST(DistrictSearch, RepeatsItselfWhateverIsRememberedAndWhoeverComputes) {
  const City city = synthetic_city(200);
  const DistrictGraph graph = city_graph(city, 12);
  const auto weights = distances(city);
  const TreeDistrictValue value(graph, weights);
  const DistrictSearchOptions options{.iterations = 12, .seed = 7, .chains = 3};
  const DistrictSearchResult first = search_districts(graph, value, weights, options);
  expect_districts(graph, first, value);
  DistrictSearchOptions forgetful = options;
  forgetful.remembered = 2;
  forgetful.parallel = [](std::size_t slots, const std::function<void(std::size_t)>& work) {
    std::vector<std::thread> threads;
    for (std::size_t slot = 0; slot < slots; ++slot) threads.emplace_back([&work, slot] { work(slot); });
    for (std::thread& thread : threads) thread.join();
  };
  const ScratchValue scratch(value);
  const DistrictSearchResult remembered = search_districts(graph, scratch, weights, options);
  EXPECT_EQ(first.district_of, remembered.district_of);
  const DistrictSearchResult second = search_districts(graph, scratch, weights, forgetful);
  EXPECT_EQ(first.district_of, second.district_of);
  EXPECT_EQ(first.value, second.value);
  EXPECT_EQ(first.moves, second.moves);
  EXPECT_GT(second.values, remembered.values);
  DistrictSearchOptions other = options;
  other.seed = 8;
  EXPECT_NE(search_districts(graph, value, weights, other).district_of, first.district_of);
}

TEST(DistrictSearch, MoreIterationsAreNeverWorse) {
  const City city = synthetic_city(300, 2);
  const DistrictGraph graph = city_graph(city, 20);
  const auto weights = distances(city);
  const TreeDistrictValue value(graph, weights);
  double before = std::numeric_limits<double>::infinity();
  for (const std::size_t iterations : {0u, 1u, 4u, 16u}) {
    const DistrictSearchResult found =
        search_districts(graph, value, weights, {.iterations = iterations, .seed = 5});
    expect_districts(graph, found, value);
    EXPECT_EQ(found.iterations, iterations);
    EXPECT_LE(found.value, before);
    before = found.value;
  }
}

TEST(DistrictSearch, CanBeStoppedAtAnyMoment) {
  const City city = synthetic_city(300, 2);
  const DistrictGraph graph = city_graph(city, 20);
  const auto weights = distances(city);
  const TreeDistrictValue value(graph, weights);
  for (const int patience : {0, 1, 10, 100, 1000}) {
    std::atomic<int> asked = 0;
    const DistrictSearchResult found = search_districts(
        graph, value, weights,
        {.iterations = 1'000'000'000, .seed = 5, .chains = 2, .stop = [&] { return asked++ >= patience; }});
    EXPECT_TRUE(found.stopped);
    EXPECT_TRUE(found.feasible);
    EXPECT_LE(found.value, found.start_value);
    EXPECT_TRUE(Districting(graph, found.district_of).is_feasible());
  }
}

// Districts are worth their squared sizes: any value will do.
class SquaredSize : public DistrictValue {
 public:
  double value(std::span<const std::uint32_t> units) override {
    EXPECT_TRUE(std::ranges::is_sorted(units));
    return static_cast<double>(units.size() * units.size());
  }
  std::unique_ptr<DistrictValue> clone() const override { return std::make_unique<SquaredSize>(); }
};

TEST(DistrictSearch, TakesAnyValueOfDistricts) {
  const DistrictGraph graph = city_graph(synthetic_city(120), 12);
  const DistrictSearchResult found =
      search_districts(graph, SquaredSize(), random_start_weights(graph, 3), {.iterations = 20, .seed = 1});
  EXPECT_TRUE(found.feasible);
  EXPECT_EQ(found.value, 10 * 12 * 12);  // all of one size
}

TEST(DistrictSearch, RefusesNumbersThatDoNotFit) {
  const DistrictGraph graph = city_graph(synthetic_city(60), 6);
  std::vector<double> weights(graph.edges(), 1.0);
  EXPECT_NE(input_error([&] {
              search_districts(graph, SquaredSize(), std::span(weights).first(5));
            }).find("5 start weights"),
            std::string::npos);
  EXPECT_NE(
      input_error([&] { search_districts(graph, SquaredSize(), weights, {.chains = 0}); }).find("0 chains"),
      std::string::npos);
  weights[4] = std::nan("");
  EXPECT_NE(input_error([&] { search_districts(graph, SquaredSize(), weights); }).find("start weight nan"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep::solvers
