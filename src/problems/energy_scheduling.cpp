#include "problems/energy_scheduling.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/decision_hash.hpp"
#include "data/benchmarks/energy_data.hpp"
#include "data/benchmarks/price_generator.hpp"
#include "data/benchmarks/scheduling_load.hpp"
#include "problems/data_source.hpp"
#include "solvers/scheduling/schedule_search.hpp"

namespace polystep {
namespace {

using solvers::ScheduleSearch;
using solvers::Scheduling;

// Lane by lane, with one search that remembers what it learned. It knows no margins: a slot's price acts on
// as many energies as there are sets of tasks, so one number per slot would hardly ever prove anything.
class SchedulingTileSolver final : public TileSolver {
 public:
  explicit SchedulingTileSolver(const Scheduling& scheduling)
      : scheduling_(scheduling),
        search_(scheduling),
        starts_(scheduling.tasks()),
        prices_(scheduling.slots()),
        profile_(scheduling.slots()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      outcome.cost[lane] = 0;
      outcome.signature[lane] = 0;
      if (!solve_lane(tile, prediction, lane, outcome)) outcome.failed |= 1u << lane;
    }
  }

 private:
  bool solve_lane(const Tile& tile, const double* prediction, std::size_t lane, TileOutcome& outcome) {
    copy_lane(prediction, lane);
    if (search_.solve(prices_, starts_) != SolveStatus::kSolved) return false;
    scheduling_.profile(starts_, profile_);
    copy_lane(tile.truth, lane);
    const double cost = solvers::energy_cost(profile_, prices_);
    if (!std::isfinite(cost)) return false;
    outcome.cost[lane] = cost;
    outcome.signature[lane] = hash_decision(profile_);
    return true;
  }
  void copy_lane(const double* rows, std::size_t lane) {
    for (std::size_t slot = 0; slot < prices_.size(); ++slot) prices_[slot] = rows[slot * kLanes + lane];
  }

  const Scheduling& scheduling_;
  ScheduleSearch search_;
  std::vector<int> starts_;      // [tasks]
  std::vector<double> prices_;   // [slots], of one lane
  std::vector<double> profile_;  // [slots]
};

Task make_energy_scheduling(const Options& options, const TaskContext& context) {
  const auto load = static_cast<int>(options.integer("load"));
  Task task;
  task.setting = fmt::format("load={}", load);
  solvers::SchedulingInstance instance;
  if (wants_published("energy-scheduling", options, context)) {
    task.data = published_energy(context.data_directory, context.seed, EnergyTarget::kPrice);
    instance = published_scheduling_load(context.data_directory, load);
  } else {
    task.data = generated_energy(data_seed(options), context.seed, EnergyTarget::kPrice);
    instance = generated_scheduling_load(load, data_seed(options));
    task.setting += fmt::format(" data-seed={}", data_seed(options));
  }
  task.problem = std::make_unique<EnergyScheduling>(std::move(instance));
  task.predictor = make_shared_linear(task.data.feature_names.size(), task.problem->outputs());
  return task;
}

}  // namespace

EnergyScheduling::EnergyScheduling(solvers::SchedulingInstance instance)
    : Problem(static_cast<std::size_t>(instance.slots), static_cast<std::size_t>(instance.slots)),
      scheduling_(std::move(instance)) {}

// A search of its own for every call: nothing is shared between threads, and nothing remembered.
SolveStatus EnergyScheduling::decide(std::span<const double> prediction, std::size_t,
                                     std::span<double> decision) const {
  std::vector<int> starts(scheduling_.tasks());
  const SolveStatus status = ScheduleSearch(scheduling_).solve(prediction, starts);
  if (status == SolveStatus::kSolved) scheduling_.profile(starts, decision);
  return status;
}

double EnergyScheduling::cost(std::span<const double> decision, std::span<const double> truth,
                              std::size_t) const {
  return solvers::energy_cost(decision, truth);
}

std::unique_ptr<TileSolver> EnergyScheduling::make_tile_solver() const {
  return std::make_unique<SchedulingTileSolver>(scheduling_);
}

std::string EnergyScheduling::decision_name(std::size_t component) const {
  return fmt::format("energy_{}", component);
}

ProblemEntry energy_scheduling_entry() {
  ProblemEntry entry;
  entry.name = "energy-scheduling";
  entry.help =
      "when to run a day's tasks on shared machines, electricity prices predicted from market forecasts";
  entry.options.integer("load", 1, 1, kLoads,
                        "which set of machines and tasks: 3 and 10, 3 and 15, or 5 and 20");
  add_source_options(entry.options);
  entry.settle = settle_source;
  entry.make = make_energy_scheduling;
  entry.facts = [](const Options&) { return linear_facts(Sense::kMinimise); };
  entry.published = "energy-scheduling";
  return entry;
}

}  // namespace polystep
