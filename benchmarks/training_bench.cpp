// Whole training runs: the published settings on one thread, and how a larger batch scales to two.
#include <benchmark/benchmark.h>

#include "polystep/train.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

RunRequest paper_request(const std::string& problem, const std::vector<GivenOption>& options) {
  static const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = problem;
  config.preset = "paper";
  std::vector<GivenOption> given = options;
  given.push_back({"source", "generated", "benchmark"});
  return resolve_run(problems, config, "benchmark", given);
}

// `published_core_seconds` is what the paper reports for the same number of solves: hours times processes.
void train_to_the_end(benchmark::State& state, RunRequest request, double published_core_seconds) {
  const Task task = make_task(request);
  double core_seconds = 0;
  std::uint64_t requested = 0;
  for (auto _ : state) {
    const TrainingResult result = train(task, *request.method, request.method_options);
    core_seconds += result.train_core_seconds;
    requested += result.training_solves.requested;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(requested));
  state.counters["core_seconds"] = core_seconds / runs;
  state.counters["times_fewer_than_published"] = published_core_seconds * runs / core_seconds;
}

void ShortestPathPaperRun(benchmark::State& state) {
  train_to_the_end(state, paper_request("shortest-path", {{"patience", "0", "benchmark"}}), 0.35 * 3600 * 8);
}
BENCHMARK(ShortestPathPaperRun)->Unit(benchmark::kMillisecond)->MinTime(1);

void KnapsackPaperRun(benchmark::State& state) {
  train_to_the_end(state, paper_request("knapsack", {{"patience", "0", "benchmark"}}), 0.06 * 3600);
}
BENCHMARK(KnapsackPaperRun)->Unit(benchmark::kMillisecond)->MinTime(1);

void PortfolioPaperRun(benchmark::State& state) {
  train_to_the_end(state, paper_request("portfolio", {{"patience", "0", "benchmark"}}), 2.04 * 3600);
}
BENCHMARK(PortfolioPaperRun)->Unit(benchmark::kMillisecond)->MinTime(1);

void EnergyPaperRun(benchmark::State& state) {
  train_to_the_end(state, paper_request("energy-scheduling", {{"patience", "0", "benchmark"}}),
                   1.46 * 3600 * 32);
}
BENCHMARK(EnergyPaperRun)->Unit(benchmark::kMillisecond)->MinTime(1);

// Larger grids and batches, as they come up in practice, have enough work for two threads.
void ShortestPathThreads(benchmark::State& state) {
  RunRequest request = paper_request("shortest-path", {{"grid", "9", "benchmark"},
                                                       {"batch", "1000", "benchmark"},
                                                       {"steps", "10", "benchmark"},
                                                       {"patience", "0", "benchmark"}});
  const Task task = make_task(request);
  TrainingSettings settings;
  settings.threads = static_cast<std::size_t>(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(train(task, *request.method, request.method_options, settings));
}
BENCHMARK(ShortestPathThreads)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1)
    ->Repetitions(7);

}  // namespace
}  // namespace polystep
