// A mixed-integer linear programme as plain data: what the general solver of milp.hpp reads.
//
//   minimise or maximise   sum over columns of objective × value
//   subject to             row lower ≤ sum over entries of coefficient × value ≤ row upper
//                          column lower ≤ value ≤ column upper, whole numbers where integer is set
//
// A bound may be infinite; equal bounds make an equality. Entries of one row that name the same column add
// up.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace polystep::solvers {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

enum class Sense { kMinimise, kMaximise };

struct MilpColumn {
  double lower = 0.0;
  double upper = kUnbounded;
  double objective = 0.0;
  bool integer = false;
  std::string name{};  // optional, for error messages
};

struct MilpEntry {
  std::size_t column = 0;
  double coefficient = 0.0;
};

struct MilpRow {
  std::vector<MilpEntry> entries{};
  double lower = -kUnbounded;
  double upper = kUnbounded;
  std::string name{};  // optional, for error messages
};

struct MilpModel {
  Sense sense = Sense::kMinimise;
  std::vector<MilpColumn> columns{};
  std::vector<MilpRow> rows{};

  // Each returns the index of what it added.
  std::size_t add_column(double lower, double upper, double objective);
  std::size_t add_integer(double lower, double upper, double objective);
  std::size_t add_binary(double objective) { return add_integer(0.0, 1.0, objective); }
  std::size_t add_row(std::vector<MilpEntry> entries, double lower, double upper);

  // Throws InputError where the model cannot be read as written above: no columns, a number that is not
  // finite (bounds apart), crossed bounds, an entry for a column that does not exist.
  void check() const;

  // The objective of a solution, added up in the order of the columns. solution: [columns]
  double objective_of(std::span<const double> solution) const;

  // How far a solution is outside of the worst row or column bound, 0 where it is within all. Whole numbers
  // are not asked for. Rows count relative to their largest term or bound, where that exceeds 1, because a
  // sum rounds in proportion to its terms; columns count relative to their bounds. solution: [columns]
  double violation_of(std::span<const double> solution) const;
};

// One rule for the bounds of rows and columns, whether given with the model or changed later: `place` says
// whose.
void check_bounds(const std::string& place, double lower, double upper);

// How error messages name a part of the model: "MILP column 3 ('stock')".
std::string place_of(const char* kind, std::size_t index, const std::string& name);

}  // namespace polystep::solvers
