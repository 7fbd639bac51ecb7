// 0-1 knapsack whose capacity is predicted; items can be added or taken out late, at a loss.
//
// The prediction is rounded to a whole capacity, half to even, and not below 0. Few capacities differ in
// their decision, so all decisions, and what each comes to under each whole true capacity, are found once.
#pragma once

#include <vector>

#include "polystep/task.hpp"
#include "problems/recourse.hpp"
#include "solvers/knapsack/knapsack_recourse.hpp"

namespace polystep {

class KnapsackCapacity final : public RecourseProblem {
 public:
  // values and weights [items], not negative; rho at least 1.
  KnapsackCapacity(std::vector<double> values, std::vector<double> weights, double rho);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return constraint_facts(true); }
  std::string decision_name(std::size_t component) const override;

  // The row of the tables for a capacity: whole, from 0, and no higher than what holds all items.
  std::size_t capacities() const { return decisions_.size(); }
  std::size_t row_of(double whole_capacity) const;
  std::uint64_t decision(std::size_t predicted) const { return decisions_[predicted]; }
  const Realisation& outcome(std::size_t predicted, std::size_t actual) const {
    return outcomes_[predicted * capacities() + actual];
  }

 private:
  Realisation realise_set(std::uint64_t chosen, double capacity) const;

  std::vector<double> values_;
  std::vector<double> weights_;
  solvers::KnapsackRecourse recourse_;
  std::vector<std::uint64_t> decisions_;  // [capacities]
  std::vector<Realisation> outcomes_;     // [capacities × capacities]
};

ProblemEntry knapsack_capacity_entry();

}  // namespace polystep
