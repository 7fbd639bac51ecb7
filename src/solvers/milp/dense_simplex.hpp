// The simplex method on a whole dictionary, for programmes of a few dozen rows that are solved again and
// again.
//
// Every variable is basic or not, x_B = T x_N, where sums of rows are variables of their own (see
// dense_programme.hpp). A general code spends nearly all of its time on getting ready at this size; here a
// dictionary is copied, and a few pivots lead to the next optimum. Nothing is allocated once an object has
// its size, copies included.
//
// What is found is as good as the arithmetic of the pivots. Whoever needs more proves it from the programme's
// own numbers, with the prices or multipliers that a dictionary offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/milp/dense_programme.hpp"

namespace polystep::solvers {

inline constexpr double kClearlyApart =
    1e-7;  // by how much bounds must exclude each other to prove something

enum class SimplexEnd {
  kOptimal,
  kNoSolution,  // the row `blocked_row()` cannot be brought within its bounds
  kNoEnd,       // the objective falls for ever
  kBeyond,      // the objective has passed the limit that was given
  kStuck,       // no convergence
};

class DenseSimplex {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Makes the sums of rows basic, and the programme's objective and bounds those of the dictionary.
  void load_matrix(const DenseProgramme& programme);
  // Makes these columns basic, as far as they are independent, in the order of the best pivots. Sums of rows
  // that are among them stay. [variables]
  void bring_in(std::span<const char> basis);
  // Other numbers for the dictionary as it stands: values are none until `place` or `place_for_prices`.
  void load_numbers(const DenseProgramme& programme);

  // Variables that are not basic go to the bound that their reduced cost favours. False where one has no such
  // bound.
  bool place_for_prices();
  // They go to the upper bound where `high` says so, else to the lower one, whatever they cost. [variables]
  void place(std::span<const char> high);
  bool within_bounds() const;
  // Reduced costs of the objective for the dictionary as it stands, and of none.
  void price(const DenseProgramme& programme);
  void price_nothing();

  SimplexEnd run_dual(double limit = kUnbounded);  // from favoured bounds
  SimplexEnd run_primal();                         // from within bounds

  std::size_t rows() const { return rows_; }
  double objective() const { return objective_; }  // kept by run_dual, from `sum_objective`
  void sum_objective(const DenseProgramme& programme);
  double value(std::size_t variable) const { return value_[variable]; }
  double lower(std::size_t variable) const { return lower_[variable]; }
  double upper(std::size_t variable) const { return upper_[variable]; }
  DenseBounds bounds() const { return {lower_.data(), upper_.data()}; }
  std::size_t basic(std::size_t row) const { return basic_[row]; }
  std::size_t blocked_row() const { return blocked_row_; }
  double dual_tolerance() const { return dual_tolerance_; }
  std::uint64_t take_work();  // table entries touched since it was last asked for

  // Other bounds of a basic variable, or of any variable before all are placed anew.
  void set_bounds(std::size_t variable, double lower, double upper);
  // Tighter ones for those that are not basic: tighten(variable, value, lower, upper) keeps the value within.
  template <class Tighten>
  void tighten_nonbasic(const Tighten& tighten) {
    for (std::size_t j = 0; j < columns_; ++j) {
      if (side_[j] == 0) continue;
      const std::size_t variable = nonbasic_[j];
      tighten(variable, value_[variable], lower_[variable], upper_[variable]);
      if (lower_[variable] == upper_[variable]) side_[j] = 0;
    }
  }

  // What the dictionary says rows are worth, [rows].
  void read_prices(std::span<double> prices) const;
  // The equation of a dictionary's row as a sum of rows of the programme, [rows].
  void read_multipliers(std::size_t row, std::span<double> multipliers) const;
  // The least that the objective grows per unit by which a row's variable is made to rise, or fall. Infinite
  // where it cannot.
  struct Slopes {
    double rise, fall;
  };
  Slopes slopes(std::size_t row) const;

 private:
  double* table(std::size_t row) { return table_.data() + row * stride_; }
  const double* table(std::size_t row) const { return table_.data() + row * stride_; }
  const double* reduced() const { return table(rows_); }
  double outside(std::size_t variable) const;
  double tolerance_at(double value) const;
  void settle();
  std::size_t worst_row() const;
  std::size_t entering_for(std::size_t row, double wanted);
  void move(std::size_t position, double step);
  void pivot(std::size_t row, std::size_t position);
  bool is_free(std::size_t variable) const;

  std::size_t columns_ = 0, rows_ = 0, stride_ = 0;
  std::vector<double> table_;                    // [rows + 1 × stride]; the last row: reduced costs
  std::vector<std::uint32_t> basic_, nonbasic_;  // [rows], [columns]
  std::vector<double> side_;  // [stride], 1: at the lower bound, -1: at the upper one, 0: neither
  std::vector<double> value_, lower_, upper_;  // [stride + rows], by variable
  std::vector<double> scratch_;                // [stride]
  std::size_t free_count_ = 0;                 // variables without bounds that are not basic
  std::size_t blocked_row_ = kNone;
  double dual_tolerance_ = 0;
  double objective_ = 0;
  std::uint64_t work_ = 0;
};

// Whether the programme's own numbers say too, and clearly, that the dictionary's blocked row cannot be
// brought within its bounds: within those of the dictionary there is no solution. multipliers: [rows],
// reduced: [stride].
bool proves_no_solution(const DenseProgramme& programme, const DenseSimplex& blocked,
                        std::span<double> multipliers, std::span<double> reduced);

}  // namespace polystep::solvers
