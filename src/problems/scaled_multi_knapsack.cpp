#include "problems/scaled_multi_knapsack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "polystep/error.hpp"
#include "problems/packing_objective.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

constexpr double kFits = 1e-9;  // of a capacity, what a set may use beyond it

double with_slack(double capacity) { return capacity + kFits * std::max(1.0, std::abs(capacity)); }

// Lane by lane.
class ScaledTileSolver final : public TileSolver {
 public:
  explicit ScaledTileSolver(const ScaledMultiKnapsack& problem)
      : problem_(problem),
        knapsack_(problem.decision_size(), problem.resources()),
        prediction_(problem.outputs()),
        truth_(problem.outputs()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t k = 0; k < prediction_.size(); ++k) {
        prediction_[k] = prediction[k * kLanes + lane];
        truth_[k] = tile.truth[k * kLanes + lane];
      }
      const auto chosen = problem_.best_set(prediction_, tile.instance[lane], rooms_, knapsack_);
      outcome.signature[lane] = chosen.value_or(0);
      Realisation result{kFailed, {}};
      if (chosen) result = problem_.realise_set(*chosen, truth_, tile.instance[lane]);
      write_lane(result, lane, outcome);
    }
  }

 private:
  const ScaledMultiKnapsack& problem_;
  solvers::MultiKnapsack knapsack_;
  std::vector<double> prediction_, truth_;  // [outputs], of one lane
  std::vector<double> rooms_;
};

}  // namespace

ScaledMultiKnapsack::ScaledMultiKnapsack(std::size_t items, std::size_t resources, Predicted predicted,
                                         std::vector<double> values, std::vector<double> known,
                                         double penalty)
    : RecourseProblem(predicted == Predicted::kWeights ? resources * items : resources, items),
      items_(items),
      resources_(resources),
      known_columns_(predicted == Predicted::kWeights ? resources : resources * items),
      predicted_(predicted),
      values_(std::move(values)),
      objective_(negated(values_)),
      known_(std::move(known)),
      penalty_(penalty) {
  const std::size_t instances = items == 0 ? 0 : values_.size() / items;
  if (instances * items != values_.size() || known_.size() != instances * known_columns_)
    throw InputError(fmt::format(
        "multi-knapsack: found {} values and {} known {}, expected {} and {} per instance", values_.size(),
        known_.size(), predicted == Predicted::kWeights ? "capacities" : "weights", items, known_columns_));
}

ProblemFacts ScaledMultiKnapsack::stated_facts() {
  ProblemFacts facts = constraint_facts(true);
  facts.needs_instance_data = true;
  return facts;
}

std::optional<std::uint64_t> ScaledMultiKnapsack::best_set(std::span<const double> prediction,
                                                           std::size_t instance, std::vector<double>& rooms,
                                                           solvers::MultiKnapsack& solver) const {
  rooms.clear();
  for (const double capacity : capacities(prediction, instance))
    rooms.push_back(with_slack(capacity < 0 ? 0.0 : capacity));
  return solver.solve(values(instance), weights(prediction, instance), rooms);
}

SolveStatus ScaledMultiKnapsack::decide(std::span<const double> prediction, std::size_t instance,
                                        std::span<double> decision) const {
  solvers::MultiKnapsack solver(items_, resources_);
  std::vector<double> rooms;
  const auto chosen = best_set(prediction, instance, rooms, solver);
  if (!chosen) return SolveStatus::kFailed;
  solvers::write_set(*chosen, decision);
  return SolveStatus::kSolved;
}

Realisation ScaledMultiKnapsack::realise_set(std::uint64_t chosen, std::span<const double> truth,
                                             std::size_t instance) const {
  const std::span<const double> uses = weights(truth, instance), capacity = capacities(truth, instance);
  double share = 1;  // of every item that is left, 1 / tau
  for (std::size_t r = 0; r < resources_; ++r) {
    const double use = solvers::sum_over(chosen, uses.subspan(r * items_, items_));
    if (use > with_slack(capacity[r])) share = std::min(share, std::max(0.0, capacity[r]) / use);
  }
  const double value = solvers::sum_over(chosen, values(instance));
  if (share == 1) return {-value, {}};
  const double left = value * share;
  return {-left + penalty_ * std::abs(value - left), {.infeasible = true, .changed = true}};
}

Realisation ScaledMultiKnapsack::realise(std::span<const double> decision, std::span<const double> truth,
                                         std::size_t instance) const {
  return realise_set(solvers::set_of(decision), truth, instance);
}

std::unique_ptr<TileSolver> ScaledMultiKnapsack::make_tile_solver() const {
  return std::make_unique<ScaledTileSolver>(*this);
}

std::string ScaledMultiKnapsack::decision_name(std::size_t component) const {
  return fmt::format("item_{}", component);
}

void ScaledMultiKnapsack::write_rows(std::span<const double> prediction, std::size_t instance,
                                     std::span<double> a, std::span<double> b) const {
  std::ranges::copy(weights(prediction, instance), a.begin());
  std::ranges::transform(capacities(prediction, instance), b.begin(), std::negate<>());
}

void ScaledMultiKnapsack::add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                                       std::span<double> prediction_gradient) const {
  for (std::size_t k = 0; k < prediction_gradient.size(); ++k)
    prediction_gradient[k] += predicted_ == Predicted::kWeights ? a_gradient[k] : -b_gradient[k];
}

bool ScaledMultiKnapsack::solve_rows(std::span<const double> prediction, std::size_t instance,
                                     std::span<const double>, std::span<double> x) const {
  std::vector<double> rooms;
  for (const double capacity : capacities(prediction, instance)) rooms.push_back(with_slack(capacity));
  const auto chosen = solvers::MultiKnapsack(items_, resources_)
                          .solve(values(instance), weights(prediction, instance), rooms);
  if (!chosen) return false;
  solvers::write_set(*chosen, x);
  return true;
}

}  // namespace polystep
