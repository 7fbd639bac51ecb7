// What a task file says about its model: the sections [model], [[predict]], [[known]], [[penalty]] and
// [recourse].
//
//   [model]
//   file = "plan.mps"           # MPS, or CPLEX LP
//   backend = "coin"            # or highs
//
//   [[predict]]                 # one or more
//   rhs = "demand_*"            # or objective, lower, upper, row-lower, row-upper, entry = ["row", "column"]
//   truth = "load_*"            # column of truth.csv; stars stand for the same letters [the name itself]
//
//   [[known]]                   # the same, from the table of known data
//   upper = "wind_*"
//   column = "wind_*"
//
//   [[penalty]]                 # what a broken constraint costs per unit
//   rows = "demand_*"
//   below = 100.0
//
//   [recourse]                  # what may still change once the truth is known
//   free = ["buy_*"]
#pragma once

#include <string>
#include <vector>

#include "own/task_section.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep {

// Where a number goes in a model.
enum class SlotKind { kObjective, kRightSide, kRowLower, kRowUpper, kColumnLower, kColumnUpper, kEntry };

// One section [[predict]] or [[known]].
struct SlotRule {
  SlotKind kind = SlotKind::kObjective;
  std::string pattern;         // over columns, or rows, or the rows of entries
  std::string column_pattern;  // of entries
  std::string table_column;    // pattern of the table's columns; without stars: one number for all matches
  double factor = 1;           // model's number = factor × table's number
  std::string where;           // for messages

  std::string describe() const;  // "rhs = \"demand_*\""
};

struct PenaltyRule {
  std::string pattern;
  bool rows = true;  // false: bounds of columns
  double below = 0;  // price per unit below the lower side, and above the upper one
  double above = 0;
  std::string where;
};

struct ModelSpec {
  enum class OnFailure { kFailureCost, kUsualDecision };

  std::string file;
  std::string format;  // "mps", "fixed-mps" or "lp"
  std::string where;
  solvers::MilpEngine engine = solvers::MilpEngine::kCoin;
  solvers::MilpLimits limits;
  OnFailure on_failure = OnFailure::kFailureCost;
  std::vector<SlotRule> predicted;
  std::vector<SlotRule> known;
  std::vector<PenaltyRule> penalties;
  std::vector<std::string> free_columns;  // patterns
  std::string free_where;
};

ModelSpec parse_model_spec(const TaskSection& root);

}  // namespace polystep
