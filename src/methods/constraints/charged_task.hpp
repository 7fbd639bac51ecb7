// A task as training sees it where recourse makes the realised cost more than the true parameters: every
// row's cost in units of its own, and a price on decisions that reality makes infeasible.
//
// Where the metric is relative, a row counts by its cost divided by what it costs at best. Training on plain
// costs would mostly serve the rows that are large anyway. The unit of a row is the size of its optimal cost,
// found by one reference solve; it travels with the row as one more true parameter, the last.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/polystepor/prepared_data.hpp"
#include "polystep/preparation.hpp"
#include "polystep/task.hpp"

namespace polystep {

class ChargedTask {
 public:
  // Appends the unit to every row of `data`; relative: optimal costs, which `preparation` finds, else 1 for all
  // rows. Where units are optimal costs, rows without a reference are taken out of `data`. The evaluator's task
  // must outlive this.
  ChargedTask(Evaluator& evaluator, PreparedData& data, bool relative, Preparation& preparation);
  ~ChargedTask();

  const Task& task() const { return task_; }  // problem, predictor and metric; rows are in `data`
  const Split& plain_training() const { return plain_training_; }  // prepared, without units

  // Added to the cost of a row, in its unit, whose decision is infeasible before recourse.
  double price() const { return price_; }
  void set_price(double price) { price_ = price; }

  const SolveCounts& reference_solves() const { return reference_solves_; }

 private:
  class ChargedProblem;

  std::vector<double> keep_measured(Evaluator& evaluator, Split& split, const std::string& name,
                                    Preparation& preparation);  // returns the units of what is kept

  double price_ = 0;
  Split plain_training_;
  Task task_;
  SolveCounts reference_solves_;
};

}  // namespace polystep
