// Knapsacks per second on the benchmark's shape: 48 items, sixteen each of weights 3, 5 and 7; the argument
// is the capacity. Sixteen tiles are solved in turn, with new values for four items before every solve.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "simd/move_rows.hpp"
#include "solvers/knapsack/knapsack.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kItems = 48;
constexpr std::size_t kTiles = 16;

struct alignas(64) ValueTile {
  double predicted[kItems * kLanes];  // [items × kLanes]
  double truth[kItems * kLanes];      // [items × kLanes]
};

std::vector<int> benchmark_weights() {
  std::vector<int> weights;
  for (std::size_t item = 0; item < kItems; ++item)
    weights.push_back(static_cast<int>(3 + 2 * (item * 7 % 3)));
  return weights;
}

std::vector<ValueTile> draw_tiles() {
  RandomStream random(1, Purpose::kTest);
  std::vector<ValueTile> tiles(kTiles);
  for (ValueTile& tile : tiles) {
    for (double& value : tile.predicted) value = random.uniform(100.0, 500.0);
    for (double& value : tile.truth) value = random.uniform(100.0, 500.0);
  }
  return tiles;
}

template <class Solve>
void run_tiles(benchmark::State& state, InstructionSet set, const Solve& solve) {
  auto tiles = draw_tiles();
  const MoveRows move_rows = move_rows_variant(set);
  alignas(64) std::array<double, 4 * kLanes> change;
  change.fill(7.0);
  std::uint64_t turn = 0;
  for (auto _ : state) {
    for (ValueTile& tile : tiles) {
      const auto first = static_cast<std::uint32_t>(4 * (turn % 12));
      const std::array<std::uint32_t, 4> rows{first, first + 1, first + 2, first + 3};
      move_rows(tile.predicted, rows, change.data(), turn / 12 % 2 == 0 ? 1.0 : -1.0, tile.predicted);
      solve(tile);
    }
    ++turn;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kLanes));
}

// The scalar paths read the same numbers as eight instances one after the other.
template <class Solve>
void run_scalar(benchmark::State& state, const Solve& solve) {
  std::array<double, kItems> take;
  run_tiles(state, InstructionSet::kBaseline, [&](const ValueTile& tile) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      benchmark::DoNotOptimize(solve(std::span(tile.predicted).subspan(lane * kItems, kItems), take));
    }
  });
}

void KnapsackDynamicProgramme(benchmark::State& state) {
  const Knapsack knapsack(benchmark_weights(), state.range(0));
  run_scalar(state, [&](std::span<const double> values, std::span<double> take) {
    return knapsack.solve(values, take);
  });
}
BENCHMARK(KnapsackDynamicProgramme)->Arg(60)->Arg(120)->Arg(180);

void KnapsackClassesScalar(benchmark::State& state) {
  const Knapsack knapsack(benchmark_weights(), state.range(0));
  run_scalar(state, [&](std::span<const double> values, std::span<double> take) {
    return knapsack.solve_by_classes(values, take);
  });
}
BENCHMARK(KnapsackClassesScalar)->Arg(60)->Arg(120)->Arg(180);

void run_tile_solver(benchmark::State& state, InstructionSet set) {
  if (!is_supported(set)) return state.SkipWithError("this processor has no AVX-512");
  const Knapsack knapsack(benchmark_weights(), state.range(0), set);
  TileOutcome outcome;
  run_tiles(state, set, [&](const ValueTile& tile) {
    knapsack.solve_tile(tile.predicted, tile.truth, outcome.cost.data(), outcome.signature.data());
    benchmark::DoNotOptimize(outcome);
  });
}

void KnapsackTileBaseline(benchmark::State& state) { run_tile_solver(state, InstructionSet::kBaseline); }
BENCHMARK(KnapsackTileBaseline)->Arg(60)->Arg(120)->Arg(180);

void KnapsackTileAvx512(benchmark::State& state) { run_tile_solver(state, InstructionSet::kAvx512); }
BENCHMARK(KnapsackTileAvx512)->Arg(60)->Arg(120)->Arg(180);

void KnapsackGaps(benchmark::State& state) {
  const Knapsack knapsack(benchmark_weights(), state.range(0));
  double gap[kLanes];
  run_tiles(state, best_instruction_set(), [&](const ValueTile& tile) {
    benchmark::DoNotOptimize(knapsack.gap_tile(tile.predicted, gap));
    benchmark::DoNotOptimize(gap);
  });
}
BENCHMARK(KnapsackGaps)->Arg(60)->Arg(120)->Arg(180);

}  // namespace
