#include "methods/gradient/decision_oracle.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

#include "polystep/batch_problem.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// Solves of one instance that go together. A constant, so that a solver which is quicker with several sees
// the same groups whatever the threads.
constexpr std::size_t kSamplesAtOnce = 16;

// A solver that throws has failed on this row alone.
template <class Solve>
SolveStatus status_of(const Solve& solve) try {
  return solve();
} catch (const SolverLost&) {
  throw;
} catch (const std::exception&) {
  return SolveStatus::kFailed;
}

// After the decisions of all rows, 1 for each that was solved.
void append_statuses(std::span<const SolveStatus> statuses, std::vector<double>& numbers) {
  for (const SolveStatus status : statuses) numbers.push_back(status == SolveStatus::kSolved ? 1 : 0);
}

}  // namespace

DecisionOracle::DecisionOracle(Evaluator& evaluator, const std::string& method, Learns learns)
    : evaluator_(evaluator) {
  const ProblemFacts facts = task().problem->facts();
  const bool by_references = learns == Learns::kFromReferences && facts.has_references;
  const auto sense = by_references ? facts.optimises_prediction : facts.linear_objective();
  if (!sense && learns == Learns::kFromAnswers) return;
  if (!sense)
    throw InputError(
        "method " + method +
        ": the problem has no linear objective with predicted coefficients, expected one; polystepor and "
        "mse work on any problem");
  sense_ = static_cast<double>(static_cast<int>(*sense));
}

RowLayout DecisionOracle::layout(std::span<const std::size_t> rows) const {
  return RowLayout(*task().problem, task().data.training, rows);
}

std::vector<SolveStatus> DecisionOracle::decide(std::span<const std::size_t> rows,
                                                std::span<const double> coefficients,
                                                std::span<double> decisions, SolveCounts& counts) {
  return decide(task().data.training, rows, coefficients, decisions, counts);
}

std::vector<SolveStatus> DecisionOracle::decide(const Split& split, std::span<const std::size_t> rows,
                                                std::span<const double> coefficients,
                                                std::span<double> decisions, SolveCounts& counts) {
  const RowLayout places(*task().problem, split, rows), asked(*task().predictor, split, rows);
  std::vector<SolveStatus> statuses(rows.size(), SolveStatus::kSolved);
  if (const BatchProblem* batched = task().problem->batched())
    decide_batches(*batched, split, rows, coefficients, decisions, statuses);
  else
    evaluator_.team().for_each(rows.size(), [&](std::size_t i, std::size_t) {
      statuses[i] = status_of([&] {
        return task().problem->decide(asked.row(coefficients, i), split.instance(rows[i]),
                                      places.row(decisions, i));
      });
    });
  count(statuses, places, decisions, counts);
  return statuses;
}

std::vector<SolveStatus> DecisionOracle::decide_samples(std::span<const std::size_t> rows,
                                                        std::size_t samples,
                                                        std::span<const double> coefficients,
                                                        std::span<double> decisions, SolveCounts& counts) {
  if (samples == 1) return decide(rows, coefficients, decisions, counts);
  const RowLayout places = layout(rows);
  std::vector<SolveStatus> statuses(rows.size() * samples, SolveStatus::kSolved);
  const std::size_t parts = (samples + kSamplesAtOnce - 1) / kSamplesAtOnce;
  evaluator_.team().for_each(rows.size() * parts, [&](std::size_t item, std::size_t) {
    const std::size_t row = item / parts, first = item % parts * kSamplesAtOnce;
    const std::size_t count = std::min(kSamplesAtOnce, samples - first), size = places.size(row);
    const std::size_t begin = places.begin(row) * samples + first * size;
    task().problem->decide_several(
        coefficients.subspan(begin, count * size), task().data.training.instance(rows[row]),
        decisions.subspan(begin, count * size), std::span(statuses).subspan(row * samples + first, count));
  });
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t sample = 0; sample < samples; ++sample) {
      if (statuses[row * samples + sample] == SolveStatus::kSolved) continue;
      const std::size_t size = places.size(row);
      std::ranges::fill(decisions.subspan(places.begin(row) * samples + sample * size, size), 0.0);
      ++counts.failed;
    }
  counts.requested += statuses.size();
  counts.performed += statuses.size();
  return statuses;
}

void DecisionOracle::count(std::span<const SolveStatus> statuses, const RowLayout& places,
                           std::span<double> decisions, SolveCounts& counts) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i] == SolveStatus::kSolved) continue;
    std::ranges::fill(places.row(decisions, i), 0.0);
    ++counts.failed;
  }
  counts.requested += statuses.size();
  counts.performed += statuses.size();
}

void DecisionOracle::decide_batches(const BatchProblem& problem, const Split& split,
                                    std::span<const std::size_t> rows, std::span<const double> coefficients,
                                    std::span<double> decisions, std::span<SolveStatus> statuses) {
  const RowLayout places(problem, split, rows), asked(*task().predictor, split, rows);
  std::vector<std::size_t> instances;
  for (const std::size_t row : rows) instances.push_back(split.instance(row));
  const std::size_t most = std::max<std::size_t>(1, problem.batch_rows());
  evaluator_.team().for_each((rows.size() + most - 1) / most, [&](std::size_t batch, std::size_t) {
    const std::size_t first = batch * most, count = std::min(most, rows.size() - first);
    const std::size_t last = first + count, begin = places.begin(first), from = asked.begin(first);
    problem.decide_rows(coefficients.subspan(from, asked.begin(last) - from),
                        std::span(instances).subspan(first, count),
                        decisions.subspan(begin, places.begin(last) - begin), statuses.subspan(first, count));
  });
}

void DecisionOracle::prepare(Preparation& preparation, SolveCounts& counts, bool averaged) {
  const Found& found = preparation.part(
      averaged ? "averaged references of training rows" : "reference decisions of training rows",
      [&] { return find_references(averaged); });
  std::vector<std::size_t> rows(task().data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  reference_layout_ = layout(rows);
  const auto flags = found.numbers.begin() + static_cast<std::ptrdiff_t>(reference_layout_.total());
  references_.assign(found.numbers.begin(), flags);
  has_reference_.assign(flags, found.numbers.end());
  counts += found.solves;
}

Found DecisionOracle::find_references(bool averaged) {
  const Split& training = task().data.training;
  std::vector<std::size_t> rows(training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const RowLayout places = layout(rows);
  Found found;
  found.numbers.resize(places.total());
  if (!task().problem->facts().has_references && !averaged) {
    const std::vector<SolveStatus> statuses = decide(rows, training.truth, found.numbers, found.solves);
    append_statuses(statuses, found.numbers);
    return found;
  }
  std::vector<SolveStatus> statuses(rows.size());
  evaluator_.team().for_each(rows.size(), [&](std::size_t row, std::size_t) {
    const std::size_t instance = training.instance(row);
    const std::span<double> decision = places.row(found.numbers, row);
    const std::span<const double> truth = training.truth_row(row);
    statuses[row] = status_of([&] {
      return averaged ? task().problem->averaged_reference(instance, truth, decision)
                      : task().problem->reference(instance, truth, decision);
    });
  });
  count(statuses, places, found.numbers, found.solves);
  append_statuses(statuses, found.numbers);
  return found;
}

}  // namespace polystep
