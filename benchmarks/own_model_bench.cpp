// Solves per second of problems that users bring as model files: the 5 × 5 shortest path as a linear
// programme, by the path that small programmes take and by the general solver.
#include <benchmark/benchmark.h>

#include "own/model_problem.hpp"
#include "own/model_worker.hpp"
#include "polystep/random.hpp"
#include "solvers/general_models.hpp"

namespace polystep {
namespace {

ModelSetup grid_setup(bool whole_numbers) {
  ModelSetup setup;
  setup.model.milp = solvers::grid_path_model(5);
  for (std::size_t c = 0; c < setup.model.milp.columns.size(); ++c) {
    setup.model.milp.columns[c].integer = whole_numbers;
    setup.predicted.slots.push_back({SlotKind::kObjective, c, 0, 1.0, c});
    setup.predicted.columns.push_back(c);
  }
  return setup;
}

void solve_grid(benchmark::State& state, bool whole_numbers) {
  ModelProblem problem(grid_setup(whole_numbers));
  problem.set_usual(std::vector<double>(problem.outputs(), 1.0));
  const auto worker = problem.make_worker();
  std::vector<double> prediction(problem.outputs()), decision(problem.decision_size());
  std::uint64_t number = 0;
  for (auto _ : state) {
    RandomStream stream(number++, Purpose::kTest);
    for (double& cost : prediction) cost = stream.uniform(0.1, 2.0);
    benchmark::DoNotOptimize(worker->decide(prediction, 0, decision));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void OwnModelGridLinear(benchmark::State& state) { solve_grid(state, false); }
void OwnModelGridWhole(benchmark::State& state) { solve_grid(state, true); }  // by CLP and CBC

BENCHMARK(OwnModelGridLinear)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnModelGridWhole)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace polystep
