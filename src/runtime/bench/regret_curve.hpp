// Test regret against solver calls: how dear a regret is, for each method of a grid.
//
// Test rows are measured beside the training and never reach it. Solver calls are those really made: probes
// that were proven not to change a decision cost none, and reference decisions count for the methods that
// need them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polystep/team.hpp"
#include "runtime/bench/benchmark_grid.hpp"
#include "runtime/run/progress.hpp"

namespace polystep {

struct CurvePoint {
  std::size_t step = 0;
  double solves = 0;  // since the start of the run
  double regret = 0;  // on test rows
  double failed = 0;  // share of test rows without a decision or without a reference
};

struct RegretCurve {
  std::string method;  // "fenchel-young", "polystepor (best)"
  std::vector<CurvePoint> points;
};

// Steps worth a look: the start, the first few, then a quarter further each time, and the last.
std::vector<std::size_t> traced_steps(std::size_t steps);

// One curve per method and preset, in the order they first appear: the mean over the seeds, step by step. A
// run that stopped early stays where it stopped. All cells must be of one problem and setting.
std::vector<RegretCurve> regret_curves(const std::vector<GridCell>& cells, Team& team, Progress& progress);

// The fewest solver calls after which the curve stays at or below a regret; none where it ends above.
std::optional<double> solves_to_reach(const RegretCurve& curve, double regret);

}  // namespace polystep
