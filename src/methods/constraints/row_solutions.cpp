#include "methods/constraints/row_solutions.hpp"

#include <algorithm>
#include <numeric>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kNoBound = 1e9;

}  // namespace

const PredictedRows& predicted_rows_of(const Task& task, const std::string& method) {
  const PredictedRows* rows = task.problem->predicted_rows();
  if (rows == nullptr)
    throw InputError("method " + method +
                     ": the problem has no linear constraints with predicted parameters, expected one such "
                     "as knapsack-weight or set-cover");
  if (task.data.training.truth_columns != task.predictor->outputs())
    throw InputError("method " + method + ": the data have " +
                     std::to_string(task.data.training.truth_columns) +
                     " true parameters per row and the predictor has " +
                     std::to_string(task.predictor->outputs()) + " outputs, expected as many");
  return *rows;
}

RowSolutions::RowSolutions(Evaluator& evaluator, const PredictedRows& rows)
    : evaluator_(evaluator), rows_(rows), upper_(rows.variables(), rows.binary() ? 1.0 : kNoBound) {}

void RowSolutions::set_upper(double bound) {
  if (!rows_.binary()) std::fill(upper_.begin(), upper_.end(), bound);
}

RowDecisions RowSolutions::solve(const Split& split, std::span<const std::size_t> rows,
                                 std::span<const double> predictions, SolveCounts& counts) {
  const std::size_t n = rows_.variables(), count = rows.size();
  const std::size_t outputs = count == 0 ? 0 : predictions.size() / count;
  RowDecisions found{std::vector<double>(count * n), std::vector<std::uint8_t>(count)};
  evaluator_.team().for_each(count, [&](std::size_t i, std::size_t) {
    const std::span<double> x = std::span(found.decisions).subspan(i * n, n);
    if (rows_.solve_rows(predictions.subspan(i * outputs, outputs), split.instance(rows[i]), upper_, x))
      return;
    found.failed[i] = 1;
    std::fill(x.begin(), x.end(), 0.0);
  });
  counts.requested += count;
  counts.performed += count;
  counts.failed += static_cast<std::uint64_t>(std::count(found.failed.begin(), found.failed.end(), 1));
  return found;
}

RowDecisions RowSolutions::references(Preparation& preparation, const char* part, const Split& split,
                                      SolveCounts& counts) {
  const Found& found = preparation.part(part, [&] {
    std::vector<std::size_t> all(split.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Found solved;
    RowDecisions decided = solve(split, all, split.truth, solved.solves);
    solved.numbers = std::move(decided.decisions);
    solved.numbers.insert(solved.numbers.end(), decided.failed.begin(), decided.failed.end());
    return solved;
  });
  const auto flags = found.numbers.end() - static_cast<std::ptrdiff_t>(split.rows);
  counts += found.solves;
  return {std::vector<double>(found.numbers.begin(), flags),
          std::vector<std::uint8_t>(flags, found.numbers.end())};
}

}  // namespace polystep
