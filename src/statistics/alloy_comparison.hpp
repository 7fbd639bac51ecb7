// Finished runs on alloys as a table: infeasibility, conditional regret and regret after recourse of every
// method, over its seeds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "statistics/run_record.hpp"

namespace polystep {

// Of the seeds that have the figure; its deviation is that of the population, as published.
struct SeedFigure {
  std::size_t seeds = 0;
  double mean = 0;
  double deviation = 0;
  double median = 0;
};

// The three figures in one form.
struct RecourseRow {
  SeedFigure infeasible;
  SeedFigure conditional_regret;
  SeedFigure regret;
};

struct AlloyRow {
  std::string method;
  std::string preset;
  std::size_t runs = 0;
  RecourseRow batches;  // as published; infeasible: the larger of the shares infeasible and without decision
  RecourseRow test;     // over all test rows
  RecourseRow fresh;    // over fresh rows
  SeedFigure prediction_deviation;  // of predictions for test rows from their mean
  double failed = 0;                // mean share of test rows without a decision
  double core_seconds = 0;          // mean of training
  double training_solves = 0;
};

struct AlloyTable {
  std::string setting;
  std::vector<AlloyRow> rows;  // in the order of the runs
};

// What one number predicted for every parameter comes to: a point of the feature-blind curve.
struct BlindPoint {
  double level = 0;
  double infeasible = 0;
  std::optional<double> conditional_regret;
  double regret = 0;
};

// Rows of a setting in the order in which their first runs come.
std::vector<AlloyTable> compare_alloy_runs(const std::vector<RunRecord>& runs);

}  // namespace polystep
