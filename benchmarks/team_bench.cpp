// What it costs to hand a batch of work to the threads, and how a batch of real work scales.

#include <benchmark/benchmark.h>

#include <vector>

#include "polystep/team.hpp"

namespace polystep {
namespace {

constexpr std::size_t kItems = 64;
constexpr std::size_t kStride = 8;  // one cache line per item

void run_batches(benchmark::State& state, int operations) {
  ThreadTeam team(static_cast<std::size_t>(state.range(0)));
  std::vector<double> slots(kItems * kStride, 1.0);
  const auto work = [&](std::size_t item, std::size_t) {
    double value = slots[item * kStride];
    for (int i = 0; i < operations; ++i) value = value * 1.0000001 + 1e-9;
    slots[item * kStride] = value;
  };
  for (auto _ : state) team.for_each(kItems, work);
  benchmark::DoNotOptimize(slots.data());
}

void TeamEmptyBatch(benchmark::State& state) { run_batches(state, 0); }
void TeamBusyBatch(benchmark::State& state) { run_batches(state, 5000); }

BENCHMARK(TeamEmptyBatch)->Arg(1)->Arg(2)->Arg(4)->Arg(16)->UseRealTime();
BENCHMARK(TeamBusyBatch)->Arg(1)->Arg(2)->Arg(4)->Arg(16)->UseRealTime();

}  // namespace
}  // namespace polystep
