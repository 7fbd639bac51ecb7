#include "problems/knapsack_capacity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "polystep/error.hpp"
#include "problems/constraint_task.hpp"
#include "problems/data_source.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

class CapacityTileSolver final : public TileSolver {
 public:
  explicit CapacityTileSolver(const KnapsackCapacity& problem) : problem_(problem) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (!std::isfinite(prediction[lane])) {
        outcome.failed |= 1u << lane;
        outcome.cost[lane] = 0;
        outcome.signature[lane] = 0;
        continue;
      }
      const std::size_t predicted = problem_.row_of(std::nearbyint(prediction[lane]));
      const Realisation result = realise(predicted, tile.truth[lane]);
      outcome.cost[lane] = result.cost;
      outcome.signature[lane] = problem_.decision(predicted);
      outcome.infeasible |= static_cast<std::uint32_t>(result.recourse.infeasible) << lane;
      outcome.changed |= static_cast<std::uint32_t>(result.recourse.changed) << lane;
    }
  }

 private:
  Realisation realise(std::size_t predicted, double capacity) const {
    if (capacity >= 0 && capacity == std::floor(capacity))
      return problem_.outcome(predicted, problem_.row_of(capacity));
    std::vector<double> decision(problem_.decision_size());
    solvers::write_set(problem_.decision(predicted), decision);
    return problem_.realise(decision, {&capacity, 1}, 0);
  }

  const KnapsackCapacity& problem_;
};

Task make_knapsack_capacity(const Options& options, const TaskContext& context) {
  const ConstraintRun run = constraint_run(options, context.seed);
  Task task;
  task.setting = constraint_setting(options, context.seed);
  KnapsackData data = wants_published("knapsack-capacity", options, context)
                          ? published_knapsack_capacity(context.data_directory, run)
                          : generated_knapsack_capacity(data_seed(options), run);
  task.problem = std::make_unique<KnapsackCapacity>(std::move(data.values), std::move(data.weights),
                                                    options.number("rho"));
  task.data = std::move(data.data);
  task.released_seed = run.released_seed();
  task.predictor = make_standardised_linear(task.data.training);
  return task;
}

}  // namespace

KnapsackCapacity::KnapsackCapacity(std::vector<double> values, std::vector<double> weights, double rho)
    : RecourseProblem(1, values.size()),
      values_(std::move(values)),
      weights_(std::move(weights)),
      recourse_(values_, rho) {
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  constexpr double kMostCapacities = 5000;
  if (!(total < kMostCapacities))
    throw InputError(fmt::format("knapsack capacity: the items weigh {} together, expected less than {}",
                                 total, kMostCapacities));
  solvers::RealKnapsack knapsack(values_.size());
  const auto capacities = static_cast<std::size_t>(std::ceil(total)) + 1;
  for (std::size_t capacity = 0; capacity < capacities; ++capacity) {
    const auto set = knapsack.solve(values_, weights_, static_cast<double>(capacity));
    if (!set)
      throw InputError(fmt::format(
          "knapsack capacity: no best set was found for capacity {}, expected items less alike", capacity));
    decisions_.push_back(*set);
  }
  for (const std::uint64_t chosen : decisions_)
    for (std::size_t actual = 0; actual < capacities; ++actual)
      outcomes_.push_back(realise_set(chosen, static_cast<double>(actual)));
}

std::size_t KnapsackCapacity::row_of(double whole_capacity) const {
  const auto last = static_cast<double>(capacities() - 1);
  return static_cast<std::size_t>(std::clamp(whole_capacity, 0.0, last));
}

SolveStatus KnapsackCapacity::decide(std::span<const double> prediction, std::size_t,
                                     std::span<double> decision) const {
  if (!std::isfinite(prediction[0])) return SolveStatus::kFailed;
  solvers::write_set(decisions_[row_of(std::nearbyint(prediction[0]))], decision);
  return SolveStatus::kSolved;
}

Realisation KnapsackCapacity::realise_set(std::uint64_t chosen, double capacity) const {
  solvers::KnapsackRecourse recourse = recourse_;  // its search is working space
  solvers::KnapsackRecourse::Truth truth;
  recourse.prepare(weights_, capacity, truth);
  const auto outcome = recourse.apply(chosen, truth);
  if (!outcome) return {kFailed, {}};
  const bool infeasible = solvers::sum_over(chosen, weights_) > capacity;
  return {-outcome->value, {.infeasible = infeasible, .changed = outcome->kept != chosen}};
}

Realisation KnapsackCapacity::realise(std::span<const double> decision, std::span<const double> truth,
                                      std::size_t) const {
  return realise_set(solvers::set_of(decision), truth[0]);
}

std::unique_ptr<TileSolver> KnapsackCapacity::make_tile_solver() const {
  return std::make_unique<CapacityTileSolver>(*this);
}

std::string KnapsackCapacity::decision_name(std::size_t component) const {
  return fmt::format("item_{}", component);
}

ProblemEntry knapsack_capacity_entry() {
  ProblemEntry entry;
  entry.name = "knapsack-capacity";
  entry.help = "most valuable items within a capacity that is predicted; late changes cost";
  add_constraint_options(entry, 5);
  entry.make = make_knapsack_capacity;
  entry.facts = [](const Options&) { return constraint_facts(true); };
  return entry;
}

}  // namespace polystep
