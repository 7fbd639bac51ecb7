// 0-1 knapsack with several resources whose weights or capacities are predicted; items can be added or taken
// out late, at a loss.
//
// Predictions are rounded to whole numbers, half to even, as for the single knapsacks. Predicted weights may
// be 0 or negative: an item without a weight above 0 is always chosen, and negative weights make room for
// others. Predicted capacities below 0 count as 0. True numbers are never negative. Taking nothing is then
// always possible, so that a first stage fails only where a prediction is not finite.
#pragma once

#include <vector>

#include "polystep/predicted_rows.hpp"
#include "polystep/task.hpp"
#include "problems/recourse.hpp"
#include "solvers/knapsack/multi_knapsack_recourse.hpp"

namespace polystep {

class MultiKnapsack final : public RecourseProblem, private PredictedRows {
 public:
  enum class Predicted { kWeights, kCapacities };

  // values [items], not negative; rho at least 1. `known` is the other half: capacities [resources] where
  // weights are predicted, weights [resources × items] where capacities are, not negative.
  MultiKnapsack(std::vector<double> values, std::size_t resources, Predicted predicted,
                std::vector<double> known, double rho);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return constraint_facts(true); }
  std::string decision_name(std::size_t component) const override;
  const PredictedRows* predicted_rows() const override { return this; }

  std::span<const double> values() const { return values_; }
  std::size_t resources() const { return resources_; }
  const solvers::MultiKnapsackRecourse& recourse_solver() const { return recourse_; }

  // The two halves of the constraints, one of them the given numbers [outputs].
  std::span<const double> weights(std::span<const double> given) const {
    return predicted_ == Predicted::kWeights ? given : std::span<const double>(known_);
  }
  std::span<const double> capacities(std::span<const double> given) const {
    return predicted_ == Predicted::kCapacities ? given : std::span<const double>(known_);
  }

  double rounded(double prediction) const;  // to what the first stage takes it for

  // What a chosen set comes to; `solver` is working space.
  Realisation realise_set(std::uint64_t chosen, std::span<const double> truth,
                          solvers::MultiKnapsackRecourse& solver) const;

 private:
  // One row per resource: weights . x - capacity <= 0.
  std::size_t rows() const override { return resources_; }
  std::size_t variables() const override { return values_.size(); }
  bool binary() const override { return true; }
  void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                  std::span<double> b) const override;
  std::span<const double> objective(std::size_t) const override { return objective_; }
  void add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                    std::span<double> prediction_gradient) const override;
  bool solve_rows(std::span<const double> prediction, std::size_t instance, std::span<const double> upper,
                  std::span<double> x) const override;

  std::vector<double> values_;
  std::vector<double> objective_;  // values negated
  std::size_t resources_;
  Predicted predicted_;
  std::vector<double> known_;
  solvers::MultiKnapsackRecourse recourse_;
};

ProblemEntry multi_knapsack_entry();

}  // namespace polystep
