// The numbers of a small programme as dense arrays, and what can be proved from them alone.
//
//   minimise objective . x   with   lower ≤ x ≤ upper   and   lower ≤ matrix x ≤ upper
//
// Sums of rows count as variables of their own, behind the columns: variable `sum_of(row)`. Rows of the
// matrix are padded to whole vectors; the padding counts as columns that are fixed at 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simd/lanes.hpp"
#include "solvers/milp/milp_model.hpp"

namespace polystep::solvers {

using DenseLanes = simd::FourLanes;  // rows are padded to whole ones

struct DenseProgramme {
  std::size_t columns = 0, rows = 0;
  std::size_t stride = 0;            // columns and padding
  std::vector<double> matrix;        // [rows × stride]
  std::vector<double> objective;     // [stride]
  std::vector<double> lower, upper;  // [stride + rows], by variable
  std::vector<char> integer;         // [columns]

  void resize(std::size_t column_count, std::size_t row_count);

  std::size_t variables() const { return stride + rows; }
  std::size_t sum_of(std::size_t row) const { return stride + row; }
  const double* row(std::size_t number) const { return matrix.data() + number * stride; }
  double* row(std::size_t number) { return matrix.data() + number * stride; }

  double largest_cost() const;
  double objective_of(std::span<const double> solution) const;  // [columns]

  // How far a solution is outside of the worst bound; see MilpModel::violation_of. [stride], padded with 0
  double violation_of(std::span<const double> solution) const;
};

// Which bounds a proof goes by: the programme's own, or tighter ones of a part of it.
struct DenseBounds {
  const double* lower;  // [stride + rows], by variable
  const double* upper;
};

// No x within the bounds has an objective below `value`, whatever the prices of the rows are: objective . x
// is the prices times the rows' sums and what is left times x, and each of these terms is least at one of its
// bounds. Rounding is allowed for. `reduced` [stride] is what is left of the objective.
//
// Without the objective a value above 0 proves that there is no x at all. What is left of the objective where
// a variable has no bound on the side it favours counts as 0 up to `tolerance`; else there is no bound:
// -infinity.
double dual_bound(const DenseProgramme& programme, const DenseBounds& bounds, std::span<const double> prices,
                  bool with_objective, double tolerance, std::span<double> reduced);

}  // namespace polystep::solvers
