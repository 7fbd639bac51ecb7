#include "methods/gradient/decision_oracle.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

#include "polystep/batch_problem.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

SolveStatus decide_row(const Problem& problem, std::span<const double> coefficients, std::size_t instance,
                       std::span<double> decision) try {
  return problem.decide(coefficients, instance, decision);
} catch (const std::exception&) {
  return SolveStatus::kFailed;
}

}  // namespace

DecisionOracle::DecisionOracle(Evaluator& evaluator, const std::string& method)
    : evaluator_(evaluator), size_(evaluator.task().problem->decision_size()) {
  const auto sense = task().problem->linear_objective();
  if (!sense)
    throw InputError(
        "method " + method +
        ": the problem has no linear objective with predicted coefficients, expected one; polystepor and "
        "mse work on any problem");
  sense_ = static_cast<double>(static_cast<int>(*sense));
}

std::vector<SolveStatus> DecisionOracle::decide(std::span<const std::size_t> rows,
                                                std::span<const double> coefficients,
                                                std::span<double> decisions, SolveCounts& counts) {
  const Split& training = task().data.training;
  std::vector<SolveStatus> statuses(rows.size(), SolveStatus::kSolved);
  if (const BatchProblem* batched = task().problem->batched())
    decide_batches(*batched, rows, coefficients, decisions, statuses);
  else
    evaluator_.executor().for_each(rows.size(), [&](std::size_t i, std::size_t) {
      statuses[i] = decide_row(*task().problem, coefficients.subspan(i * size_, size_),
                               training.instance(rows[i]), decisions.subspan(i * size_, size_));
    });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (statuses[i] == SolveStatus::kSolved) continue;
    std::fill_n(decisions.begin() + static_cast<std::ptrdiff_t>(i * size_), size_, 0.0);
    ++counts.failed;
  }
  counts.requested += rows.size();
  counts.performed += rows.size();
  return statuses;
}

void DecisionOracle::decide_batches(const BatchProblem& problem, std::span<const std::size_t> rows,
                                    std::span<const double> coefficients, std::span<double> decisions,
                                    std::span<SolveStatus> statuses) {
  std::vector<std::size_t> instances;
  for (const std::size_t row : rows) instances.push_back(task().data.training.instance(row));
  const std::size_t most = std::max<std::size_t>(1, problem.batch_rows());
  evaluator_.executor().for_each((rows.size() + most - 1) / most, [&](std::size_t batch, std::size_t) {
    const std::size_t first = batch * most, count = std::min(most, rows.size() - first);
    problem.decide_batch(coefficients.subspan(first * size_, count * size_),
                         std::span(instances).subspan(first, count),
                         decisions.subspan(first * size_, count * size_), statuses.subspan(first, count));
  });
}

const std::vector<double>& DecisionOracle::references(SolveCounts& counts) {
  if (references_.empty()) {
    const Split& training = task().data.training;
    std::vector<std::size_t> rows(training.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    references_.resize(training.rows * size_);
    decide(rows, training.truth, references_, counts);
  }
  return references_;
}

}  // namespace polystep
