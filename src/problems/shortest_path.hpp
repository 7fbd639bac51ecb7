// Shortest path on a grid whose edge costs are predicted from features.
#pragma once

#include "polystep/feasible_sets.hpp"
#include "polystep/task.hpp"
#include "solvers/grid/grid_path.hpp"

namespace polystep {

class ShortestPath final : public Problem, public CommonFeasibleSet {
 public:
  explicit ShortestPath(const solvers::GridPath& grid) : Problem(grid.edges(), grid.edges()), grid_(grid) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return stated_facts(); }
  static ProblemFacts stated_facts();
  std::string decision_name(std::size_t component) const override;

 private:
  solvers::GridPath grid_;
};

ProblemEntry shortest_path_entry();

}  // namespace polystep
