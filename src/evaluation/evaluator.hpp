// Measures a predictor by the decisions it leads to: realised cost per instance, optimal cost, regret.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "polystep/counts.hpp"
#include "polystep/task.hpp"
#include "polystep/team.hpp"

namespace polystep {

struct Evaluation {
  std::vector<double> costs;         // realised cost per row
  std::vector<std::uint8_t> failed;  // [rows]: 1 where there is no decision
  std::vector<std::uint8_t> broken;  // [rows]: 1 where the decision broke a constraint in reality
  double mean_cost = 0;
  SolveCounts solves;
  std::uint64_t infeasible = 0;  // decisions that broke a constraint in reality, before recourse
  std::uint64_t changed = 0;     // decisions that recourse acted on
};

class Evaluator {
 public:
  Evaluator(const Task& task, Team& team);
  // Decides as another problem does, one for the same instances; all else is the task's.
  Evaluator(const Task& task, Team& team, const Problem& decides);

  // Realised costs of deciding each row by the predictor's predictions.
  Evaluation evaluate(std::span<const double> theta, const TiledRows& rows);

  // Realised costs of deciding each row by the given predictions, those of each row together.
  Evaluation decide(std::span<const double> predictions, const TiledRows& rows);

  // Whether there are reference decisions: the problem has its own, or data have a truth per output.
  bool knows_optimum() const;

  // Realised costs of the reference decisions, unless a problem has better ones those for the true
  // parameters. A row whose reference failed costs not a number, since nothing can be measured against a
  // charge; the mean is over the others. Throws InputError where the data tell no references.
  Evaluation optimal(const TiledRows& rows);

  // What a row costs whose solver failed: finite, so that one failure cannot poison a mean. Where the problem
  // has a charge for each instance, that one; the cost of no particular instance is then their mean.
  double failure_cost() const { return failure_cost_; }
  bool charges_failures() const { return charges_failures_; }
  double failure_cost(std::size_t instance) const {
    return charges_failures_ ? *decides_.failure_charge(instance) : failure_cost_;
  }
  void set_failure_cost(double cost) { failure_cost_ = cost; }

  // Sets the failure cost to 2 max|cost| + 1 over the rows that the given parameters decide without failing.
  // Throws InputError where there is no such row. Nothing is solved where the problem has charges.
  SolveCounts calibrate_failure_cost(std::span<const double> theta, const TiledRows& rows);
  SolveCounts calibrate_failure_cost(std::span<const double> theta, const Split& split);

  // A tile's costs for a running sum: failed lanes pay the failure cost, unused lanes nothing.
  void settle(const Tile& tile, TileOutcome& outcome) const;

  const Task& task() const { return task_; }
  Team& team() { return team_; }
  TileSolver& solver(std::size_t worker) { return *solvers_[worker]; }

  // Shares tiles 0..tiles-1 out in runs first..last-1 of as many as the solvers like to have at once, all of
  // them in this process.
  void for_each_group(
      std::size_t tiles,
      const std::function<void(std::size_t first, std::size_t last, std::size_t worker)>& work);

  // The same, wherever in the team: shares tiles 0..tiles-1 out in runs first..last-1 of as many as the
  // solvers like to have at once. All members of the team have the given arrays afterwards, of which each
  // tile fills its part.
  void fill_groups(std::size_t tiles, std::initializer_list<SlotArray> per_tile,
                   const std::function<void(std::size_t first, std::size_t last, std::size_t worker)>& work);

 private:
  template <class Predict>
  Evaluation evaluate_with(const TiledRows& rows, const Predict& predict);
  Evaluation own_references(const TiledRows& rows);

  const Task& task_;
  const Problem& decides_;
  Team& team_;
  bool charges_failures_;  // the problem says what an instance without a decision costs
  std::vector<std::unique_ptr<TileSolver>> solvers_;  // one per worker
  double failure_cost_ = 1;
};

// Mean over rows and outputs of (prediction - truth)^2; nothing where data have no truth per output.
std::optional<double> mean_squared_error(const Task& task, std::span<const double> theta,
                                         const TiledRows& rows);

// Regret of every row in the benchmark's metric; not a number where the row has no reference, which `optimal`
// says in the same way. A relative regret with optimum 0 counts 0 if it was met, else 1. A row without a
// decision pays the failure cost, or 2 |optimum| + 1 where the failure cost would be no worse than the
// optimum.
std::vector<double> row_regrets(RegretMetric metric, const Evaluation& decided,
                                std::span<const double> optimal);

// Their mean over the rows that have a reference. Not a number where none has.
double mean_regret(RegretMetric metric, const Evaluation& decided, std::span<const double> optimal);

// Share of rows that failed.
double failed_share(const Evaluation& evaluation);

// Throws InputError where every row failed; `what` names what was solved for.
void require_some_solved(const Evaluation& evaluation, const std::string& what);

}  // namespace polystep
