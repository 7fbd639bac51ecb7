// Decisions for predicted constraints as methods see them that look at the constraints themselves: the rows,
// best decisions for true and for predicted ones, and which of them there are none of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/counts.hpp"
#include "polystep/predicted_rows.hpp"
#include "polystep/preparation.hpp"

namespace polystep {

// The predicted rows of a task's problem. Throws InputError where it has none, or the data have not one true
// parameter per output; `method` names who asks.
const PredictedRows& predicted_rows_of(const Task& task, const std::string& method);

// Best decisions of rows of a split, [rows × variables], 0 where there is none.
struct RowDecisions {
  std::vector<double> decisions;
  std::vector<std::uint8_t> failed;  // [rows]
};

class RowSolutions {
 public:
  RowSolutions(Evaluator& evaluator, const PredictedRows& rows);

  std::size_t variables() const { return rows_.variables(); }
  std::span<const double> upper() const { return upper_; }  // [variables], of the box of decisions
  void set_upper(double bound);                             // of variables that are not binary

  // Decisions for predictions [rows × outputs], as they are.
  RowDecisions solve(const Split& split, std::span<const std::size_t> rows,
                     std::span<const double> predictions, SolveCounts& counts);

  // Those for the true parameters of a split, as a part of the preparation.
  RowDecisions references(Preparation& preparation, const char* part, const Split& split,
                          SolveCounts& counts);

 private:
  Evaluator& evaluator_;
  const PredictedRows& rows_;
  std::vector<double> upper_;
};

}  // namespace polystep
