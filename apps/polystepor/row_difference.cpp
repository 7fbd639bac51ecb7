#include "row_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

bool same_rows(const Split& a, const Split& b) {
  return a.rows == b.rows && a.features == b.features && a.truth == b.truth && a.instances == b.instances;
}

Evaluation decide_test_rows(const SavedRun& run, Evaluator& evaluator) {
  evaluator.set_failure_cost(run.model.failure_cost);
  return evaluator.evaluate(run.model.parameters, TiledRows(run.task.data.test));
}

}  // namespace

RowDifference row_difference(const SavedRun& run, const std::string& name, const SavedRun& other,
                             const std::string& other_name, Team& team) {
  if (run.request.problem != other.request.problem || run.task.setting != other.task.setting ||
      run.task.metric != other.task.metric || !same_rows(run.task.data.test, other.task.data.test))
    throw InputError(fmt::format("--against: {} ({} {}) and {} ({} {}) have different test rows, expected runs "
                                 "on the same data",
                                 name, run.request.problem->name, run.task.setting, other_name,
                                 other.request.problem->name, other.task.setting));
  Evaluator evaluator(run.task, team), others(other.task, team);
  if (!evaluator.knows_optimum())
    throw InputError(fmt::format("--against: problem {} has no reference decisions, so that its runs have no "
                                 "regret to compare",
                                 run.request.problem->name));
  const std::vector<double> optimal = evaluator.optimal(TiledRows(run.task.data.test)).costs;
  const std::vector<double> here = row_regrets(run.task.metric, decide_test_rows(run, evaluator), optimal);
  const std::vector<double> there = row_regrets(run.task.metric, decide_test_rows(other, others), optimal);
  RowDifference found;
  double sum = 0, squares = 0;
  for (std::size_t row = 0; row < here.size(); ++row) {
    if (std::isnan(here[row])) continue;
    ++found.rows;
    found.regret += there[row];
    sum += here[row] - there[row];
    found.better += here[row] < there[row];
    found.worse += here[row] > there[row];
  }
  if (found.rows == 0) return found;
  const auto rows = static_cast<double>(found.rows);
  found.regret /= rows;
  found.difference = sum / rows;
  for (std::size_t row = 0; row < here.size(); ++row)
    if (!std::isnan(here[row])) squares += std::pow(here[row] - there[row] - found.difference, 2);
  if (found.rows > 1) found.error = std::sqrt(squares / (rows - 1) / rows);
  return found;
}

}  // namespace polystep
