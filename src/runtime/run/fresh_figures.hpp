// What a trained predictor comes to on fresh rows of the distribution it was trained for: a finer measure
// than the test rows of a data set, where its problem can draw more of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/team.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

struct FreshFigures {
  std::size_t rows = 0;
  double regret = 0;                         // in the task's metric
  double failed = 0;                         // share of rows without a decision
  std::optional<double> infeasible;          // where the problem has recourse
  std::optional<double> conditional_regret;  // nothing where no decision was feasible
};

// Rows are drawn and measured a hundred at a time. Throws InputError where the problem draws none.
FreshFigures measure_fresh(const RunRequest& request, std::span<const double> parameters, double failure_cost,
                           const FreshRows& rows, Team& team);

// The same rows for many predictors: drawn once, with what the best decisions cost. They stay in memory,
// eight bytes for every feature.
class KeptFreshRows {
 public:
  KeptFreshRows(const RunRequest& request, const FreshRows& rows, Team& team);

  FreshFigures measure(std::span<const double> parameters, double failure_cost, Team& team) const;

 private:
  struct Part {
    std::unique_ptr<Task> task;  // without features, which the tiles hold
    TiledRows tiles;
    std::vector<double> optimal;
  };
  std::vector<Part> parts_;
};

}  // namespace polystep
