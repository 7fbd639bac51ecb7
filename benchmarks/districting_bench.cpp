// Districting solvers: the exact surrogate in lanes, one weight vector at a time and by the general backend,
// on the same generated 30-unit cities; and moves per second of the local search.
//
// Random weights as in training from scratch. One thread; rates are solves per second of processor time.
// Where the published cities are at hand, PublishedSurrogatesAgree solves all 200 of them by the backend as
// well and counts disagreements: --benchmark_filter=Published.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/spanning_tree/district_search.hpp"
#include "solvers/spanning_tree/set_partition_model.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kCities = 20;

struct Bench {
  std::vector<TreeSurrogate> surrogates;
  std::vector<AlignedDoubles> tiles;            // [cities][edges × kLanes]
  std::vector<std::vector<double>> first_lane;  // [cities][edges]

  Bench() {
    for (const City& city : small_synthetic_cities(kCities, 1)) surrogates.emplace_back(city_graph(city, 3));
    for (std::size_t k = 0; k < kCities; ++k) {
      RandomStream random(1, Purpose::kTest, k);
      const std::size_t edges = surrogates[k].graph().edges();
      tiles.emplace_back(edges * kLanes);
      for (double& weight : tiles[k]) weight = random.normal();
      first_lane.emplace_back(edges);
      for (std::size_t edge = 0; edge < edges; ++edge) first_lane[k][edge] = tiles[k][edge * kLanes];
    }
  }
};

const Bench& bench() {
  static const Bench one;
  return one;
}

void SurrogateLanes(benchmark::State& state) {
  const Bench& all = bench();
  std::vector<TreeSurrogate::Workspace> work;
  for (const TreeSurrogate& surrogate : all.surrogates) work.emplace_back(surrogate);
  std::vector<std::uint32_t> chosen(kLanes * 10);
  double objective[kLanes];
  std::size_t arcs = 0;
  for (const TreeSurrogate& surrogate : all.surrogates) arcs += surrogate.program()->arcs();
  for (auto _ : state) {
    for (std::size_t k = 0; k < kCities; ++k) {
      all.surrogates[k].solve_tile(all.tiles[k].data(), work[k], objective, chosen.data());
      benchmark::DoNotOptimize(objective);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kCities * kLanes));
  state.counters["arcs"] = static_cast<double>(arcs / kCities);
}
BENCHMARK(SurrogateLanes);

void SurrogateScalar(benchmark::State& state) {
  const Bench& all = bench();
  std::vector<TreeSurrogate::Workspace> work;
  for (const TreeSurrogate& surrogate : all.surrogates) work.emplace_back(surrogate);
  std::vector<std::uint32_t> chosen(10);
  for (auto _ : state) {
    for (std::size_t k = 0; k < kCities; ++k) {
      benchmark::DoNotOptimize(all.surrogates[k].solve(all.first_lane[k], work[k], chosen));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kCities));
}
BENCHMARK(SurrogateScalar);

void SurrogateGeneral(benchmark::State& state) {
  const Bench& all = bench();
  std::vector<MilpSolver> general;
  for (const TreeSurrogate& surrogate : all.surrogates) {
    general.emplace_back(set_partition_model(surrogate.graph(), surrogate.sets()));
  }
  for (auto _ : state) {
    for (std::size_t k = 0; k < kCities; ++k) {
      std::vector<double> values(all.surrogates[k].sets().size());
      all.surrogates[k].values().fill(all.first_lane[k], values);
      general[k].set_objective(values);
      if (general[k].solve().status != MilpStatus::kOptimal)
        return state.SkipWithError("a solve found no optimum");
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kCities));
}
BENCHMARK(SurrogateGeneral)->Unit(benchmark::kMillisecond);

void SurrogateBuild(benchmark::State& state) {
  const auto cities = small_synthetic_cities(kCities, 1);
  std::size_t turn = 0;
  for (auto _ : state) {
    TreeSurrogate surrogate(city_graph(cities[turn++ % kCities], 3));
    benchmark::DoNotOptimize(surrogate.program());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(SurrogateBuild)->Unit(benchmark::kMillisecond);

// Arguments: units, target.
void DistrictSearch(benchmark::State& state) {
  const City city = synthetic_city(static_cast<std::size_t>(state.range(0)));
  const DistrictGraph graph = city_graph(city, static_cast<std::size_t>(state.range(1)));
  const auto features = edge_features(city, DistanceUnit::kKilometres);
  std::vector<double> weights;
  for (std::size_t k = kCentreDistance; k < features.size(); k += kEdgeFeatures)
    weights.push_back(features[k]);
  const TreeDistrictValue value(graph, weights);
  std::uint64_t moves = 0, values = 0, iterations = 0;
  double improvement = 0;
  for (auto _ : state) {
    const DistrictSearchResult found = search_districts(
        graph, value, weights, {.iterations = 20, .seed = static_cast<std::uint64_t>(state.iterations())});
    moves += found.moves, values += found.values, iterations += found.iterations;
    improvement = 1 - found.value / found.first_optimum;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(moves));
  state.counters["values"] = benchmark::Counter(static_cast<double>(values), benchmark::Counter::kIsRate);
  state.counters["iterations"] =
      benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kIsRate);
  state.counters["gain_%"] = 100 * improvement;
}
BENCHMARK(DistrictSearch)
    ->ArgNames({"units", "target"})
    ->Args({120, 3})
    ->Args({120, 12})
    ->Args({120, 30})
    ->Args({2000, 20})
    ->Unit(benchmark::kMillisecond);

void PublishedSurrogatesAgree(benchmark::State& state) {
  const std::string directory = find_data_directory("");
  if (!holds_districting_data(directory)) return state.SkipWithError("needs data, see docs/data.md");
  double disagreements = 0, arcs = 0, most_arcs = 0;
  for (auto _ : state) {
    const auto cities = published_small_cities(directory, CityPolygons::kNone);
    for (std::size_t k = 0; k < cities.size(); ++k) {
      const TreeSurrogate surrogate(city_graph(cities[k], 3));
      arcs += static_cast<double>(surrogate.program()->arcs()) / static_cast<double>(cities.size());
      most_arcs = std::max(most_arcs, static_cast<double>(surrogate.program()->arcs()));
      TreeSurrogate::Workspace work(surrogate);
      RandomStream random(1, Purpose::kTest, k);
      std::vector<double> weights(surrogate.graph().edges()), values(surrogate.sets().size());
      for (double& weight : weights) weight = random.normal();
      surrogate.values().fill(weights, values);
      MilpSolver general(set_partition_model(surrogate.graph(), surrogate.sets()));
      general.set_objective(values);
      std::vector<std::uint32_t> chosen(surrogate.districts());
      disagreements += std::abs(surrogate.solve(weights, work, chosen) - general.solve().objective) > 1e-7;
    }
  }
  state.counters["disagreements"] = disagreements;
  state.counters["arcs"] = arcs;
  state.counters["most_arcs"] = most_arcs;
}
BENCHMARK(PublishedSurrogatesAgree)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
