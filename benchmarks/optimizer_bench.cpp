// What the optimizer itself costs per step, evaluations excluded.
#include <benchmark/benchmark.h>

#include <vector>

#include "optimizer/dense_columns.hpp"
#include "optimizer/rotation.hpp"
#include "polystep/optimizer.hpp"

namespace {

using namespace polystep;

// Cheap stand-in costs that differ from probe to probe and step to step.
void fill_costs(std::size_t step, std::vector<double>& costs) {
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = static_cast<double>((i * 37 + step * 11) % 101);
}

// The shortest-path setting: 240 coordinates in 30 blocks of 8, 480 probes.
void AskTell(benchmark::State& state, WeightRule rule) {
  PolyStepOptions options;
  options.weight_rule = rule;
  PolyStep optimizer(make_full_space(std::vector<double>(240, 0.0)), options, 1);
  std::vector<double> costs(optimizer.ask().size());
  for (auto _ : state) {
    optimizer.ask();
    fill_costs(optimizer.step(), costs);
    optimizer.tell(costs);
  }
}
BENCHMARK_CAPTURE(AskTell, softmax, WeightRule::kSoftmax)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(AskTell, sinkhorn, WeightRule::kSinkhorn)->Unit(benchmark::kMicrosecond);

void Rotation(benchmark::State& state) {
  const auto q = static_cast<std::size_t>(state.range(0));
  std::vector<double> rotation(q * q);
  std::vector<double> reflector;
  std::uint64_t block = 0;
  for (auto _ : state) {
    RandomStream random(1, Purpose::kRotation, 0, block++);
    draw_rotation(random, q, rotation, reflector);
    benchmark::DoNotOptimize(rotation.data());
  }
}
BENCHMARK(Rotation)->Arg(2)->Arg(8)->Arg(32)->Arg(512);

// All directions of one step as a trainer asks for them: 8 of each antipodal block.
void Directions(benchmark::State& state) {
  PolyStep optimizer(make_full_space(std::vector<double>(240, 0.0)), PolyStepOptions{}, 1);
  const Probes& probes = optimizer.ask();
  Direction direction;
  for (auto _ : state)
    for (std::size_t block = 0; block < probes.blocks(); ++block)
      for (std::size_t vertex = 0; vertex < probes.vertices(block) / 2; ++vertex) {
        probes.direction(block, vertex, direction);
        benchmark::DoNotOptimize(direction.value().data());
      }
}
BENCHMARK(Directions)->Unit(benchmark::kMicrosecond);

// Orthonormal columns for a tall layer; time grows with rows times columns squared.
void Orthonormalize(benchmark::State& state) {
  DenseColumns columns(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  for (auto _ : state) {
    columns.draw_gaussian(1, 0);
    columns.orthonormalize();
  }
}
BENCHMARK(Orthonormalize)->Args({250, 220})->Args({20000, 300})->Unit(benchmark::kMillisecond);

}  // namespace
