// How many trivial solves per second go through a solver process: what the protocol itself costs.
//
// The program and its worker share one core, so that the time of both is counted. Each solve takes the lowest
// of ten predictions.
#include <benchmark/benchmark.h>

#include "one_core.hpp"
#include "polystep/random.hpp"
#include "process/worker_pool.hpp"

namespace polystep {
namespace {

constexpr std::size_t kItems = 10;
constexpr std::size_t kInstances = 4096;

void run(benchmark::State& state, std::vector<std::string> command, FrameFormat format) {
  const OnOneCore pinned;
  WorkerPool pool({.words = std::move(command), .directory = {}, .format = format},
                  {.outputs = kItems, .decision_size = kItems}, static_cast<std::size_t>(state.range(0)));
  SolveBatch batch;
  RandomStream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < kInstances; ++i) {
    batch.instances.push_back(i);
    for (std::size_t o = 0; o < kItems; ++o) batch.predictions.push_back(random.normal());
  }
  for (auto _ : state) pool.solve(batch);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kInstances));
}

void SolverProcessBinary(benchmark::State& state) { run(state, {EXAMPLE_SOLVER}, FrameFormat::kBinary); }
void SolverProcessPythonBinary(benchmark::State& state) {
  run(state, {"python3", EXAMPLE_DIRECTORY "/solver_binary.py"}, FrameFormat::kBinary);
}
void SolverProcessPythonJson(benchmark::State& state) {
  run(state, {"python3", EXAMPLE_DIRECTORY "/solver.py"}, FrameFormat::kJson);
}

BENCHMARK(SolverProcessBinary)->Arg(8)->Arg(128)->Arg(1024)->UseRealTime();
BENCHMARK(SolverProcessPythonBinary)->Arg(128)->UseRealTime();
BENCHMARK(SolverProcessPythonJson)->Arg(128)->UseRealTime();

}  // namespace
}  // namespace polystep
