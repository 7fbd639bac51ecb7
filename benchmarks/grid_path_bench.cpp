// Grid shortest paths per second, on the 5 × 5 grid and with the access pattern of training.
//
// Training keeps the true costs of all tiles and solves each tile many times, with a few predicted costs
// changed in between. Here: 16 tiles, 16 solves of each in a row, three of its 40 edges changed before every
// solve.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "simd/move_rows.hpp"
#include "solvers/grid/grid_layout.hpp"
#include "solvers/grid/grid_path.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr int kSide = 5;
constexpr std::size_t kEdges = 40;
constexpr std::size_t kTiles = 16;
constexpr std::size_t kProbes = 16;

struct alignas(64) CostTile {
  double predicted[kEdges * kLanes];  // [edges × kLanes]
  double truth[kEdges * kLanes];      // [edges × kLanes]
};

std::vector<CostTile> draw_tiles() {
  RandomStream random(1, Purpose::kTest);
  std::vector<CostTile> tiles(kTiles);
  for (CostTile& tile : tiles) {
    for (double& cost : tile.predicted) cost = random.uniform(1.0, 10.0);
    for (double& cost : tile.truth) cost = random.uniform(1.0, 10.0);
  }
  return tiles;
}

// Changes three rows of edges by ± the same amount, so that the costs stay where they are over many probes.
class Probes {
 public:
  explicit Probes(InstructionSet set) : move_rows_(move_rows_variant(set)) { change_.fill(0.25); }

  void apply(std::size_t probe, CostTile& tile) const {
    const auto first = static_cast<std::uint32_t>(5 * (probe / 2) % (kEdges - 2));
    const std::array<std::uint32_t, 3> rows{first, first + 1, first + 2};
    move_rows_(tile.predicted, rows, change_.data(), probe % 2 == 0 ? 1.0 : -1.0, tile.predicted);
  }

 private:
  MoveRows move_rows_;
  alignas(64) std::array<double, 3 * kLanes> change_;  // [edges changed × kLanes]
};

template <class Solve>
void run_tiles(benchmark::State& state, InstructionSet set, const Solve& solve) {
  auto tiles = draw_tiles();
  const Probes probes(set);
  for (auto _ : state) {
    for (CostTile& tile : tiles) {
      for (std::size_t probe = 0; probe < kProbes; ++probe) {
        probes.apply(probe, tile);
        solve(tile);
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kProbes * kLanes));
}

void run_tile_solver(benchmark::State& state, InstructionSet set) {
  const GridPath grid(kSide, set);
  TileOutcome outcome;
  run_tiles(state, set, [&](const CostTile& tile) {
    grid.solve_tile(tile.predicted, tile.truth, outcome.cost.data(), outcome.signature.data());
    benchmark::DoNotOptimize(outcome);
  });
}

// Instances one after the other, [lanes × edges] instead of [edges × lanes], as the scalar solvers want them.
template <class Solve>
void run_scalar(benchmark::State& state, const Solve& solve) {
  auto tiles = draw_tiles();
  const Probes probes(InstructionSet::kBaseline);
  for (auto _ : state) {
    for (CostTile& tile : tiles) {
      for (std::size_t probe = 0; probe < kProbes; ++probe) {
        probes.apply(probe, tile);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          solve(std::span(tile.predicted).subspan(lane * kEdges, kEdges),
                std::span(tile.truth).subspan(lane * kEdges, kEdges));
        }
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kProbes * kLanes));
}

void GridScalarPlain(benchmark::State& state) {
  const GridPath grid(kSide);
  std::array<double, kEdges> path;
  run_scalar(state, [&](std::span<const double> predicted, std::span<const double> truth) {
    grid.solve(predicted, path);
    double realised = 0.0;
    for (std::size_t edge = 0; edge < kEdges; ++edge) realised += path[edge] * truth[edge];
    benchmark::DoNotOptimize(realised);
  });
}
BENCHMARK(GridScalarPlain);

// The tile kernel's method for one instance: the realised cost is carried along, nothing is traced back.
double solve_carrying(std::span<const double> predicted, std::span<const double> truth) {
  double value[kSide] = {};
  double cost[kSide] = {};
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const int right = edge_right(kSide, row, column - 1);
      const int down = edge_down(kSide, row - 1, column);
      if (row == 0 && column == 0) continue;
      const bool from_above =
          column == 0 || (row > 0 && value[column] + predicted[down] < value[column - 1] + predicted[right]);
      value[column] = from_above ? value[column] + predicted[down] : value[column - 1] + predicted[right];
      cost[column] = from_above ? cost[column] + truth[down] : cost[column - 1] + truth[right];
    }
  }
  return cost[kSide - 1];
}

void GridScalarCarried(benchmark::State& state) {
  run_scalar(state, [&](std::span<const double> predicted, std::span<const double> truth) {
    benchmark::DoNotOptimize(solve_carrying(predicted, truth));
  });
}
BENCHMARK(GridScalarCarried);

void GridTileBaseline(benchmark::State& state) { run_tile_solver(state, InstructionSet::kBaseline); }
BENCHMARK(GridTileBaseline);

void GridMargins(benchmark::State& state) {
  const GridPath grid(kSide);
  alignas(64) std::array<double, kEdges * kLanes> margin;
  run_tiles(state, best_instruction_set(), [&](const CostTile& tile) {
    benchmark::DoNotOptimize(grid.margins_tile(tile.predicted, margin.data()));
    benchmark::DoNotOptimize(margin);
  });
}
BENCHMARK(GridMargins);

#if POLYSTEP_HAS_AVX512_VARIANT

// Arithmetic instructions of one tile solve, as compiled: 80 additions (two per edge), a comparison at each
// of the 16 inner nodes, a minimum at each but the last, and 19 to merge and mark the steps. Loads and moves
// between registers come on top; they do not compete for the arithmetic ports.
constexpr double kOperationsPerTile = 80 + 16 + 15 + 19;

// The same mix of instructions on registers alone, with enough independent chains to hide every latency.
// Assembly, because a compiler would see through it. One call does kNodes nodes of 4 additions, a minimum, a
// comparison and a merge each.
constexpr std::int64_t kNodes = 2000;

POLYSTEP_AVX512 __attribute__((noinline)) void run_register_kernel(double* lanes) {
  EightLanes::Real x = load<EightLanes>(lanes);
  EightLanes::Real a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, low = x, other_low = x, bits = x;
  for (std::int64_t node = 0; node < kNodes; node += 2) {
    asm volatile(
        "vaddpd %[x], %[a], %[a]\n\tvaddpd %[x], %[b], %[b]\n\t"
        "vaddpd %[x], %[c], %[c]\n\tvaddpd %[x], %[d], %[d]\n\t"
        "vminpd %[x], %[low], %[low]\n\tvcmppd $1, %[x], %[x], %%k1\n\tvporq %[x], %[x], %[bits]%{%%k1%}\n\t"
        "vaddpd %[x], %[e], %[e]\n\tvaddpd %[x], %[f], %[f]\n\t"
        "vaddpd %[x], %[g], %[g]\n\tvaddpd %[x], %[h], %[h]\n\t"
        "vminpd %[x], %[other_low], %[other_low]\n\tvcmppd $1, %[x], %[x], %%k2\n\tvporq %[x], %[x], "
        "%[bits]%{%%k2%}"
        : [a] "+v"(a), [b] "+v"(b), [c] "+v"(c), [d] "+v"(d), [e] "+v"(e), [f] "+v"(f), [g] "+v"(g),
          [h] "+v"(h), [low] "+v"(low), [other_low] "+v"(other_low), [bits] "+v"(bits)
        : [x] "v"(x)
        : "k1", "k2");
  }
  store(lanes, a + b + c + d + e + f + g + h + low + other_low + bits);
}

constexpr double kOperationsPerKernel = 7.0 * kNodes;

// Solves per second that the arithmetic alone would allow.
void GridTileRoof(benchmark::State& state) {
  if (!is_supported(InstructionSet::kAvx512)) return state.SkipWithError("this processor has no AVX-512");
  alignas(64) double lanes[kLanes] = {};
  for (auto _ : state) run_register_kernel(lanes);
  const double solves =
      static_cast<double>(state.iterations()) * kOperationsPerKernel / kOperationsPerTile * kLanes;
  state.SetItemsProcessed(static_cast<std::int64_t>(solves));
}
BENCHMARK(GridTileRoof);

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// share_of_roof: this run's rate over the rate of the register kernel, which is timed right before and after
// it.
void GridTileAvx512(benchmark::State& state) {
  if (!is_supported(InstructionSet::kAvx512)) return state.SkipWithError("this processor has no AVX-512");
  alignas(64) double lanes[kLanes] = {};
  double roof_seconds = seconds_of([&] { run_register_kernel(lanes); });
  for (int repeat = 0; repeat < 50; ++repeat) {
    roof_seconds = std::min(roof_seconds, seconds_of([&] { run_register_kernel(lanes); }));
  }
  run_tile_solver(state, InstructionSet::kAvx512);
  const double roof = kOperationsPerKernel / kOperationsPerTile * kLanes / roof_seconds;  // solves per second
  state.counters["share_of_roof"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kTiles * kProbes * kLanes) / roof,
                         benchmark::Counter::kIsRate);
}
BENCHMARK(GridTileAvx512);

#endif

}  // namespace
