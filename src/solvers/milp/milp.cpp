#include "solvers/milp/milp.hpp"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <CoinError.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "polystep/error.hpp"
#include "solvers/milp/milp_backend.hpp"
#include "solvers/milp/milp_search.hpp"
#include "solvers/milp/milp_simplex.hpp"
#include "solvers/milp/milp_stop.hpp"

namespace polystep::solvers {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CoinPackedMatrix matrix_of(const MilpModel& model) {
  CoinPackedMatrix matrix(false, 0.0, 0.0);
  matrix.setDimensions(0, static_cast<int>(model.columns.size()));
  std::vector<int> columns;
  std::vector<double> coefficients;
  for (const MilpRow& row : model.rows) {
    std::map<std::size_t, double> sums;  // entries of the same column add up
    for (const MilpEntry& entry : row.entries) sums[entry.column] += entry.coefficient;
    columns.clear();
    coefficients.clear();
    for (const auto& [column, coefficient] : sums) {
      if (coefficient == 0.0) continue;
      columns.push_back(static_cast<int>(column));
      coefficients.push_back(coefficient);
    }
    matrix.appendRow(static_cast<int>(columns.size()), columns.data(), coefficients.data());
  }
  return matrix;
}

// CLP and CBC compare objectives with absolute tolerances. This power of two, by which objectives are
// multiplied on the way in, keeps the largest cost between 1 and 2^20, where those tolerances are small but
// not too small.
double objective_scale(const MilpModel& model) {
  double largest = 0.0;
  for (const MilpColumn& column : model.columns) largest = std::max(largest, std::abs(column.objective));
  if (largest == 0.0) return 1.0;
  const int exponent = std::ilogb(largest);
  return std::ldexp(1.0, std::clamp(exponent, 0, 19) - exponent);
}

}  // namespace

void MilpSolver::Backend::load_objective() {
  scale = objective_scale(model) * (model.sense == Sense::kMinimise ? 1.0 : -1.0);
  double* objective = pristine.objective();
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    objective[column] = model.columns[column].objective * scale;
  }
  if (highs) highs->set_objective({objective, model.columns.size()});
}

// A copy to search for whole numbers in: the bounds of integer columns move to whole numbers. They may cross.
ClpSimplex MilpSolver::Backend::integer_copy() const {
  ClpSimplex simplex(pristine);
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    const MilpColumn& source = model.columns[column];
    if (!source.integer) continue;
    simplex.columnLower()[column] = coin_bound(std::ceil(source.lower));
    simplex.columnUpper()[column] = coin_bound(std::floor(source.upper));
  }
  return simplex;
}

// CLP may pass a bound by its tolerance; users of a solution should not have to know.
std::vector<double> MilpSolver::Backend::clamped(const double* values) const {
  std::vector<double> solution(values, values + model.columns.size());
  for (std::size_t column = 0; column < solution.size(); ++column) {
    const MilpColumn& source = model.columns[column];
    solution[column] = std::clamp(solution[column], source.lower, source.upper);
  }
  return solution;
}

MilpResult MilpSolver::Backend::without_solution(MilpStatus status) const {
  MilpResult result;
  result.status = status;
  return result;
}

MilpResult MilpSolver::Backend::with_solution(MilpStatus status, std::vector<double> solution) const {
  MilpResult result;
  result.status = status;
  result.objective = result.bound = model.objective_of(solution);
  result.solution = std::move(solution);
  return result;
}

// Solves the linear programme in `simplex`, leaving its basis there.
MilpResult MilpSolver::Backend::relaxation(ClpSimplex& simplex, double seconds) const {
  const MilpStatus status = run_simplex(simplex, seconds);
  if (status != MilpStatus::kOptimal) return without_solution(status);
  std::vector<double> solution = clamped(simplex.primalColumnSolution());
  if (model.violation_of(solution) > kFeasibilityTolerance) return without_solution(MilpStatus::kFailed);
  return with_solution(MilpStatus::kOptimal, std::move(solution));
}

bool MilpSolver::Backend::is_integral(const double* values) const {
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (model.columns[column].integer && std::abs(values[column] - std::round(values[column])) > 1e-9)
      return false;
  }
  return true;
}

// The solution near `values` that the header promises, or none. Where rounding the integer columns moves
// them, the others are chosen anew: a tiny step of an integer with a large coefficient may break a row.
std::optional<std::vector<double>> MilpSolver::Backend::repaired(const double* values,
                                                                 const ClpSimplex& start) const {
  std::vector<double> solution = clamped(values);
  double largest_move = 0.0;
  for (std::size_t column = 0; column < solution.size(); ++column) {
    if (!model.columns[column].integer) continue;
    const double whole = std::round(solution[column]) + 0.0;  // no minus zero
    largest_move = std::max(largest_move, std::abs(whole - solution[column]));
    solution[column] = whole;
  }
  if (largest_move <= 1e-9 && model.violation_of(solution) <= kFeasibilityTolerance) return solution;

  ClpSimplex fixed(start);
  for (std::size_t column = 0; column < solution.size(); ++column) {
    if (!model.columns[column].integer) continue;
    fixed.columnLower()[column] = fixed.columnUpper()[column] = solution[column];
  }
  if (run_simplex(fixed, kUnbounded) != MilpStatus::kOptimal) return std::nullopt;
  const std::vector<double> completed = clamped(fixed.primalColumnSolution());
  for (std::size_t column = 0; column < solution.size(); ++column) {
    if (!model.columns[column].integer) solution[column] = completed[column];
  }
  if (model.violation_of(solution) > kFeasibilityTolerance) return std::nullopt;
  return solution;
}

// Branch and cut from a solved relaxation that is not integral.
MilpResult MilpSolver::Backend::searched(const ClpSimplex& relaxed, const MilpLimits& limits) const {
  ClpSimplex root(relaxed);
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (model.columns[column].integer) root.setInteger(static_cast<int>(column));
  }
  const SearchOutcome outcome = branch_and_cut(root, limits);
  MilpResult result = without_solution(outcome.status);
  if (!outcome.solution.empty()) {
    auto solution = repaired(outcome.solution.data(), integer_copy());
    if (!solution) return without_solution(MilpStatus::kFailed);
    result = with_solution(outcome.status, *std::move(solution));
  }
  result.nodes = outcome.nodes;
  if (outcome.status == MilpStatus::kLimit || limits.relative_gap > 0.0) give_bound(outcome.bound, result);
  return result;
}

// The bound of a search in the units that it minimises, which rounding may have carried past its own
// solution.
void MilpSolver::Backend::give_bound(double bound, MilpResult& result) const {
  result.bound = bound / scale;
  if (result.solution.empty()) return;
  result.bound = model.sense == Sense::kMinimise ? std::min(result.bound, result.objective)
                                                 : std::max(result.bound, result.objective);
}

// With an unbounded relaxation the programme is unbounded if it has any solution at all (for rational data).
MilpResult MilpSolver::Backend::unbounded_or_infeasible(const MilpLimits& limits) const {
  ClpSimplex simplex = integer_copy();
  std::fill_n(simplex.objective(), model.columns.size(), 0.0);
  MilpResult any = relaxation(simplex, limits.seconds);
  if (any.status == MilpStatus::kOptimal && !is_integral(any.solution.data()))
    any = searched(simplex, limits);
  switch (any.status) {
    case MilpStatus::kOptimal:
      return without_solution(MilpStatus::kUnbounded);
    case MilpStatus::kLimit:
      any.bound = std::numeric_limits<double>::quiet_NaN();
      return any;
    default:
      return without_solution(any.status);
  }
}

// Whether an integer column has no whole number between its bounds.
bool MilpSolver::Backend::integer_bounds_cross() const {
  return std::any_of(model.columns.begin(), model.columns.end(), [](const MilpColumn& column) {
    return column.integer && std::ceil(column.lower) > std::floor(column.upper);
  });
}

// CLP ends the whole program where it meets finite bounds of 1e100; long before, no tolerance means anything.
bool MilpSolver::Backend::numbers_beyond_reach() const {
  constexpr double kReach = 1e50;
  const auto beyond = [](double number) { return std::isfinite(number) && std::abs(number) > kReach; };
  return std::any_of(
             model.columns.begin(), model.columns.end(),
             [&](const MilpColumn& column) { return beyond(column.lower) || beyond(column.upper); }) ||
         std::any_of(model.rows.begin(), model.rows.end(), [&](const MilpRow& row) {
           return beyond(row.lower) || beyond(row.upper) ||
                  std::any_of(row.entries.begin(), row.entries.end(),
                              [&](const MilpEntry& entry) { return beyond(entry.coefficient); });
         });
}

MilpSolver::MilpSolver(MilpModel model, MilpEngine engine) : backend_(std::make_unique<Backend>()) {
  model.check();
  require_engine(engine);
  std::vector<double> column_lower, column_upper, row_lower, row_upper;
  for (const MilpColumn& column : model.columns) {
    column_lower.push_back(coin_bound(column.lower));
    column_upper.push_back(coin_bound(column.upper));
  }
  for (const MilpRow& row : model.rows) {
    row_lower.push_back(coin_bound(row.lower));
    row_upper.push_back(coin_bound(row.upper));
  }
  const CoinPackedMatrix matrix = matrix_of(model);
  backend_->pristine.setLogLevel(0);
  SimplexStop stop;
  backend_->pristine.passInEventHandler(&stop);  // every copy that is solved has it too
  backend_->pristine.loadProblem(matrix, column_lower.data(), column_upper.data(), nullptr, row_lower.data(),
                                 row_upper.data());
  backend_->model = std::move(model);
  backend_->load_objective();
  if (engine == MilpEngine::kHighs)
    backend_->highs = std::make_unique<HighsProgramme>(
        backend_->model,
        std::span<const double>(backend_->pristine.objective(), backend_->model.columns.size()));
}

MilpSolver::~MilpSolver() = default;
MilpSolver::MilpSolver(MilpSolver&&) noexcept = default;
MilpSolver& MilpSolver::operator=(MilpSolver&&) noexcept = default;

MilpResult MilpSolver::solve(const MilpLimits& limits) const {
  const auto start = Clock::now();
  const Backend& backend = *backend_;
  if (backend.integer_bounds_cross()) return backend.without_solution(MilpStatus::kInfeasible);
  if (backend.numbers_beyond_reach()) return backend.without_solution(MilpStatus::kFailed);
  try {
    if (backend.highs) return backend.solved_by_highs(limits);
    ClpSimplex simplex = backend.integer_copy();
    MilpResult relaxed = backend.relaxation(simplex, limits.seconds);
    MilpLimits rest = limits;
    rest.seconds -= seconds_since(start);
    if (relaxed.status == MilpStatus::kUnbounded) return backend.unbounded_or_infeasible(rest);
    if (relaxed.status != MilpStatus::kOptimal) return relaxed;
    if (!backend.is_integral(relaxed.solution.data())) return backend.searched(simplex, rest);
    auto solution = backend.repaired(relaxed.solution.data(), simplex);
    if (!solution) return backend.without_solution(MilpStatus::kFailed);
    return backend.with_solution(MilpStatus::kOptimal, *std::move(solution));
  } catch (const CoinError&) {
    return backend.without_solution(MilpStatus::kFailed);
  }
}

MilpResult MilpSolver::solve_relaxation(const MilpLimits& limits) const {
  if (backend_->numbers_beyond_reach()) return backend_->without_solution(MilpStatus::kFailed);
  if (backend_->highs) return backend_->relaxed_by_highs(limits);
  try {
    ClpSimplex simplex(backend_->pristine);
    return backend_->relaxation(simplex, limits.seconds);
  } catch (const CoinError&) {
    return backend_->without_solution(MilpStatus::kFailed);
  }
}

}  // namespace polystep::solvers
