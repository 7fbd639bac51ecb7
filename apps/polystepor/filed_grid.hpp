// Grids of runs whose results are filed as they come: a table in a directory, progress, interrupts, the end.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runtime/bench/grid_runner.hpp"

namespace polystep {

// What every command that runs a grid is told.
struct GridFiling {
  std::string command;  // "polystepor bench", for what it says
  std::filesystem::path directory;
  std::int64_t threads = 1;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

class FiledGrid {
 public:
  // Runs the cells and keeps each result in directory/results.csv as soon as it is there. `before` is called
  // once the table is open and before the first run. From now on interrupts end the runs in work, not the
  // program.
  FiledGrid(const GridFiling& filing, const std::vector<GridCell>& cells,
            const std::function<void()>& before = {});

  // Of this call and of earlier ones: a table may be filled bit by bit.
  const std::vector<RunRecord>& runs() const { return runs_; }
  const GridOutcome& outcome() const { return outcome_; }

  // The last lines of a command, and its exit code: `text`, what was trained, and what failed or was left.
  int finish(const std::string& text) const;

 private:
  GridFiling filing_;
  std::size_t cells_;
  double seconds_ = 0;
  GridOutcome outcome_;
  std::vector<RunRecord> runs_;
};

}  // namespace polystep
