// Energy-cost-aware schedules per second; the argument is the load. Published loads and prices where they are
// found, the generated ones elsewhere. Prices are those of 550 days, each moved a little before every solve.
#include <benchmark/benchmark.h>

#include <vector>

#include "data/benchmarks/energy_data.hpp"
#include "data/benchmarks/price_generator.hpp"
#include "data/benchmarks/scheduling_load.hpp"
#include "data/data_directory.hpp"
#include "polystep/random.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/scheduling/schedule_search.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

struct Days {
  SchedulingInstance instance;
  std::vector<double> prices;  // [days × slots]

  explicit Days(int load) {
    const std::string directory = find_data_directory("");
    const bool published = !directory.empty();
    instance = published ? published_scheduling_load(directory, load) : generated_scheduling_load(load, 0);
    prices = (published ? published_energy(directory, 0, EnergyTarget::kPrice)
                        : generated_energy(0, 0, EnergyTarget::kPrice))
                 .training.truth;
    RandomStream random(1, Purpose::kTest);
    for (double& price : prices) price += 5 * random.normal();
  }
  std::span<const double> day(std::size_t number) const {
    return std::span(prices).subspan(number * kSlotsPerDay % prices.size(), kSlotsPerDay);
  }
};

// One search for all days: what a training run does.
void ScheduleWarm(benchmark::State& state) {
  const Days days(static_cast<int>(state.range(0)));
  const Scheduling scheduling(days.instance);
  ScheduleSearch search(scheduling);
  std::vector<int> starts(scheduling.tasks());
  std::size_t day = 0;
  for (auto _ : state) benchmark::DoNotOptimize(search.solve(days.day(day++), starts));
  state.SetItemsProcessed(state.iterations());
  state.counters["nodes/solve"] =
      static_cast<double>(search.nodes()) / static_cast<double>(state.iterations());
}
BENCHMARK(ScheduleWarm)->Arg(1)->Arg(2)->Arg(3);

// A new search for every day, its construction included.
void ScheduleCold(benchmark::State& state) {
  const Days days(static_cast<int>(state.range(0)));
  const Scheduling scheduling(days.instance);
  std::vector<int> starts(scheduling.tasks());
  std::size_t day = 0;
  for (auto _ : state) {
    ScheduleSearch search(scheduling);
    benchmark::DoNotOptimize(search.solve(days.day(day++), starts));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ScheduleCold)->Arg(1)->Arg(2)->Arg(3);

// The same problem as a general model: a binary column per task, machine and start.
class GeneralModel {
 public:
  explicit GeneralModel(const SchedulingInstance& instance) : instance_(instance) {
    const std::size_t machines = instance.capacities.size();
    std::vector<std::vector<MilpEntry>> use(machines * kSlotsPerDay);
    for (const SchedulingTask& task : instance.tasks) {
      std::vector<MilpEntry> once;
      for (int start = task.earliest; start + task.duration <= task.latest_end; ++start)
        for (std::size_t machine = 0; machine < machines; ++machine) {
          once.push_back({model_.add_binary(0.0), 1.0});
          for (int slot = start; slot < start + task.duration; ++slot)
            use[machine * kSlotsPerDay + static_cast<std::size_t>(slot)].push_back(
                {once.back().column, static_cast<double>(task.resource)});
        }
      model_.add_row(std::move(once), 1.0, 1.0);
    }
    for (std::size_t row = 0; row < use.size(); ++row)
      if (!use[row].empty())
        model_.add_row(std::move(use[row]), -kUnbounded, instance.capacities[row / kSlotsPerDay]);
  }
  const MilpModel& model() const { return model_; }

  std::vector<double> objective(std::span<const double> prices) const {
    std::vector<double> costs;
    for (const SchedulingTask& task : instance_.tasks)
      for (int start = task.earliest; start + task.duration <= task.latest_end; ++start) {
        double cost = 0;
        for (int slot = start; slot < start + task.duration; ++slot)
          cost += task.power * instance_.slot_hours * prices[static_cast<std::size_t>(slot)];
        costs.insert(costs.end(), instance_.capacities.size(), cost);
      }
    return costs;
  }

 private:
  const SchedulingInstance& instance_;
  MilpModel model_;
};

void ScheduleByGeneralSolver(benchmark::State& state) {
  const Days days(static_cast<int>(state.range(0)));
  const GeneralModel general(days.instance);
  MilpSolver solver(general.model());
  std::size_t day = 0;
  for (auto _ : state) {
    solver.set_objective(general.objective(days.day(day++)));
    benchmark::DoNotOptimize(solver.solve());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ScheduleByGeneralSolver)->Arg(1)->Arg(2)->Arg(3);

}  // namespace
