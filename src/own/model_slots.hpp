// From patterns to places: which numbers of a model come from which columns of a table.
#pragma once

#include <string>
#include <vector>

#include "data/models/linear_model.hpp"
#include "data/tables/csv.hpp"
#include "own/model_spec.hpp"

namespace polystep {

// One number of the model that is filled in for each instance.
struct ModelSlot {
  SlotKind kind = SlotKind::kObjective;
  std::size_t index = 0;  // of the column, or of the row
  std::size_t entry = 0;  // of the row's entries, for kEntry
  double factor = 1;
  std::size_t source = 0;  // which of the numbers given: see SlotTable
};

struct SlotTable {
  std::vector<ModelSlot> slots;
  std::vector<std::size_t> columns;  // of the table: number `source` of an instance is in columns[source]
  std::vector<std::string> names;    // of those columns
  std::vector<std::string> matches;  // for people: "rhs = \"demand_*\" matches 24 rows: demand_0, ..."
};

// Throws InputError where a pattern matches nothing, a column is missing, a place is filled twice (also by
// `others`) or a right-hand side has two different sides.
SlotTable match_slots(const std::vector<SlotRule>& rules, const LinearModel& model, const std::string& file,
                      const CsvTable& table, const SlotTable* others = nullptr);

// The numbers of a model that slots write to; all of it starts as the file has it.
struct ModelNumbers {
  explicit ModelNumbers(const solvers::MilpModel& model);

  std::vector<double> objective;                   // [columns]
  std::vector<double> column_lower, column_upper;  // [columns]
  std::vector<double> row_lower, row_upper;        // [rows]
  std::vector<std::vector<double>> coefficients;   // [rows], each [entries]

  void fill(const std::vector<ModelSlot>& slots, const double* values);  // values[source]
};

// Names of a model's columns or rows that a pattern matches; none is an InputError.
std::vector<std::size_t> match_columns(const std::string& pattern, const LinearModel& model,
                                       const std::string& file, const std::string& where);
std::vector<std::size_t> match_rows(const std::string& pattern, const LinearModel& model,
                                    const std::string& file, const std::string& where);

}  // namespace polystep
