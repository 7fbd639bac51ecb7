// How the schedule search fares in whole training runs with the paper's settings: the share of solves that
// end without a search, the share that proves a schedule of an earlier solve best, and nodes per solve.
//
// Arguments: load, seed. Published data where they are found, generated ones elsewhere. One thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "data/benchmarks/scheduling_load.hpp"
#include "data/data_directory.hpp"
#include "polystep/train.hpp"
#include "problems/energy_scheduling.hpp"
#include "runtime/run/run_request.hpp"
#include "solvers/scheduling/schedule_search.hpp"

namespace polystep {
namespace {

using solvers::ScheduleSearch;
using solvers::Scheduling;

struct SearchRecord {
  std::vector<std::uint64_t> nodes;  // of each solve
  std::uint64_t packed = 0;
  std::uint64_t recalled = 0;
  std::uint64_t failed = 0;
};

// Energy scheduling whose solves leave a record; for one thread.
class RecordedScheduling final : public Problem {
 public:
  RecordedScheduling(solvers::SchedulingInstance instance, SearchRecord& record)
      : Problem(static_cast<std::size_t>(instance.slots), static_cast<std::size_t>(instance.slots)),
        plain_(instance),
        scheduling_(std::move(instance)),
        record_(record) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return plain_.decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return plain_.cost(decision, truth, instance);
  }
  ProblemFacts facts() const override { return plain_.facts(); }
  std::unique_ptr<TileSolver> make_tile_solver() const override {
    return std::make_unique<Solver>(scheduling_, record_);
  }

 private:
  class Solver final : public TileSolver {
   public:
    Solver(const Scheduling& scheduling, SearchRecord& record)
        : scheduling_(scheduling), search_(scheduling), record_(record) {}
    ~Solver() override {
      record_.packed += search_.packed();
      record_.recalled += search_.recalled();
    }
    void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
      outcome.failed = 0;
      std::vector<double> prices(scheduling_.slots()), profile(scheduling_.slots());
      std::vector<int> starts(scheduling_.tasks());
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        for (std::size_t slot = 0; slot < prices.size(); ++slot)
          prices[slot] = prediction[slot * kLanes + lane];
        const std::uint64_t before = search_.nodes();
        const bool solved = search_.solve(prices, starts) == SolveStatus::kSolved;
        record_.nodes.push_back(search_.nodes() - before);
        record_.failed += solved ? 0 : 1;
        if (!solved) outcome.failed |= 1u << lane;
        if (solved) scheduling_.profile(starts, profile);
        for (std::size_t slot = 0; slot < prices.size(); ++slot)
          prices[slot] = tile.truth[slot * kLanes + lane];
        outcome.cost[lane] = solved ? solvers::energy_cost(profile, prices) : 0;
        outcome.signature[lane] = 0;
      }
    }

   private:
    const Scheduling& scheduling_;
    ScheduleSearch search_;
    SearchRecord& record_;
  };

  EnergyScheduling plain_;
  Scheduling scheduling_;
  SearchRecord& record_;
};

void SchedulingPaperRun(benchmark::State& state) {
  static const ProblemRegistry problems = builtin_problems();
  const int load = static_cast<int>(state.range(0));
  const std::string directory = find_data_directory("");
  RunConfig config;
  config.problem = "energy-scheduling";
  config.preset = "paper";
  config.seed = static_cast<std::uint64_t>(state.range(1));
  RunRequest request = resolve_run(problems, config, "benchmark",
                                   {{"load", std::to_string(load), "benchmark"},
                                    {"source", directory.empty() ? "generated" : "published", "benchmark"}});
  Task task = make_task(request);
  SearchRecord record;
  task.problem = std::make_unique<RecordedScheduling>(
      directory.empty() ? generated_scheduling_load(load, 0) : published_scheduling_load(directory, load),
      record);
  TrainingSettings settings;
  settings.seed = static_cast<std::uint64_t>(state.range(1));
  for (auto _ : state)
    state.counters["regret"] = train(task, *request.method, request.method_options, settings).test_regret;

  std::sort(record.nodes.begin(), record.nodes.end());
  const auto solves = static_cast<double>(record.nodes.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(record.nodes.size()));
  state.counters["solves"] = solves;
  state.counters["packed"] = static_cast<double>(record.packed) / solves;
  state.counters["recalled"] = static_cast<double>(record.recalled) / solves;
  state.counters["median_nodes"] = static_cast<double>(record.nodes[record.nodes.size() / 2]);
  state.counters["nodes_99%"] = static_cast<double>(record.nodes[record.nodes.size() * 99 / 100]);
  state.counters["most_nodes"] = static_cast<double>(record.nodes.back());
  state.counters["failed"] = static_cast<double>(record.failed);
}
BENCHMARK(SchedulingPaperRun)
    ->ArgNames({"load", "seed"})
    ->ArgsProduct({{1, 2, 3}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace polystep
