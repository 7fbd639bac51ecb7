// A small programme, linear or with whole numbers, that is solved again and again with other numbers.
//
// A general code spends nearly all of its time on getting ready at this size. Here that is done once per
// model:
//   - columns that are given with each solve, rather than chosen, are taken out: only their part of each row
//   is left;
//   - rows of a single column become bounds of that column, rows of none are merely looked at;
//   - what is left is a dense programme whose dictionary at a reference basis is kept ready.
// A solve loads the numbers, copies the dictionary, pivots (dense_simplex.hpp) and branches where columns are
// whole numbers (dense_search.hpp). Nothing is allocated after the first solves.
//
// Every answer is proved from the programme's own numbers: an optimum by a solution and a bound that meet,
// the absence of solutions by multipliers. What does not come out clearly, is unbounded or takes too long is
// left to the general code, so this one only has to be right where it says so.
//
// Same numbers, same answer, to the bit: nothing is kept from one solve to the next. Which of several equally
// good solutions is found is not specified.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solvers/milp/dense_search.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {

// The numbers of one solve, in the order and the sense of the model.
struct ProgrammeNumbers {
  std::span<const double> objective;                   // [columns]
  std::span<const double> column_lower, column_upper;  // [columns]
  std::span<const double> row_lower, row_upper;        // [rows]
  std::span<const double> entries{};                   // [SmallShape::entries], their coefficients
  std::span<const double> given{};                     // [columns], read where SmallShape::given says so
};

// What can change besides objective and bounds.
struct SmallShape {
  std::vector<char> given{};  // [columns] or empty: the column's value comes with the solve
  std::vector<std::pair<std::size_t, std::size_t>> entries{};  // rows and entries whose coefficients change
};

class SmallProgramme {
 public:
  // The model gives the structure; all its numbers but constant coefficients come with each solve.
  SmallProgramme(const MilpModel& model, SmallShape shape);

  bool suits() const { return suits_; }  // of a size where dense is fast; only then can it solve

  // `places` [columns + rows of the model] is a basis to start solves from; without one it is the rows' sums.
  void start_from(std::span<const BasisPlace> places);

  // Writes the solution [columns] where there is one. Nothing: it is for the general code to say.
  std::optional<MilpStatus> solve(const ProgrammeNumbers& numbers, const MilpLimits& limits,
                                  std::span<double> solution);

  std::int64_t nodes() const { return nodes_; }  // of the last solve
  std::size_t dense_rows() const { return dense_.rows; }
  std::size_t dense_columns() const { return dense_.columns; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Term {
    std::size_t column;  // of the model, or of the dense programme
    double coefficient;
    std::size_t entry;  // which of the changing entries, or kNone
  };
  struct Row {
    std::size_t number = 0;         // of the model
    std::size_t dense = kNone;      // of the dense programme
    std::vector<Term> given, kept;  // kept ones count the dense programme's columns
  };
  enum class Loaded { kReady, kInfeasible, kUnclear };

  std::size_t rows_to_keep(const MilpModel& model, std::span<const std::size_t> place) const;
  bool fits(std::size_t dense_rows) const;
  Loaded load(const ProgrammeNumbers& numbers);
  bool load_columns(const ProgrammeNumbers& numbers);
  Loaded load_row(const Row& row, const ProgrammeNumbers& numbers);
  Loaded tighten(const Term& term, double lower, double upper, double scale);
  void rebuild();
  SimplexEnd relax();
  bool verified(std::span<const double> solution);

  bool suits_ = false;
  double sign_ = 1;
  std::size_t model_columns_ = 0;
  std::vector<std::size_t> kept_;   // columns of the model
  std::vector<std::size_t> given_;  // the others
  std::vector<std::size_t> given_integers_;
  std::vector<std::size_t> integers_;  // of the dense programme
  std::vector<Row> rows_;
  bool matrix_changes_ = false;
  DenseProgramme dense_;
  std::vector<char> wanted_;  // [dense variables], basic at the start
  std::vector<char> high_;    // [dense variables], at the upper bound at the start
  DenseSimplex reference_;
  bool built_ = false;

  // Of the present solve.
  DenseSimplex node_;
  DenseSearch search_;
  std::vector<double> chosen_;            // [stride]
  std::vector<double> prices_, reduced_;  // [dense rows], [stride]
  std::int64_t nodes_ = 0;
};

}  // namespace polystep::solvers
