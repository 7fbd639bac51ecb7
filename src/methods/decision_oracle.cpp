#include "methods/decision_oracle.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

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

void DecisionOracle::decide(std::span<const std::size_t> rows, std::span<const double> coefficients,
                            std::span<double> decisions, SolveCounts& counts) {
  const Split& training = task().data.training;
  std::vector<std::uint8_t> failed(rows.size());
  evaluator_.executor().for_each(rows.size(), [&](std::size_t i, std::size_t) {
    const std::span<double> decision = decisions.subspan(i * size_, size_);
    failed[i] = decide_row(*task().problem, coefficients.subspan(i * size_, size_),
                           training.instance(rows[i]), decision) != SolveStatus::kSolved;
    if (failed[i]) std::fill(decision.begin(), decision.end(), 0.0);
  });
  counts.requested += rows.size();
  counts.performed += rows.size();
  counts.failed += static_cast<std::uint64_t>(std::count(failed.begin(), failed.end(), 1));
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
