// A decision from the pool against one by the solver: a scheduling day of load 1, 2 or 3, generated data.
//
// The pool holds what nine sets of parameters around the least-squares fit decided; both sides decide all
// training days for eight other sets in turn, prediction included, so that the solver does not see the same
// prices twice in a row.
#include <benchmark/benchmark.h>

#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/polystepor/early_steps.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kSpread = 0.05;  // of parameters, relative to the mean prediction

struct Days {
  explicit Days(std::int64_t load) : task(make_task(load)), exact(task, team), rows(task.data.training) {
    std::vector<std::size_t> all(task.data.training.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    fit = *fitted_start(*task.predictor, task.data.training, all);
    unit = prediction_size(*task.predictor, fit, rows);
    for (std::uint64_t k = 0; k < 8; ++k) points.push_back(near_fit(k));
  }
  static Task make_task(std::int64_t load) {
    const ProblemRegistry problems = builtin_problems();
    const ProblemEntry& entry = problems.find("energy-scheduling", "benchmark");
    Options options(entry.options);
    options.set_text("source", "generated", "benchmark");
    options.set_text("load", std::to_string(load), "benchmark");
    return entry.make(options, {});
  }
  std::vector<double> near_fit(std::uint64_t index) const {
    RandomStream stream(1, Purpose::kTest, index);
    std::vector<double> theta = fit;
    for (double& parameter : theta) parameter += kSpread * unit * stream.normal();
    return theta;
  }

  Task task;
  ThreadTeam team{1};
  Evaluator exact;
  TiledRows rows;
  std::vector<double> fit;
  double unit = 1;
  std::vector<std::vector<double>> points;
};

void decide(benchmark::State& state, Evaluator& evaluator, const Days& days) {
  std::size_t point = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        evaluator.evaluate(days.points[point++ % days.points.size()], days.rows).mean_cost);
  state.SetItemsProcessed(static_cast<std::int64_t>(days.rows.rows()) * state.iterations());
}

void DecisionBySolver(benchmark::State& state) {
  Days days(state.range(0));
  decide(state, days.exact, days);
}
BENCHMARK(DecisionBySolver)->DenseRange(1, 3);

void DecisionFromPool(benchmark::State& state) {
  Days days(state.range(0));
  EarlySteps early(days.exact, days.task.data.training, 1);
  SolveCounts counts;
  early.learn_around(days.fit, {.draws = 8, .deviation = kSpread * days.unit, .seed = 2}, counts);
  Evaluator pooled(days.task, days.team, early.pool().problem());
  decide(state, pooled, days);
  state.counters["pool"] = early.pool_size();
}
BENCHMARK(DecisionFromPool)->DenseRange(1, 3);

}  // namespace
}  // namespace polystep
