// Each exact solver beside a general one, on the same instances: the MILP backend, and for the portfolio's
// quadratic limit the log-barrier method of the tests. Scheduling has its pair in scheduling_bench.cpp.
//
// Instances have the benchmark's shapes, and every solve a new objective (weights, where these are
// predicted), as in training. One thread; rates are solves per second of processor time.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "data/benchmarks/constraint_data.hpp"
#include "data/benchmarks/cora_data.hpp"
#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/general_models.hpp"
#include "solvers/grid/grid_path.hpp"
#include "solvers/knapsack/knapsack.hpp"
#include "solvers/knapsack/multi_knapsack.hpp"
#include "solvers/matching/diverse_matching.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/portfolio/portfolio.hpp"
#include "solvers/portfolio_instances.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kInstances = 64;

// The same objectives one after the other and in tiles.
struct Objectives {
  std::vector<std::vector<double>> rows;  // [kInstances][coefficients]
  AlignedDoubles tiles;                   // [kInstances / kLanes × coefficients × kLanes]

  explicit Objectives(std::vector<std::vector<double>> drawn) : rows(std::move(drawn)) {
    const std::size_t size = rows.front().size();
    tiles.resize(kInstances * size);
    for (std::size_t row = 0; row < kInstances; ++row)
      for (std::size_t k = 0; k < size; ++k)
        tiles[row / kLanes * size * kLanes + k * kLanes + row % kLanes] = rows[row][k];
  }
  const double* tile(std::size_t number) const { return &tiles[number * rows.front().size() * kLanes]; }
};

Objectives draw_uniform(std::size_t size, double low, double high) {
  RandomStream random(1, Purpose::kTest);
  std::vector<std::vector<double>> rows(kInstances, std::vector<double>(size));
  for (auto& row : rows)
    for (double& value : row) value = random.uniform(low, high);
  return Objectives(std::move(rows));
}

// solve_tile(objectives, outcome) decides eight instances by the objectives they are also judged by.
template <class SolveTile>
void run_tiles(benchmark::State& state, const Objectives& objectives, const SolveTile& solve_tile) {
  TileOutcome outcome;
  for (auto _ : state) {
    for (std::size_t number = 0; number < kInstances / kLanes; ++number) {
      solve_tile(objectives.tile(number), outcome);
      benchmark::DoNotOptimize(outcome);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kInstances));
}

void run_general(benchmark::State& state, const Objectives& objectives, MilpModel model) {
  MilpSolver solver(std::move(model));
  std::size_t turn = 0;
  for (auto _ : state) {
    solver.set_objective(objectives.rows[turn++ % kInstances]);
    const MilpResult result = solver.solve();
    if (result.status != MilpStatus::kOptimal) return state.SkipWithError("a solve found no optimum");
    benchmark::DoNotOptimize(result.objective);
  }
  state.SetItemsProcessed(state.iterations());
}

void GridPathExact(benchmark::State& state) {
  const GridPath grid(5);
  run_tiles(state, draw_uniform(grid.edges(), 1.0, 9.0), [&](const double* costs, TileOutcome& outcome) {
    grid.solve_tile(costs, costs, outcome.cost.data(), outcome.signature.data());
  });
}
BENCHMARK(GridPathExact);

void GridPathGeneral(benchmark::State& state) {
  run_general(state, draw_uniform(40, 1.0, 9.0), grid_path_model(5));
}
BENCHMARK(GridPathGeneral);

// 48 items, sixteen each of weights 3, 5 and 7.
std::vector<int> benchmark_weights() {
  std::vector<int> weights;
  for (int item = 0; item < 48; ++item) weights.push_back(3 + 2 * (item * 7 % 3));
  return weights;
}

void KnapsackExact(benchmark::State& state) {
  const Knapsack knapsack(benchmark_weights(), state.range(0));
  run_tiles(state, draw_uniform(48, 100.0, 500.0), [&](const double* values, TileOutcome& outcome) {
    knapsack.solve_tile(values, values, outcome.cost.data(), outcome.signature.data());
  });
}
BENCHMARK(KnapsackExact)->Arg(60)->Arg(120)->Arg(180);

void KnapsackGeneral(benchmark::State& state) {
  run_general(state, draw_uniform(48, 100.0, 500.0),
              knapsack_model(benchmark_weights(), static_cast<double>(state.range(0))));
}
BENCHMARK(KnapsackGeneral)->Arg(60)->Arg(120)->Arg(180);

// 20 items in 3 resources; the weights of generated instances.
void MultiKnapsackExact(benchmark::State& state) {
  const MultiKnapsackData data = generated_multi_knapsack_weights(0, {});
  solvers::MultiKnapsack knapsack(kMultiKnapsackItems, kMultiKnapsackResources);
  std::size_t turn = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        knapsack.solve(data.values, data.data.training.truth_row(turn++ % kInstances), data.capacities));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(MultiKnapsackExact);

void MultiKnapsackGeneral(benchmark::State& state) {
  const MultiKnapsackData data = generated_multi_knapsack_weights(0, {});
  MilpModel model{.sense = solvers::Sense::kMaximise};
  for (const double value : data.values) model.add_binary(value);
  for (const double capacity : data.capacities) {
    std::vector<MilpEntry> row;
    for (std::size_t j = 0; j < kMultiKnapsackItems; ++j) row.push_back({j, 1.0});
    model.add_row(row, -kUnbounded, capacity);
  }
  MilpSolver solver(std::move(model));
  std::size_t turn = 0;
  for (auto _ : state) {
    const auto weights = data.data.training.truth_row(turn++ % kInstances);
    for (std::size_t k = 0; k < weights.size(); ++k)
      solver.set_coefficient(k / kMultiKnapsackItems, k % kMultiKnapsackItems, weights[k]);
    const MilpResult result = solver.solve();
    if (result.status != MilpStatus::kOptimal) return state.SkipWithError("a solve found no optimum");
    benchmark::DoNotOptimize(result.objective);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(MultiKnapsackGeneral);

// 50 assets, returns of mixed signs, and the published limit of 2.25 times the risk of equal parts.
struct Portfolios {
  PortfolioInstance market;
  Objectives returns;

  Portfolios() : market(draw_market()), returns(draw_rows()) {}

 private:
  static PortfolioInstance draw_market() {
    RandomStream random(2, Purpose::kTest);
    return draw_portfolio(random, 50, Returns::kMixed, 2.25, 1.0);
  }
  static Objectives draw_rows() {
    RandomStream random(3, Purpose::kTest);
    std::vector<std::vector<double>> rows;
    for (std::size_t row = 0; row < kInstances; ++row)
      rows.push_back(draw_returns(random, Returns::kMixed, 50));
    return Objectives(std::move(rows));
  }
};

void PortfolioExact(benchmark::State& state) {
  const Portfolios all;
  const Portfolio solver(all.market.loadings, 50, all.market.specific_variance, all.market.risk_limit);
  run_tiles(state, all.returns, [&](const double* returns, TileOutcome& outcome) {
    outcome.failed = solver.solve_tile(returns, returns, outcome.cost.data(), outcome.signature.data());
  });
}
BENCHMARK(PortfolioExact);

void PortfolioGeneral(benchmark::State& state) {
  Portfolios all;
  std::size_t turn = 0;
  for (auto _ : state) {
    all.market.values = all.returns.rows[turn++ % kInstances];
    benchmark::DoNotOptimize(Barrier(all.market).best_value());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(PortfolioGeneral);

// One instance of the stand-in citation data, 50 × 50 pairs, type 2; weights as an untrained network gives
// them.
struct Matchings {
  CoraData data = generate_cora(0);
  Objectives weights = draw_uniform(kCoraPairs, 0.0, 1.0);
  static constexpr double kShare = 0.25;

  DiverseMatching exact() const {
    return DiverseMatching(kCoraSide, kCoraSide, data.same_label(0), kShare, kShare);
  }
  MilpSolver general() const {
    return MilpSolver(diverse_matching_model(kCoraSide, kCoraSide, data.same_label(0), kShare, kShare));
  }
};

template <class Solve>
void run_matchings(benchmark::State& state, const Objectives& weights, const Solve& solve) {
  std::size_t turn = 0;
  for (auto _ : state) solve(weights.rows[turn++ % kInstances]);
  state.SetItemsProcessed(state.iterations());
}

void WholeMatchingExact(benchmark::State& state) {
  const Matchings all;
  const DiverseMatching matching = all.exact();
  DiverseMatching::Workspace workspace(matching);
  std::vector<int> partner(kCoraSide);
  run_matchings(state, all.weights, [&](const std::vector<double>& weights) {
    benchmark::DoNotOptimize(matching.solve(weights, workspace, partner));
  });
}
BENCHMARK(WholeMatchingExact);

void WholeMatchingGeneral(benchmark::State& state) {
  const Matchings all;
  MilpSolver solver = all.general();
  run_matchings(state, all.weights, [&](const std::vector<double>& weights) {
    solver.set_objective(weights);
    benchmark::DoNotOptimize(solver.solve().objective);
  });
}
BENCHMARK(WholeMatchingGeneral);

void RelaxedMatchingExact(benchmark::State& state) {
  const Matchings all;
  const DiverseMatching matching = all.exact();
  DiverseMatching::Workspace workspace(matching);
  std::vector<double> choice(kCoraPairs);
  run_matchings(state, all.weights, [&](const std::vector<double>& weights) {
    benchmark::DoNotOptimize(matching.solve_relaxation(weights, workspace, choice));
  });
}
BENCHMARK(RelaxedMatchingExact);

void RelaxedMatchingGeneral(benchmark::State& state) {
  const Matchings all;
  MilpSolver solver = all.general();
  run_matchings(state, all.weights, [&](const std::vector<double>& weights) {
    solver.set_objective(weights);
    benchmark::DoNotOptimize(solver.solve_relaxation().objective);
  });
}
BENCHMARK(RelaxedMatchingGeneral);

}  // namespace
