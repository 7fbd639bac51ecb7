// The general solver's solves per second, to hold against the exact solvers of the same problems
// (grid_path_bench, knapsack_bench): every solve has a new objective and starts from scratch, as in training.
#include <benchmark/benchmark.h>

#include <vector>

#include "polystep/random.hpp"
#include "solvers/milp.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kObjectives = 64;

// 48 items, sixteen each of weights 3, 5 and 7.
MilpModel knapsack(double capacity) {
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<MilpEntry> weights;
  for (std::size_t item = 0; item < 48; ++item) {
    weights.push_back({model.add_binary(0.0), static_cast<double>(3 + 2 * (item * 7 % 3))});
  }
  model.add_row(weights, -kUnbounded, capacity);
  return model;
}

// One unit of flow from the top left to the bottom right node; edges lead right and down.
MilpModel grid_path(std::size_t side) {
  MilpModel model;
  std::vector<MilpRow> nodes(side * side, {.lower = 0.0, .upper = 0.0});
  const auto add_edge = [&](std::size_t from, std::size_t to) {
    const std::size_t edge = model.add_column(0.0, kUnbounded, 0.0);
    nodes[from].entries.push_back({edge, 1.0});
    nodes[to].entries.push_back({edge, -1.0});
  };
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const std::size_t node = row * side + column;
      if (column + 1 < side) add_edge(node, node + 1);
      if (row + 1 < side) add_edge(node, node + side);
    }
  }
  nodes.front().lower = nodes.front().upper = 1.0;
  nodes.back().lower = nodes.back().upper = -1.0;
  model.rows = nodes;
  return model;
}

std::vector<std::vector<double>> draw_objectives(std::size_t columns) {
  RandomStream random(1, Purpose::kTest);
  std::vector<std::vector<double>> objectives(kObjectives, std::vector<double>(columns));
  for (auto& objective : objectives) {
    for (double& value : objective) value = random.uniform(1.0, 9.0);
  }
  return objectives;
}

void run(benchmark::State& state, MilpModel model) {
  const auto objectives = draw_objectives(model.columns.size());
  MilpSolver solver(std::move(model));
  std::size_t turn = 0;
  for (auto _ : state) {
    solver.set_objective(objectives[turn++ % kObjectives]);
    const MilpResult result = solver.solve();
    if (result.status != MilpStatus::kOptimal) return state.SkipWithError("a solve found no optimum");
    benchmark::DoNotOptimize(result.objective);
  }
  state.SetItemsProcessed(state.iterations());
}

void MilpKnapsack(benchmark::State& state) { run(state, knapsack(static_cast<double>(state.range(0)))); }
BENCHMARK(MilpKnapsack)->Arg(60)->Arg(120)->Arg(180);

void MilpGridPath(benchmark::State& state) {
  run(state, grid_path(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(MilpGridPath)->Arg(5)->Arg(10);

}  // namespace
