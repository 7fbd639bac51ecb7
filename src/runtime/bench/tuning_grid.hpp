// The runs behind `polystepor tune`: a scrambled Sobol design over options, every point trained on the tuning
// seeds, the best chosen by validation cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/bench/benchmark_grid.hpp"
#include "runtime/bench/tuning_axis.hpp"
#include "statistics/run_record.hpp"

namespace polystep {

struct TuningRequest {
  std::string problem;
  std::optional<std::string> method = {};  // not given: the problem's default
  std::optional<std::string> preset = {};  // not given: the method's first
  std::vector<std::string> axes = {};      // empty: those that the preset, or else the method, states
  std::size_t points = 32;                 // a power of 2 spreads evenly
  std::uint64_t design_seed = 0;
  std::vector<std::uint64_t> seeds = {7, 8};  // to train on; results are later reported for others
  std::vector<GivenOption> given = {};        // the same for every point
  std::optional<std::string> data = {};
};

// One point of the design.
struct TuningPoint {
  std::vector<std::string> values;   // [axes], before anything is multiplied
  std::vector<GivenOption> options;  // as they are set

  std::string text() const;  // "rate=0.01 alpha=0.5"
};

struct TuningGrid {
  std::vector<TuningAxis> axes;
  std::vector<TuningPoint> points;
  std::vector<GridCell> cells;  // seed by seed, the points in order
  std::string description;      // of everything that a result depends on; equal texts mean equal grids
};

// Unknown names, values outside an option's bounds and a design without axes are an InputError.
TuningGrid tuning_grid(const ProblemRegistry& problems, const TuningRequest& request);

// The points alone. `base` is the run that they change.
std::vector<TuningPoint> tuning_points(const std::vector<TuningAxis>& axes, std::size_t count,
                                       std::uint64_t seed, const RunRequest& base);

// How one point did. Points that some seed did not finish come last and have no mean.
struct TuningTrial {
  std::size_t point = 0;
  std::vector<std::optional<double>> costs;  // [seeds], of validation
  std::optional<double> mean;
};

// The best first; of equals the earlier point.
std::vector<TuningTrial> rank_trials(const TuningGrid& grid, const std::vector<std::uint64_t>& seeds,
                                     const std::vector<RunRecord>& runs);

// A configuration that trains a problem as a cell of the grid did, but for the seed.
RunConfig tuned_config(const GridCell& cell, const TuningPoint& point, const TuningRequest& request);

}  // namespace polystep
