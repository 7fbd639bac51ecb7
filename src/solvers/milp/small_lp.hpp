// A small linear programme that is solved again and again with other numbers: dense, and always from the same
// reference basis.
//
// A general code spends nearly all of its time on getting ready when the programme has a few dozen rows. Here
// the dictionary of the reference basis is kept ready, x_B = T x_N, where the row sums count as variables of
// their own with the rows' sides as bounds; it is copied, and a few pivots of the dual or the primal simplex
// lead to the new optimum. Each answer is checked against the programme itself, signs of reduced costs
// included. What does not come out clearly (no optimum, no convergence, a failed check) is left to the
// general code, so this one only has to be right where it says so.
//
// Same numbers, same answer, to the bit: nothing is kept from one solve to the next.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/milp/milp.hpp"

namespace polystep::solvers {

// The numbers of a programme in one sense: the objective is minimised.
struct LpNumbers {
  std::span<const double> objective;                   // [columns]
  std::span<const double> column_lower, column_upper;  // [columns]
  std::span<const double> row_lower, row_upper;        // [rows]
};

class SmallLp {
 public:
  static bool suits(const MilpModel& model);  // no whole numbers, and of a size where dense is fast

  // `places` [columns + rows] is the reference basis, with as many basic variables as there are rows.
  SmallLp(const MilpModel& model, std::span<const BasisPlace> places);

  bool ready() const { return ready_; }  // false: the basis was none

  // Writes the optimum [columns] and returns true, or returns false where it is for others to say.
  bool solve(const LpNumbers& numbers, std::span<double> solution);

 private:
  std::size_t variables() const { return columns_ + rows_; }
  bool load(const LpNumbers& numbers);
  bool place(std::size_t variable, double reduced_cost);
  bool primal_feasible() const;
  bool run_dual();
  bool run_primal();
  std::size_t entering_for(std::size_t row, double wanted) const;
  void move(std::size_t position, double step);
  void pivot(std::size_t row, std::size_t position);
  bool verified(const LpNumbers& numbers, std::span<const double> solution) const;
  double outside(std::size_t variable) const;

  std::size_t columns_ = 0, rows_ = 0;
  MilpModel model_;
  bool ready_ = false;
  std::vector<std::size_t> reference_basic_;     // [rows], variables; a row's sum is columns_ + row
  std::vector<std::size_t> reference_nonbasic_;  // [columns]
  std::vector<char> starts_high_;                // [columns], at the upper bound
  std::vector<double> reference_table_;          // [rows × columns]

  // Of the present solve.
  std::vector<std::size_t> basic_, nonbasic_;
  std::vector<double> table_;          // [rows × columns]
  std::vector<double> reduced_;        // [columns], of the nonbasic variables
  std::vector<double> value_;          // [columns + rows]
  std::vector<double> lower_, upper_;  // [columns + rows]
  std::vector<double> scratch_;        // [columns]
  double dual_tolerance_ = 0;
};

}  // namespace polystep::solvers
