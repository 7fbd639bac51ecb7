// The data side of a task of one's own: which tables hold features and truth, and which rows are for what.
//
//   [data]
//   features = "features.csv"   # a row per instance; for a shared predictor one per instance and output
//   truth = "truth.csv"         # a row per instance: what turned out to be true
//   known = "known.csv"         # optional, a row per instance: what is known when deciding
//   split = "random"            # or "in-order" (the last rows are the test), or "column"
//   validation = 0.2            # shares of all rows
//   test = 0.2
//   format = "long"             # tables of instances that differ in size: see long_table.hpp
//
// Reading the section (parse_data) is apart from reading the tables (read_tables), which is apart from making
// the data set: only the problem knows which columns of the truth it predicts.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/tables/csv.hpp"
#include "own/long_table.hpp"
#include "own/task_section.hpp"
#include "polystep/dataset.hpp"

namespace polystep {

struct DataSpec {
  enum class Deal { kRandom, kInOrder, kColumn };

  bool long_format = false;  // a row per instance and output, instances differ in size
  LongColumns long_columns;  // of tables in long format
  std::string features;      // paths as the file has them, relative to its folder
  std::string truth;
  std::optional<std::string> known;
  std::vector<std::string> feature_columns;  // empty: all columns, but for the one that deals
  std::vector<std::string> truth_columns;    // empty: all columns
  std::vector<std::string> known_columns;    // empty: all columns
  Deal deal = Deal::kRandom;
  std::string split_column;  // of features.csv: 0 training, 1 validation, 2 test
  double validation = 0.2;   // shares of all rows
  double test = 0.2;
  std::uint64_t split_seed = 0;
  bool standardise = true;  // features to mean 0 and deviation 1 over the training rows
  std::string where;        // of the section, for messages

  std::vector<std::string> files() const;
};

DataSpec parse_data(const TaskSection& section);

struct OwnTables {
  CsvTable features;
  CsvTable truth;
  std::optional<CsvTable> known;
  std::vector<double> parts;  // the column that deals the rows, where there is one
  // Of tables in long format; rows of the truth and of known data are put in the order of the features.
  std::vector<std::size_t> begin;        // [instances + 1], rows of features and truth
  std::vector<std::size_t> known_begin;  // [instances + 1], rows of known data

  bool long_format() const { return !begin.empty(); }
  std::size_t instances() const { return long_format() ? begin.size() - 1 : truth.rows; }
};

// Throws InputError where tables do not fit together.
OwnTables read_tables(const DataSpec& spec, const std::filesystem::path& folder);

// Rows dealt, features standardised. Truth holds the given columns of truth.csv in this order, one per
// output. `rows_each`: table rows of features per instance, more than 1 for predictors shared by outputs.
// Neither counts for tables in long format, whose rows tell both; their splits are ragged.
Dataset make_dataset(const DataSpec& spec, const OwnTables& tables,
                     std::span<const std::size_t> truth_columns, std::size_t rows_each);

}  // namespace polystep
