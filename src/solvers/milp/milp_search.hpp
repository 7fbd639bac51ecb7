// Branch and cut by CBC, set up for exact answers: the one place that knows its switches.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/milp/milp.hpp"

class ClpSimplex;

namespace polystep::solvers {

struct SearchOutcome {
  MilpStatus status = MilpStatus::kFailed;
  std::vector<double>
      solution{};      // [columns], the best found, integers up to CBC's tolerance; empty without one
  double bound = 0.0;  // no solution has a smaller objective
  std::int64_t nodes = 0;
};

// Minimises over the columns of `root` that are marked as integer there; `root` holds its solved relaxation.
SearchOutcome branch_and_cut(ClpSimplex& root, const MilpLimits& limits);

}  // namespace polystep::solvers
