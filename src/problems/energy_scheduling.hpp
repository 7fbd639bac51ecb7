// Energy-cost-aware scheduling: when to run a day's tasks, with electricity prices that are predicted.
//
// The decision is the energy drawn in every slot (the profile); its cost is profile . price. Schedules that
// draw the same are the same decision.
#pragma once

#include "polystep/feasible_sets.hpp"
#include "polystep/task.hpp"
#include "solvers/scheduling/scheduling.hpp"

namespace polystep {

class EnergyScheduling final : public Problem, public CommonFeasibleSet {
 public:
  explicit EnergyScheduling(solvers::SchedulingInstance instance);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
  std::string decision_name(std::size_t component) const override;

 private:
  solvers::Scheduling scheduling_;
};

ProblemEntry energy_scheduling_entry();

}  // namespace polystep
