// Runs the cells of a benchmark grid side by side and keeps every finished one.
//
// Each cell is trained by one thread, so its result does not depend on how many run at once. A cell that
// fails is remembered and the others go on. `interrupted` is asked between steps and between pieces of longer
// work; once it says so, cells in work are given up, so that a later call trains them from their start.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "polystep/team.hpp"
#include "runtime/bench/benchmark_grid.hpp"
#include "runtime/bench/results_csv.hpp"
#include "runtime/run/progress.hpp"

namespace polystep {

struct GridOutcome {
  std::size_t trained = 0;
  std::size_t skipped = 0;            // their results were there already
  std::vector<std::string> failures;  // one sentence per failed cell, in the order of the grid
  bool interrupted = false;           // before all cells were done
};

GridOutcome run_grid(const std::vector<GridCell>& cells, ResultsFile& results, Team& team, Progress& progress,
                     const std::function<bool()>& interrupted = {});

}  // namespace polystep
