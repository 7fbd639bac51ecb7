#include "problems/multi_knapsack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "polystep/error.hpp"
#include "problems/constraint_task.hpp"
#include "problems/data_source.hpp"
#include "problems/recourse_memory.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

// Lane by lane.
class MultiKnapsackTileSolver final : public TileSolver {
 public:
  explicit MultiKnapsackTileSolver(const MultiKnapsack& problem)
      : problem_(problem),
        knapsack_(problem.decision_size(), problem.resources()),
        recourse_(problem.recourse_solver()),
        memory_(problem.outputs()),
        prediction_(problem.outputs()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t k = 0; k < prediction_.size(); ++k)
        prediction_[k] = problem_.rounded(prediction[k * kLanes + lane]);
      const auto chosen =
          knapsack_.solve(problem_.values(), problem_.weights(prediction_), problem_.capacities(prediction_));
      outcome.signature[lane] = chosen.value_or(0);
      Realisation result{kFailed, {}};
      if (chosen) result = realise(tile, lane, *chosen);
      write_lane(result, lane, outcome);
    }
  }

 private:
  const Realisation& realise(const Tile& tile, std::size_t lane, std::uint64_t chosen) {
    return memory_.find(
        tile.instance[lane], tile.truth + lane, chosen,
        [](std::span<const double> truth, std::vector<double>& kept) {
          kept.assign(truth.begin(), truth.end());
        },
        [&](const std::vector<double>& truth, std::uint64_t set) {
          return problem_.realise_set(set, truth, recourse_);
        });
  }

  const MultiKnapsack& problem_;
  solvers::MultiKnapsack knapsack_;
  solvers::MultiKnapsackRecourse recourse_;
  RecourseMemory<std::vector<double>> memory_;
  std::vector<double> prediction_;  // [outputs], of one lane
};

Task make(const Options& options, const TaskContext& context) {
  const ConstraintRun run = constraint_run(options, context.seed);
  const bool weights = options.text("predict") == "weights";
  Task task;
  task.setting =
      fmt::format("predict={} {}", options.text("predict"), constraint_setting(options, context.seed));
  MultiKnapsackData data = weights ? generated_multi_knapsack_weights(data_seed(options), run)
                                   : generated_multi_knapsack_capacities(data_seed(options), run);
  task.problem = std::make_unique<MultiKnapsack>(
      std::move(data.values), kMultiKnapsackResources,
      weights ? MultiKnapsack::Predicted::kWeights : MultiKnapsack::Predicted::kCapacities,
      std::move(weights ? data.capacities : data.weights), options.number("rho"));
  task.data = std::move(data.data);
  task.predictor = make_standardised_linear(task.data.training);
  return task;
}

}  // namespace

MultiKnapsack::MultiKnapsack(std::vector<double> values, std::size_t resources, Predicted predicted,
                             std::vector<double> known, double rho)
    : RecourseProblem(predicted == Predicted::kWeights ? resources * values.size() : resources,
                      values.size()),
      values_(std::move(values)),
      resources_(resources),
      predicted_(predicted),
      known_(std::move(known)),
      recourse_(values_, resources, rho) {
  const std::size_t expected = predicted == Predicted::kWeights ? resources : resources * values_.size();
  if (known_.size() != expected)
    throw InputError(fmt::format("multi-knapsack: found {} known {}, expected {}", known_.size(),
                                 predicted == Predicted::kWeights ? "capacities" : "weights", expected));
}

double MultiKnapsack::rounded(double prediction) const {
  const double whole = std::nearbyint(prediction);
  return predicted_ == Predicted::kCapacities && whole < 0 ? 0.0 : whole;
}

SolveStatus MultiKnapsack::decide(std::span<const double> prediction, std::size_t,
                                  std::span<double> decision) const {
  std::vector<double> whole(prediction.size());
  std::transform(prediction.begin(), prediction.end(), whole.begin(), [&](double p) { return rounded(p); });
  const auto chosen =
      solvers::MultiKnapsack(values_.size(), resources_).solve(values_, weights(whole), capacities(whole));
  if (!chosen) return SolveStatus::kFailed;
  solvers::write_set(*chosen, decision);
  return SolveStatus::kSolved;
}

Realisation MultiKnapsack::realise_set(std::uint64_t chosen, std::span<const double> truth,
                                       solvers::MultiKnapsackRecourse& solver) const {
  const auto outcome = solver.apply(chosen, weights(truth), capacities(truth));
  if (!outcome) return {kFailed, {}};
  bool infeasible = false;
  for (std::size_t r = 0; r < resources_; ++r)
    infeasible |= solvers::sum_over(chosen, weights(truth).subspan(r * values_.size(), values_.size())) >
                  capacities(truth)[r];
  return {-outcome->value, {.infeasible = infeasible, .changed = outcome->kept != chosen}};
}

Realisation MultiKnapsack::realise(std::span<const double> decision, std::span<const double> truth,
                                   std::size_t) const {
  solvers::MultiKnapsackRecourse solver = recourse_;
  return realise_set(solvers::set_of(decision), truth, solver);
}

std::unique_ptr<TileSolver> MultiKnapsack::make_tile_solver() const {
  return std::make_unique<MultiKnapsackTileSolver>(*this);
}

std::string MultiKnapsack::decision_name(std::size_t component) const {
  return fmt::format("item_{}", component);
}

void MultiKnapsack::write_rows(std::span<const double> prediction, std::span<double> a,
                               std::span<double> b) const {
  std::ranges::copy(weights(prediction), a.begin());
  std::ranges::transform(capacities(prediction), b.begin(), std::negate<>());
}

void MultiKnapsack::add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                                 std::span<double> prediction_gradient) const {
  for (std::size_t k = 0; k < prediction_gradient.size(); ++k)
    prediction_gradient[k] += predicted_ == Predicted::kWeights ? a_gradient[k] : -b_gradient[k];
}

bool MultiKnapsack::solve_rows(std::span<const double> prediction, std::span<const double>,
                               std::span<double> x) const {
  const auto chosen = solvers::MultiKnapsack(values_.size(), resources_)
                          .solve(values_, weights(prediction), capacities(prediction));
  if (!chosen) return false;
  solvers::write_set(*chosen, x);
  return true;
}

ProblemEntry multi_knapsack_entry() {
  ProblemEntry entry;
  entry.name = "multi-knapsack";
  entry.help =
      "most valuable items within three capacities, these or the weights predicted; late changes cost";
  entry.options.choice("predict", "weights", {"weights", "capacities"},
                       "what is unknown: the weights of 20 items in 3 resources, or the capacities");
  add_constraint_options(entry, 5, false);
  entry.make = make;
  entry.facts = [](const Options&) { return constraint_facts(true); };
  return entry;
}

}  // namespace polystep
