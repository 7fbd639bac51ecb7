// Assignments and diverse matchings per second on the benchmark's shape, 50 × 50 pairs.
//
// Labels are those of the stand-in data. The weights are sigmoid outputs as in training: untrained ones
// of standard normal outputs, trained ones of outputs that know something of citations and labels.
// Every solve changes all weights a little, as probes do. Arguments: type 1 to 3, trained 0 or 1, warm 0
// or 1.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "data/benchmarks/cora_data.hpp"
#include "polystep/random.hpp"
#include "solvers/matching/assignment.hpp"
#include "solvers/matching/diverse_matching.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kInstances = 17;
constexpr std::size_t kProbes = 8;
constexpr double kShares[] = {0.1, 0.25, 0.5};

// Weights of some probes of one instance. [kProbes][kCoraPairs]
std::vector<std::vector<double>> draw_probes(const CoraData& data, std::size_t instance, bool trained) {
  RandomStream random(1, Purpose::kTest, instance);
  const auto truth = data.weights(instance);
  const auto same = data.same_label(instance);
  std::vector<double> output(kCoraPairs);
  for (std::size_t pair = 0; pair < kCoraPairs; ++pair) {
    output[pair] = trained ? -2.0 + 3.0 * truth[pair] + same[pair] + 0.7 * random.normal() : random.normal();
  }
  std::vector<std::vector<double>> probes(kProbes, std::vector<double>(kCoraPairs));
  for (auto& weights : probes) {
    for (std::size_t pair = 0; pair < kCoraPairs; ++pair) {
      weights[pair] = static_cast<float>(1.0 / (1.0 + std::exp(-output[pair] - 0.05 * random.normal())));
    }
  }
  return probes;
}

void PlainAssignment(benchmark::State& state) {
  const bool warm = state.range(0) != 0;
  const CoraData data = generate_cora(0);
  const auto probes = draw_probes(data, 0, false);
  std::vector<std::vector<Units>> tables;
  for (const auto& weights : probes) {
    tables.emplace_back();
    for (const double weight : weights) tables.back().push_back(static_cast<Units>(std::ldexp(weight, 40)));
  }
  Assignment assignment(kCoraSide, kCoraSide);
  std::vector<int> partner(kCoraSide);
  std::size_t turn = 0;
  for (auto _ : state) {
    if (!warm) assignment.forget();
    benchmark::DoNotOptimize(assignment.solve(tables[turn++ % kProbes], partner));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(PlainAssignment)->ArgName("warm")->Arg(0)->Arg(1);

template <class Solve>
void run_matchings(benchmark::State& state, const Solve& solve) {
  const double share = kShares[state.range(0) - 1];
  const bool trained = state.range(1) != 0, warm = state.range(2) != 0;
  const CoraData data = generate_cora(0);
  std::vector<DiverseMatching> matchings;
  std::vector<std::vector<std::vector<double>>> probes;
  for (std::size_t k = 0; k < kInstances; ++k) {
    matchings.emplace_back(kCoraSide, kCoraSide, data.same_label(k), share, share);
    probes.push_back(draw_probes(data, k, trained));
  }
  std::vector<DiverseMatching::Workspace> workspaces;
  for (const DiverseMatching& matching : matchings) workspaces.emplace_back(matching);
  std::size_t probe = 0;
  std::uint64_t nodes = 0;
  for (auto _ : state) {
    for (std::size_t k = 0; k < kInstances; ++k) {
      if (!warm) workspaces[k].forget();
      solve(matchings[k], probes[k][probe % kProbes], workspaces[k]);
      nodes += workspaces[k].nodes();
    }
    ++probe;
  }
  const auto solves = static_cast<std::int64_t>(state.iterations() * kInstances);
  state.SetItemsProcessed(solves);
  state.counters["nodes"] = static_cast<double>(nodes) / static_cast<double>(solves);
}

void every_case(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"type", "trained", "warm"})->ArgsProduct({{1, 2, 3}, {0, 1}, {0, 1}});
}

void WholeMatching(benchmark::State& state) {
  std::vector<int> partner(kCoraSide);
  run_matchings(state, [&](const DiverseMatching& matching, const std::vector<double>& weights,
                           DiverseMatching::Workspace& workspace) {
    benchmark::DoNotOptimize(matching.solve(weights, workspace, partner));
  });
}
BENCHMARK(WholeMatching)->Apply(every_case);

void RelaxedMatching(benchmark::State& state) {
  std::vector<double> choice(kCoraPairs);
  run_matchings(state, [&](const DiverseMatching& matching, const std::vector<double>& weights,
                           DiverseMatching::Workspace& workspace) {
    benchmark::DoNotOptimize(matching.solve_relaxation(weights, workspace, choice));
  });
}
BENCHMARK(RelaxedMatching)->Apply(every_case);

}  // namespace
