// A portfolio of assets within a budget and a risk limit, when their returns are predicted from features.
#pragma once

#include "polystep/feasible_sets.hpp"
#include "polystep/task.hpp"
#include "solvers/portfolio/portfolio.hpp"

namespace polystep {

class PortfolioProblem final : public Problem, public CommonFeasibleSet {
 public:
  explicit PortfolioProblem(const solvers::Portfolio& portfolio)
      : Problem(portfolio.assets(), portfolio.assets()), portfolio_(portfolio) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return stated_facts(); }
  static ProblemFacts stated_facts() {
    ProblemFacts facts = linear_facts(Sense::kMaximise);
    facts.decisions_recur = false;
    return facts;
  }
  std::string decision_name(std::size_t component) const override;

 private:
  solvers::Portfolio portfolio_;
};

ProblemEntry portfolio_entry();

}  // namespace polystep
