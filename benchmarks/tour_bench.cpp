// Depot tours: time and length by the number of perturbations, and what it takes to price a city's districts.
//
// Published instances and cities where they are found, generated ones elsewhere; gaps are to the best tours
// known and only there. Times are processor time of one thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/cities/city_files.hpp"
#include "data/data_directory.hpp"
#include "data/square_city.hpp"
#include "polystep/random.hpp"
#include "problems/districting/routing_costs.hpp"
#include "solvers/golden_tours.hpp"
#include "solvers/tour/tour_solver.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

std::vector<testing::GoldenTour> instances() {
  auto tours = testing::golden_tours(find_data_directory(""));
  if (!tours.empty()) return tours;
  RandomStream random(1, Purpose::kTest);
  tours.resize(36);
  for (auto& tour : tours) {
    tour.points.resize(100);
    for (TourPoint& point : tour.points)
      point = {static_cast<std::int32_t>(random.below(5000)), static_cast<std::int32_t>(random.below(5000))};
  }
  return tours;
}

// The argument is the number of perturbations.
void Tour(benchmark::State& state) {
  const auto tours = instances();
  const auto perturbations = static_cast<std::size_t>(state.range(0));
  TourSolver solver;
  std::size_t next = 0;
  for (auto _ : state) {
    const auto& tour = tours[next++ % tours.size()];
    benchmark::DoNotOptimize(solver.solve(tour.points, perturbations, 1));
  }
  double excess = 0, points = 0;
  for (const auto& tour : tours) {
    points += static_cast<double>(tour.points.size());
    if (tour.best_known == 0) continue;
    const auto length = static_cast<double>(solver.solve(tour.points, perturbations, tour.scenario));
    excess += 100 * (length / static_cast<double>(tour.best_known) - 1);
  }
  state.counters["points"] = points / static_cast<double>(tours.size());
  if (tours.front().best_known > 0) state.counters["gap_%"] = excess / static_cast<double>(tours.size());
}
BENCHMARK(Tour)->Arg(0)->Arg(20)->Arg(100)->Arg(300)->Arg(1000)->Unit(benchmark::kMillisecond);

void HeldKarpTour(benchmark::State& state) {
  const auto tours = instances();
  const auto count = static_cast<std::size_t>(state.range(0));
  HeldKarp exact;
  std::vector<std::uint32_t> order(count);
  std::size_t next = 0;
  for (auto _ : state) {
    const std::span<const TourPoint> points = tours[next++ % tours.size()].points;
    benchmark::DoNotOptimize(exact.solve(points.first(count), order));
  }
}
BENCHMARK(HeldKarpTour)->Arg(7)->Arg(10)->Arg(13)->Unit(benchmark::kMicrosecond);

City city_of_120() {
  const std::string directory = find_data_directory("");
  if (testing::golden_tours(directory).empty()) return testing::square_city(12, 10, 8000);
  return published_city(directory, "London").first(120);
}

// Connected districts near the target size: a breadth-first walk from the lowest unit left, cut when full.
std::vector<District> walked_districts(const City& city, std::size_t target) {
  std::vector<std::vector<std::uint32_t>> near(city.units.size());
  for (const auto& [a, b] : city.adjacent) {
    near[a].push_back(b);
    near[b].push_back(a);
  }
  std::vector<District> districts;
  std::vector<bool> taken(city.units.size());
  for (std::uint32_t start = 0; start < city.units.size(); ++start) {
    if (taken[start]) continue;
    District district = {start};
    taken[start] = true;
    for (std::size_t i = 0; i < district.size() && district.size() < target; ++i) {
      for (const std::uint32_t unit : near[district[i]]) {
        if (taken[unit] || district.size() == target) continue;
        taken[unit] = true;
        district.push_back(unit);
      }
    }
    districts.push_back(district);
  }
  return districts;
}

// 120 units in districts of the argument's size, 100 scenarios: demand drawn, tours driven, nothing
// remembered.
void PriceDistricts(benchmark::State& state) {
  const City city = city_of_120();
  const auto target = static_cast<std::size_t>(state.range(0));
  const std::vector<District> districts = walked_districts(city, target);
  ThreadTeam team(1);
  for (auto _ : state) {
    NumberMemory memory;
    RoutingCosts routing(city,
                         {.demand = {.seed = 3, .scenarios = 100, .probability = demand_probability(target)},
                          .perturbations = static_cast<std::size_t>(state.range(1))},
                         memory);
    benchmark::DoNotOptimize(routing.costs(districts, team));
    state.counters["tours"] = static_cast<double>(routing.tours_solved());
  }
}
BENCHMARK(PriceDistricts)
    ->ArgsProduct({{3, 6, 12, 20, 30}, {100}})
    ->Args({12, 300})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

void DrawDemand(benchmark::State& state) {
  const City city = city_of_120();
  for (auto _ : state) {
    const Demand demand(city, {.seed = 3, .scenarios = 100, .probability = demand_probability(12)});
    benchmark::DoNotOptimize(demand.customers(0, 0).data());
  }
}
BENCHMARK(DrawDemand)->Unit(benchmark::kMillisecond);

}  // namespace
