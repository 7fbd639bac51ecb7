// Alloy production: exact purchases, alone and against the general solver, and what a step of the published
// settings takes on a network of 2.1 million parameters.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>

#include "methods/probes/probe_costs.hpp"
#include "polystep/optimizer.hpp"
#include "polystep/team.hpp"
#include "problems/alloy.hpp"
#include "simd/packed_products.hpp"
#include "solvers/cover/two_row_cover.hpp"
#include "solvers/cover_purchases.hpp"

namespace {

using namespace polystep;
using polystep::testing::Contents;
using polystep::testing::CoverInstance;

std::vector<CoverInstance> draw_purchases(Contents kind, std::size_t count, std::uint64_t number) {
  RandomStream stream(71, Purpose::kTest, number);
  std::vector<CoverInstance> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(polystep::testing::draw_cover(stream, 10, kind));
  return all;
}

// range(0): what predictions look like, see cover_purchases.hpp
void TwoRowCoverExact(benchmark::State& state) {
  const auto purchases = draw_purchases(polystep::testing::kAllContents[state.range(0)], 5000, 1);
  solvers::TwoRowCover cover(10);
  std::vector<double> amounts(10);
  std::uint64_t nodes = 0, solves = 0;
  for (auto _ : state)
    for (const CoverInstance& purchase : purchases) {
      cover.solve(purchase.prices, purchase.contents, polystep::testing::kBrass, amounts);
      nodes += cover.nodes();
      ++solves;
      benchmark::DoNotOptimize(amounts.data());
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(solves));
  state.counters["nodes"] = static_cast<double>(nodes) / static_cast<double>(solves);
}
BENCHMARK(TwoRowCoverExact)->DenseRange(0, 4);

void TwoRowCoverGeneral(benchmark::State& state) {
  const auto purchases = draw_purchases(polystep::testing::kAllContents[state.range(0)], 20, 1);
  for (auto _ : state)
    for (const CoverInstance& purchase : purchases)
      benchmark::DoNotOptimize(polystep::testing::solve_generally(purchase));
  state.SetItemsProcessed(state.iterations() * 20);
}
BENCHMARK(TwoRowCoverGeneral)->DenseRange(0, 4);

// The comparison of the test, at length: 4,000 purchases of each kind against the general solver. Counters
// say how many were compared, how many nobody could serve, and how many costs differed without the general
// solver's tolerance as the reason.
void TwoRowCoverAgainstGeneral(benchmark::State& state) {
  for (auto _ : state) {
    std::size_t compared = 0, unsolvable = 0, undecided = 0, wrong = 0, within_tolerance = 0;
    for (std::size_t kind = 0; kind < std::size(polystep::testing::kAllContents); ++kind) {
      const auto purchases = draw_purchases(polystep::testing::kAllContents[kind],
                                            static_cast<std::size_t>(state.range(0)), 2 + kind);
      solvers::TwoRowCover cover(10);
      std::vector<double> amounts(10);
      for (const CoverInstance& purchase : purchases) {
        const bool solved =
            cover.solve(purchase.prices, purchase.contents, polystep::testing::kBrass, amounts);
        const auto general = polystep::testing::solve_generally(purchase);
        if (general.status == solvers::MilpStatus::kInfeasible) {
          ++unsolvable;
          wrong += solved;
        } else if (general.status == solvers::MilpStatus::kOptimal) {
          ++compared;
          if (!solved)
            ++wrong;
          else if (std::abs(cover.cost() - general.cost) > 1e-6 * general.cost) {
            const bool excused =
                cover.cost() > general.cost && !polystep::testing::truly_enough(purchase, general.amounts);
            excused ? ++within_tolerance : ++wrong;
          }
        } else {
          ++undecided;
        }
      }
    }
    state.counters["compared"] = static_cast<double>(compared);
    state.counters["unsolvable"] = static_cast<double>(unsolvable);
    state.counters["undecided"] = static_cast<double>(undecided);
    state.counters["within_tolerance"] = static_cast<double>(within_tolerance);
    state.counters["wrong"] = static_cast<double>(wrong);
  }
}
BENCHMARK(TwoRowCoverAgainstGeneral)->Arg(4000)->Iterations(1)->Unit(benchmark::kSecond);

Task alloy_task() {
  AlloyStandIn stand_in;
  stand_in.training = 64;
  stand_in.validation = stand_in.test = 1;
  AlloyData data = generated_alloy(stand_in);
  Task task;
  task.problem = std::make_unique<Alloy>(kAlloySuppliers, data.prices, data.penalties, kAlloyRequired);
  task.data = std::move(data.data);
  task.predictor = make_shared_mlp(kAlloyFeatures, {512}, kAlloyContents);
  return task;
}

// One step of the published settings: 128 coordinates, two radii, 32 instances; range(0): threads, range(1):
// coordinates. After six steps, so that five are remembered.
void AlloyPaperStep(benchmark::State& state) {
  const Task task = alloy_task();
  ThreadTeam team(static_cast<std::size_t>(state.range(0)));
  PolyStepOptions options;
  options.probe_radius = Schedule::constant(652.5121 * 0.7067);
  options.radii = 2;
  options.temperature = Schedule::constant(0.7067);
  options.cost_scale = CostScale::kNone;
  options.step_length = Schedule::constant(2.6658);
  PolyStep optimizer(
      make_seen_space(
          task.predictor->initial_parameters(11),
          {.dimension = static_cast<std::size_t>(state.range(1)), .kept_start = 0.5, .horizon = 220},
          {.units = 512, .inputs = kAlloyFeatures}, 0, threads_of(team)),
      options, 0);
  Evaluator evaluator(task, team);
  ProbeEvaluator probes(evaluator, true);
  ProbeCosts costs;
  TiledRows rows;
  std::uint64_t candidates = 0;
  const auto step = [&](std::size_t number) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < 32; ++i) chosen.push_back((i * 2 + number) % 64);
    rows.gather(task.data.training, chosen);
    probes.evaluate(optimizer.ask(), optimizer.parameters(), rows, costs);
    candidates += costs.costs.size();
    optimizer.tell(costs.costs);
  };
  std::size_t number = 0;
  for (; number < 6; ++number) step(number);
  candidates = 0;
  for (auto _ : state) step(number++);
  state.SetItemsProcessed(static_cast<std::int64_t>(candidates));
}
BENCHMARK(AlloyPaperStep)
    ->Args({1, 32})
    ->Args({1, 64})
    ->Args({1, 128})
    ->Args({2, 128})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// The large products of a step, packed: rows × inputs × columns, and whether the rows are a lower triangle.
// The last stays in the innermost cache: the peak to compare the others with.
void AlloyLargeProduct(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0)),
             inputs = static_cast<std::size_t>(state.range(1));
  const auto columns = static_cast<std::size_t>(state.range(2));
  const bool triangle = state.range(3) != 0;
  PackedRows packed;
  packed.pack(
      rows, inputs, [](std::size_t, std::size_t) { return 0.5f; }, triangle);
  const std::size_t panels = panels_for(columns);
  AlignedFloats all(panels * kPanelColumns * inputs, 0.25f), sums(rows * panels * kPanelColumns);
  for (auto _ : state) {
    for (std::size_t panel = 0; panel < panels; ++panel)
      multiply_packed(packed, all.data() + panel * kPanelColumns * inputs, kPanelColumns,
                      sums.data() + panel * kPanelColumns, panels * kPanelColumns);
    benchmark::DoNotOptimize(sums.data());
  }
  const double terms = static_cast<double>(rows * inputs * columns) * (triangle ? 1 : 2);
  state.counters["GFLOP"] =
      benchmark::Counter(1e-9 * terms * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(AlloyLargeProduct)
    ->Args({640, 640, 512, 1})   // what the rows see of a fresh column
    ->Args({512, 4096, 640, 0})  // what they see of a remembered one, and of the network itself
    ->Args({512, 640, 4096, 0})  // a step, or a gradient, back to the weights
    ->Args({640, 128, 64, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
