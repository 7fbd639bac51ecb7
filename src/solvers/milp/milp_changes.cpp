// Other numbers in a model that stays loaded, and the basis that its solves start from.
#include <fmt/format.h>

#include <algorithm>

#include "polystep/error.hpp"
#include "solvers/milp/milp_backend.hpp"
#include "solvers/milp/milp_simplex.hpp"

namespace polystep::solvers {

const MilpModel& MilpSolver::model() const { return backend_->model; }

void MilpSolver::set_objective(std::span<const double> objective) {
  auto& columns = backend_->model.columns;
  if (objective.size() != columns.size()) {
    throw InputError(fmt::format("MILP objective: it has {} numbers, expected one for each of {} columns.",
                                 objective.size(), columns.size()));
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!std::isfinite(objective[column])) {
      throw InputError(fmt::format("{}: its objective is {}, expected a finite number.",
                                   place_of("column", column, columns[column].name), objective[column]));
    }
  }
  for (std::size_t column = 0; column < columns.size(); ++column)
    columns[column].objective = objective[column];
  backend_->load_objective();
}

void MilpSolver::set_column_bounds(std::size_t column, double lower, double upper) {
  auto& columns = backend_->model.columns;
  if (column >= columns.size()) {
    throw InputError(
        fmt::format("MILP column {}: it does not exist, expected one below {}.", column, columns.size()));
  }
  check_bounds(place_of("column", column, columns[column].name), lower, upper);
  columns[column].lower = lower;
  columns[column].upper = upper;
  backend_->pristine.columnLower()[column] = coin_bound(lower);
  backend_->pristine.columnUpper()[column] = coin_bound(upper);
  if (backend_->highs) backend_->highs->set_column_bounds(column, lower, upper);
}

void MilpSolver::set_row_bounds(std::size_t row, double lower, double upper) {
  auto& rows = backend_->model.rows;
  if (row >= rows.size()) {
    throw InputError(fmt::format("MILP row {}: it does not exist, expected one below {}.", row, rows.size()));
  }
  check_bounds(place_of("row", row, rows[row].name), lower, upper);
  rows[row].lower = lower;
  rows[row].upper = upper;
  backend_->pristine.rowLower()[row] = coin_bound(lower);
  backend_->pristine.rowUpper()[row] = coin_bound(upper);
  if (backend_->highs) backend_->highs->set_row_bounds(row, lower, upper);
}

void MilpSolver::set_coefficient(std::size_t row, std::size_t entry, double coefficient) {
  auto& rows = backend_->model.rows;
  if (row >= rows.size() || entry >= rows[row].entries.size())
    throw InputError(fmt::format("MILP row {}: it has no entry {}, expected one of the model's", row, entry));
  if (!std::isfinite(coefficient))
    throw InputError(fmt::format("{}: a coefficient is {}, expected a finite number",
                                 place_of("row", row, rows[row].name), coefficient));
  MilpEntry& target = rows[row].entries[entry];
  target.coefficient = coefficient;
  backend_->pristine.modifyCoefficient(static_cast<int>(row), static_cast<int>(target.column), coefficient,
                                       true);
  if (backend_->highs) backend_->highs->set_coefficient(row, target.column, coefficient);
}

void MilpSolver::start_from_here() {
  if (backend_->numbers_beyond_reach()) return;
  ClpSimplex simplex(backend_->pristine);
  if (run_simplex(simplex, kUnbounded) != MilpStatus::kOptimal) return;
  ClpSimplex& pristine = backend_->pristine;
  pristine.createStatus();
  const auto columns = static_cast<std::size_t>(pristine.numberColumns());
  const auto rows = static_cast<std::size_t>(pristine.numberRows());
  std::copy_n(simplex.statusArray(), rows + columns, pristine.statusArray());
  std::copy_n(simplex.primalColumnSolution(), columns, pristine.primalColumnSolution());
  std::copy_n(simplex.primalRowSolution(), rows, pristine.primalRowSolution());
}

std::vector<BasisPlace> MilpSolver::start_basis() const {
  const ClpSimplex& start = backend_->pristine;
  std::vector<BasisPlace> places;
  if (!start.statusExists()) return places;
  const auto add = [&](bool basic, double value, double lower, double upper) {
    const bool high = value - lower > upper - value;
    places.push_back(basic ? BasisPlace::kBasic : high ? BasisPlace::kUpper : BasisPlace::kLower);
  };
  for (int column = 0; column < start.numberColumns(); ++column)
    add(start.getColumnStatus(column) == ClpSimplex::basic, start.primalColumnSolution()[column],
        start.columnLower()[column], start.columnUpper()[column]);
  for (int row = 0; row < start.numberRows(); ++row)
    add(start.getRowStatus(row) == ClpSimplex::basic, start.primalRowSolution()[row], start.rowLower()[row],
        start.rowUpper()[row]);
  return places;
}

}  // namespace polystep::solvers
