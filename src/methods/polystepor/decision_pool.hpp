// Decisions that rows have been given so far, to choose from instead of solving: the low fidelity of early
// steps.
//
// Where predictions are the coefficients of a linear objective, a decision once feasible for a row stays so,
// and what it costs in reality never changes. The best of a few remembered decisions for a probe's
// predictions then stands in for the solver's. It is exact wherever the optimal decision is among them.
#pragma once

#include <memory>
#include <vector>

#include "methods/gradient/decision_oracle.hpp"
#include "polystep/archive.hpp"
#include "polystep/problem.hpp"

namespace polystep {

class DecisionPool {
 public:
  // Whether the task's decisions can be pooled: a linear objective, decisions that recur, and a row per
  // instance.
  static bool serves(const Task& task);

  // `training`: the rows as the learner sees them, those of the evaluator's task in other units.
  DecisionPool(Evaluator& evaluator, const Split& training);
  ~DecisionPool();

  // Solves every training row for the predictions of `theta` and remembers decisions that are new.
  void learn(std::span<const double> theta, SolveCounts& counts);

  // Decides training rows by what is remembered of them; a row of which nothing is has failed. Solvers of it
  // may be used while nothing is learned.
  const Problem& problem() const { return *problem_; }

  double mean_size() const;  // decisions per row

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  class Pooled;
  class Solver;

  // The entries of a decision that are not 0, and what it costs the row in reality.
  struct Member {
    std::vector<std::uint32_t> index;
    std::vector<double> value;
    double cost = 0;
  };

  void remember(std::size_t row, std::span<const double> decision);

  DecisionOracle oracle_;
  const Split& training_;
  std::vector<std::size_t> all_rows_;
  std::vector<std::size_t> row_of_instance_;  // [highest instance + 1]
  std::vector<std::vector<Member>> members_;  // [training rows]
  std::unique_ptr<Problem> problem_;
};

}  // namespace polystep
