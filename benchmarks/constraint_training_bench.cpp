// Training with predicted constraints: the published settings for as many requested solves as the published
// runs took on average, against the core-seconds published for them.
#include <benchmark/benchmark.h>

#include <cmath>

#include "polystep/train.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

struct PublishedRun {
  const char* problem;
  std::vector<GivenOption> settings;
  double epochs;        // mean stopping epoch of the published runs; an epoch has 23 steps
  double core_seconds;  // mean time of a run times its solver processes
};

constexpr double kStepsPerEpoch = 23;

void train_as_long_as_published(benchmark::State& state, const PublishedRun& published) {
  static const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = published.problem;
  config.preset = "paper";
  std::vector<GivenOption> given = published.settings;
  const double steps = std::round(published.epochs * kStepsPerEpoch);
  given.push_back({"steps", std::to_string(static_cast<long>(steps)), "benchmark"});
  given.push_back({"checks", std::to_string(std::lround(published.epochs)), "benchmark"});
  given.push_back({"patience", "0", "benchmark"});
  given.push_back({"source", "generated", "benchmark"});
  RunRequest request = resolve_run(problems, config, "benchmark", given);
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
  state.counters["requested_solves"] = static_cast<double>(requested) / runs;
  state.counters["core_seconds"] = core_seconds / runs;
  state.counters["times_fewer_than_published"] = published.core_seconds * runs / core_seconds;
}

void KnapsackCapacityPaperRun(benchmark::State& state) {
  train_as_long_as_published(state, {"knapsack-capacity", {}, 19.2, 52 * 60 * 4});
}
BENCHMARK(KnapsackCapacityPaperRun)->Unit(benchmark::kMillisecond)->Iterations(1);

void KnapsackWeightPaperRun(benchmark::State& state) {
  train_as_long_as_published(state, {"knapsack-weight", {}, 28.8, 6.7 * 3600 * 8});
}
BENCHMARK(KnapsackWeightPaperRun)->Unit(benchmark::kMillisecond)->Iterations(1);

void SetCoverPaperRun(benchmark::State& state) {
  train_as_long_as_published(state, {"set-cover", {{"size", "10x50", "benchmark"}}, 20.7, 2.8 * 3600 * 8});
}
BENCHMARK(SetCoverPaperRun)->Unit(benchmark::kMillisecond)->Iterations(1);

void SmallSetCoverPaperRun(benchmark::State& state) {
  train_as_long_as_published(state, {"set-cover", {{"size", "5x25", "benchmark"}}, 22.5, 62 * 60 * 8});
}
BENCHMARK(SmallSetCoverPaperRun)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace polystep
