// 0-1 knapsack whose item weights are predicted; items can be added or taken out late, at a loss.
//
// Predicted weights are rounded to whole numbers, half to even, and may be 0 or negative: such items are
// always chosen, and a negative weight makes room for others. True weights are never negative.
#pragma once

#include <vector>

#include "polystep/predicted_rows.hpp"
#include "polystep/task.hpp"
#include "problems/recourse.hpp"
#include "solvers/knapsack/knapsack_recourse.hpp"

namespace polystep {

class KnapsackWeight final : public RecourseProblem, private PredictedRows {
 public:
  // values [items], not negative; capacity not negative; rho at least 1.
  KnapsackWeight(std::vector<double> values, double capacity, double rho);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return constraint_facts(true); }
  std::string decision_name(std::size_t component) const override;
  const PredictedRows* predicted_rows() const override { return this; }

  std::span<const double> values() const { return values_; }
  double capacity() const { return capacity_; }
  const solvers::KnapsackRecourse& recourse_solver() const { return recourse_; }

 private:
  // One row: predicted weights . x - capacity <= 0.
  std::size_t rows() const override { return 1; }
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
  double capacity_;
  solvers::KnapsackRecourse recourse_;
};

ProblemEntry knapsack_weight_entry();

}  // namespace polystep
