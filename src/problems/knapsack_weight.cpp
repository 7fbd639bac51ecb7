#include "problems/knapsack_weight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/constraint_task.hpp"
#include "problems/data_source.hpp"
#include "problems/packing_objective.hpp"
#include "problems/recourse_memory.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

using solvers::KnapsackRecourse;

Realisation realisation_of(const std::optional<solvers::RecourseOutcome>& outcome, std::uint64_t chosen,
                           std::span<const double> weights, double capacity) {
  if (!outcome) return {kFailed, {}};
  const bool infeasible = solvers::sum_over(chosen, weights) > capacity;
  return {-outcome->value, {.infeasible = infeasible, .changed = outcome->kept != chosen}};
}

// Lane by lane; each lane sorts from where its last order was.
class WeightTileSolver final : public TileSolver {
 public:
  explicit WeightTileSolver(const KnapsackWeight& problem)
      : problem_(problem),
        knapsack_(problem.outputs()),
        recourse_(problem.recourse_solver()),
        memory_(problem.outputs()),
        orders_(kLanes, solvers::RatioOrder(problem.outputs())),
        weights_(problem.outputs()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = std::nearbyint(prediction[i * kLanes + lane]);
      const auto chosen = knapsack_.solve(problem_.values(), weights_, problem_.capacity(), orders_[lane]);
      outcome.signature[lane] = chosen.value_or(0);
      Realisation result{kFailed, {}};
      if (chosen) result = realise(tile, lane, *chosen);
      write_lane(result, lane, outcome);
    }
  }

 private:
  const Realisation& realise(const Tile& tile, std::size_t lane, std::uint64_t chosen) {
    const double capacity = problem_.capacity();
    return memory_.find(
        tile.instance[lane], tile.truth + lane, chosen,
        [&](std::span<const double> weights, KnapsackRecourse::Truth& truth) {
          recourse_.prepare(weights, capacity, truth);
        },
        [&](const KnapsackRecourse::Truth& truth, std::uint64_t set) {
          return realisation_of(recourse_.apply(set, truth), set, truth.weights, capacity);
        });
  }

  const KnapsackWeight& problem_;
  solvers::RealKnapsack knapsack_;
  KnapsackRecourse recourse_;
  RecourseMemory<KnapsackRecourse::Truth> memory_;
  std::vector<solvers::RatioOrder> orders_;  // [kLanes]
  std::vector<double> weights_;              // [items], of one lane
};

Task make_knapsack_weight(const Options& options, const TaskContext& context) {
  const ConstraintRun run = constraint_run(options, context.seed);
  Task task;
  task.setting = constraint_setting(options, context.seed);
  KnapsackData data = wants_published("knapsack-weight", options, context)
                          ? published_knapsack_weight(context.data_directory, run)
                          : generated_knapsack_weight(data_seed(options), run);
  task.problem =
      std::make_unique<KnapsackWeight>(std::move(data.values), data.capacity, options.number("rho"));
  task.data = std::move(data.data);
  task.released_seed = run.released_seed();
  task.predictor = make_standardised_linear(task.data.training);
  return task;
}

}  // namespace

KnapsackWeight::KnapsackWeight(std::vector<double> values, double capacity, double rho)
    : RecourseProblem(values.size(), values.size()),
      values_(std::move(values)),
      objective_(negated(values_)),
      capacity_(capacity),
      recourse_(values_, rho) {}

SolveStatus KnapsackWeight::decide(std::span<const double> prediction, std::size_t,
                                   std::span<double> decision) const {
  std::vector<double> weights(prediction.begin(), prediction.end());
  for (double& weight : weights) weight = std::nearbyint(weight);
  const auto chosen = solvers::RealKnapsack(values_.size()).solve(values_, weights, capacity_);
  if (!chosen) return SolveStatus::kFailed;
  solvers::write_set(*chosen, decision);
  return SolveStatus::kSolved;
}

Realisation KnapsackWeight::realise(std::span<const double> decision, std::span<const double> truth,
                                    std::size_t) const {
  KnapsackRecourse recourse = recourse_;  // its search is working space
  KnapsackRecourse::Truth prepared;
  recourse.prepare(truth, capacity_, prepared);
  const std::uint64_t chosen = solvers::set_of(decision);
  return realisation_of(recourse.apply(chosen, prepared), chosen, truth, capacity_);
}

std::unique_ptr<TileSolver> KnapsackWeight::make_tile_solver() const {
  return std::make_unique<WeightTileSolver>(*this);
}

std::string KnapsackWeight::decision_name(std::size_t component) const {
  return fmt::format("item_{}", component);
}

void KnapsackWeight::write_rows(std::span<const double> prediction, std::size_t, std::span<double> a,
                                std::span<double> b) const {
  std::copy(prediction.begin(), prediction.end(), a.begin());
  b[0] = -capacity_;
}

void KnapsackWeight::add_gradient(std::span<const double> a_gradient, std::span<const double>,
                                  std::span<double> prediction_gradient) const {
  for (std::size_t i = 0; i < prediction_gradient.size(); ++i) prediction_gradient[i] += a_gradient[i];
}

bool KnapsackWeight::solve_rows(std::span<const double> prediction, std::size_t, std::span<const double>,
                                std::span<double> x) const {
  const auto chosen = solvers::RealKnapsack(values_.size()).solve(values_, prediction, capacity_);
  if (!chosen) return false;
  solvers::write_set(*chosen, x);
  return true;
}

ProblemEntry knapsack_weight_entry() {
  ProblemEntry entry;
  entry.name = "knapsack-weight";
  entry.help = "most valuable items within a capacity, weights predicted; late changes cost";
  add_constraint_options(entry, 5);
  entry.make = make_knapsack_weight;
  entry.facts = [](const Options&) { return constraint_facts(true); };
  return entry;
}

}  // namespace polystep
