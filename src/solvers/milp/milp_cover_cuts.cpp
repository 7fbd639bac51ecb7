#include "solvers/milp/milp_cover_cuts.hpp"

#include <CoinPackedMatrix.hpp>
#include <OsiSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace polystep::solvers {
namespace {

void free_fixed_binaries(OsiSolverInterface& solver) {
  for (int column = 0; column < solver.getNumCols(); ++column) {
    const double value = solver.getColLower()[column];
    const bool fixed = value == solver.getColUpper()[column] && (value == 0.0 || value == 1.0);
    if (fixed && solver.isInteger(column)) solver.setColBounds(column, 0.0, 1.0);
  }
}

// Far more than sums round, far less than the 1e-5 within which CGL takes a row to be tight.
void widen_rows(OsiSolverInterface& solver) {
  const CoinPackedMatrix matrix(*solver.getMatrixByRow());  // new row bounds may drop the solver's
  for (int row = 0; row < matrix.getNumRows(); ++row) {
    double size = 1.0;
    for (CoinBigIndex entry = matrix.getVectorFirst(row); entry < matrix.getVectorLast(row); ++entry)
      size += std::abs(matrix.getElements()[entry]);
    const double lower = solver.getRowLower()[row];  // infinite ones are too large to change
    const double upper = solver.getRowUpper()[row];
    solver.setRowBounds(row, lower - 1e-9 * size, upper + 1e-9 * size);
  }
}

}  // namespace

void CoverCuts::generateCuts(const OsiSolverInterface& solver, OsiCuts& cuts, const CglTreeInfo info) {
  const std::vector<double> solution(solver.getColSolution(), solver.getColSolution() + solver.getNumCols());
  const std::unique_ptr<OsiSolverInterface> relaxed(solver.clone());
  free_fixed_binaries(*relaxed);
  widen_rows(*relaxed);
  relaxed->setColSolution(solution.data());  // new bounds may drop it, and it is what cuts should exclude
  CglKnapsackCover::generateCuts(*relaxed, cuts, info);
}

}  // namespace polystep::solvers
