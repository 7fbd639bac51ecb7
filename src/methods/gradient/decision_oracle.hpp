// Decisions as vectors, for methods that learn from the decisions themselves and not only from their cost.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "evaluation/row_layout.hpp"
#include "polystep/counts.hpp"
#include "polystep/preparation.hpp"

namespace polystep {

class DecisionOracle {
 public:
  enum class Learns {
    kFromTruth,       // needs true coefficients of a linear objective
    kFromReferences,  // or a problem that optimises predictions and has references of its own
    kFromAnswers,     // nothing: it only asks; there may be no sense then
  };
  // Throws InputError where the problem has not what is learned from; `method` names who asks.
  DecisionOracle(Evaluator& evaluator, const std::string& method, Learns learns = Learns::kFromTruth);

  const Task& task() const { return evaluator_.task(); }
  RowLayout layout(std::span<const std::size_t> rows) const;  // of decisions of the given training rows
  double sense() const { return sense_; }                     // 1 to minimise, -1 to maximise

  // Decides the given training rows for coefficients, those of each row together, one for every output of the
  // predictor; decisions are laid out as `layout` says. A row whose solver fails gets the zero vector and is
  // counted. Returns what became of every row.
  std::vector<SolveStatus> decide(std::span<const std::size_t> rows, std::span<const double> coefficients,
                                  std::span<double> decisions, SolveCounts& counts);
  // The same for rows of another split of the same problem.
  std::vector<SolveStatus> decide(const Split& split, std::span<const std::size_t> rows,
                                  std::span<const double> coefficients, std::span<double> decisions,
                                  SolveCounts& counts);

  // Decides every row by several sets of coefficients: of each row, its samples lie one after the other, in
  // coefficients and decisions alike. Returns what became of each, [rows × samples].
  std::vector<SolveStatus> decide_samples(std::span<const std::size_t> rows, std::size_t samples,
                                          std::span<const double> coefficients, std::span<double> decisions,
                                          SolveCounts& counts);

  // Finds the reference decisions of all training rows, those for their true parameters unless the problem
  // has better ones; `averaged`: what imitation should aim at instead (Problem::averaged_reference).
  void prepare(Preparation& preparation, SolveCounts& counts, bool averaged = false);
  std::span<const double> reference(std::size_t row) const { return reference_layout_.row(references_, row); }
  // False where the row's solver failed: its reference is the zero vector, which is nothing to learn from.
  bool has_reference(std::size_t row) const { return has_reference_[row] != 0; }

 private:
  void decide_batches(const BatchProblem& problem, const Split& split, std::span<const std::size_t> rows,
                      std::span<const double> coefficients, std::span<double> decisions,
                      std::span<SolveStatus> statuses);

  Found find_references(bool averaged);
  static void count(std::span<const SolveStatus> statuses, const RowLayout& places,
                    std::span<double> decisions, SolveCounts& counts);

  Evaluator& evaluator_;
  double sense_ = 1;
  RowLayout reference_layout_;
  std::vector<double> references_;           // of all training rows, one after the other
  std::vector<std::uint8_t> has_reference_;  // [training rows]
};

}  // namespace polystep
