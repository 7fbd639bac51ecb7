// Tables in long format: a column says which instance a row belongs to, and instances have any number of
// rows.
//
//   instance,name,price        features.csv: a row per instance and output
//   monday,alder,3.5
//   monday,birch,4
//   tuesday,alder,3.25
//
// Instances are called by any text. Rows of one instance follow one another; a column of names is optional,
// and no instance has a name twice.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "data/tables/csv.hpp"
#include "data/tables/csv_reader.hpp"

namespace polystep {

struct LongColumns {
  std::string instance = "instance";
  std::string name = "name";  // optional in every table
};

// The rows of one instance.
struct LongInstance {
  std::string label;
  std::vector<std::string> names;  // [rows]; empty where the table has none
  std::vector<double> values;      // [rows × columns]
  std::size_t rows = 0;
};

// Instance by instance: files of any size in little memory.
class LongReader {
 public:
  // Only the columns in `wanted`, in that order, or all besides the two above where it is empty.
  LongReader(const std::filesystem::path& path, const std::vector<std::string>& wanted,
             const LongColumns& columns);

  const std::string& name() const { return rows_.name(); }
  const std::vector<std::string>& columns() const { return rows_.columns(); }

  bool next(LongInstance& instance);  // false at the end of the file; throws InputError

 private:
  void read_row();

  CsvReader rows_;
  LongColumns columns_;
  std::vector<double> row_;  // read ahead: the first of the next instance
  bool ended_ = false;
  std::set<std::string> seen_;
};

struct LongTable {
  CsvTable numbers;                 // of all columns but the two above
  std::vector<std::string> labels;  // [instances]
  std::vector<std::size_t> begin;   // [instances + 1], rows
  std::vector<std::string> names;   // [rows]; empty where the table has none
  std::vector<std::size_t> lines;   // [instances], of the file, where each begins
};

LongTable read_long_table(const std::filesystem::path& path, const std::vector<std::string>& wanted,
                          const LongColumns& columns);

// The table with its instances in the order of another's. Throws InputError unless both have the same ones.
LongTable in_order_of(const LongTable& first, const LongTable& table);

// Throws InputError unless each instance has as many rows in both tables, with the same names where both have
// names. Instances are in the same order.
void check_same_rows(const LongTable& first, const LongTable& table);

}  // namespace polystep
