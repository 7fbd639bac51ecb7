// 0-1 knapsack with several resources whose weights or capacities are predicted, and in which everything else
// is known and differs from instance to instance: the values, and the other half of the constraints.
//
// A chosen set that does not fit is scaled down until it does: x / tau with tau = max(1, use_r / capacity_r),
// a fraction of every item. What that gives up is lost, and charged once more at the price of the penalty:
//
//   cost = -(value / tau) + penalty * (value - value / tau)
//
// Predictions are used as they are. Weights may be 0 or negative, which makes room; capacities below 0 count
// as 0, and nothing is taken. Where a true capacity is 0, a set that uses the resource is scaled down to
// nothing. A use above the capacity by a billionth of it counts as fitting, in deciding as in reality,
// because sums of tenths are not exact.
#pragma once

#include <cstdint>
#include <vector>

#include "polystep/predicted_rows.hpp"
#include "problems/multi_knapsack.hpp"
#include "problems/recourse.hpp"
#include "solvers/knapsack/multi_knapsack.hpp"

namespace polystep {

class ScaledMultiKnapsack final : public RecourseProblem, private PredictedRows {
 public:
  using Predicted = MultiKnapsack::Predicted;

  // values [instances × items], not negative; `known` is the other half: capacities [instances × resources]
  // where weights are predicted, weights [instances × resources × items] where capacities are.
  ScaledMultiKnapsack(std::size_t items, std::size_t resources, Predicted predicted,
                      std::vector<double> values, std::vector<double> known, double penalty);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return stated_facts(); }
  std::string decision_name(std::size_t component) const override;
  const PredictedRows* predicted_rows() const override { return this; }

  static ProblemFacts stated_facts();

  std::size_t resources() const { return resources_; }

  // The best set for the prediction; `rooms` [resources] and the solver are working space.
  std::optional<std::uint64_t> best_set(std::span<const double> prediction, std::size_t instance,
                                        std::vector<double>& rooms, solvers::MultiKnapsack& solver) const;
  Realisation realise_set(std::uint64_t chosen, std::span<const double> truth, std::size_t instance) const;

 private:
  std::span<const double> values(std::size_t instance) const {
    return std::span(values_).subspan(instance * items_, items_);
  }
  // The two halves of the constraints, one of them the given numbers [outputs].
  std::span<const double> weights(std::span<const double> given, std::size_t instance) const {
    return predicted_ == Predicted::kWeights ? given : known(instance);
  }
  std::span<const double> capacities(std::span<const double> given, std::size_t instance) const {
    return predicted_ == Predicted::kCapacities ? given : known(instance);
  }
  std::span<const double> known(std::size_t instance) const {
    return std::span(known_).subspan(instance * known_columns_, known_columns_);
  }

  // One row per resource: weights . x - capacity <= 0.
  std::size_t rows() const override { return resources_; }
  std::size_t variables() const override { return items_; }
  bool binary() const override { return true; }
  void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                  std::span<double> b) const override;
  std::span<const double> objective(std::size_t instance) const override {
    return std::span(objective_).subspan(instance * items_, items_);
  }
  void add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                    std::span<double> prediction_gradient) const override;
  bool solve_rows(std::span<const double> prediction, std::size_t instance, std::span<const double> upper,
                  std::span<double> x) const override;

  std::size_t items_, resources_, known_columns_;
  Predicted predicted_;
  std::vector<double> values_;     // [instances × items]
  std::vector<double> objective_;  // the same, negated
  std::vector<double> known_;      // [instances × known columns]
  double penalty_;
};

}  // namespace polystep
