// A task as training sees it where recourse makes the realised cost more than the true parameters: every
// row's cost in units of its own, and a price on decisions that reality makes infeasible.
//
// Where the metric is relative, a row counts by its cost divided by what it costs at best. Training on plain
// costs would mostly serve the rows that are large anyway. The unit of a row is the size of its optimal cost,
// found by one reference solve; it travels with the row as one more true parameter, the last.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/options.hpp"
#include "polystep/preparation.hpp"
#include "polystep/task.hpp"

namespace polystep {

class ChargedTask {
 public:
  // Appends the unit to every row of `data`; relative: optimal costs, which `preparation` finds, else 1 for
  // all rows. Where units are optimal costs, rows without a reference are taken out of `data`. The
  // evaluator's task must outlive this.
  ChargedTask(Evaluator& evaluator, PreparedData& data, bool relative, Preparation& preparation);
  // With another predictor, and units that the caller has found: those of training and validation rows.
  ChargedTask(const Task& plain, std::unique_ptr<Predictor> predictor, PreparedData& data,
              std::span<const double> training_units, std::span<const double> validation_units);
  ~ChargedTask();

  const Task& task() const { return task_; }  // problem, predictor and metric; rows are in `data`
  const Split& plain_training() const { return plain_training_; }  // prepared, without units
  // What every training row costs at best, in its unit; empty where units are not optimal costs.
  std::span<const double> training_optima() const { return training_optima_; }

  // Added to the cost of a row, in its unit, whose decision is infeasible before recourse.
  double price() const { return price_; }
  void set_price(double price) { price_ = price; }

  const SolveCounts& reference_solves() const { return reference_solves_; }

 private:
  class ChargedProblem;

  void take_over(const Task& plain, std::unique_ptr<Predictor> predictor);
  void append_units(PreparedData& data, std::span<const double> training_units,
                    std::span<const double> validation_units);
  std::vector<double> keep_measured(Evaluator& evaluator, Split& split, const std::string& name,
                                    Preparation& preparation);  // returns the optimal costs of what is kept

  double price_ = 0;
  Split plain_training_;
  std::vector<double> training_optima_;
  Task task_;
  SolveCounts reference_solves_;
};

// Adds the options relative-costs and margin.
void add_relative_cost_options(OptionTable& table);

// Whether the options ask for relative costs and the task can have them: predictions enter constraints, the
// metric is relative and its optima are known.
bool wants_relative_costs(const Evaluator& evaluator, const Options& options);

}  // namespace polystep
