// Decisions as vectors, for methods that learn from the decisions themselves and not only from their cost.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/counts.hpp"

namespace polystep {

class DecisionOracle {
 public:
  // Throws InputError where the problem has no linear objective; `method` names who asks.
  DecisionOracle(Evaluator& evaluator, const std::string& method);

  const Task& task() const { return evaluator_.task(); }
  std::size_t size() const { return size_; }  // components of a decision, as many as predicted parameters
  double sense() const { return sense_; }     // 1 to minimise, -1 to maximise

  // Decides the given training rows for coefficients [rows × size] into [rows × size]. A row whose solver
  // fails gets the zero vector and is counted. Returns what became of every row.
  std::vector<SolveStatus> decide(std::span<const std::size_t> rows, std::span<const double> coefficients,
                                  std::span<double> decisions, SolveCounts& counts);

  // Optimal decisions of all training rows for their true parameters, [training rows × size]; solved on first
  // use.
  const std::vector<double>& references(SolveCounts& counts);
  std::span<const double> reference(std::size_t row) const {
    return std::span(references_).subspan(row * size_, size_);
  }

 private:
  void decide_batches(const BatchProblem& problem, std::span<const std::size_t> rows,
                      std::span<const double> coefficients, std::span<double> decisions,
                      std::span<SolveStatus> statuses);

  Evaluator& evaluator_;
  std::size_t size_;
  double sense_ = 1;
  std::vector<double> references_;
};

}  // namespace polystep
