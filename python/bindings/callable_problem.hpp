// A problem whose decisions, and where wanted their realised costs, come from Python callables.
//
//   decide(predictions [rows × outputs]) -> decisions [rows × decision size]; a row of NaN is no decision
//   cost(decisions, truth [rows × truth columns]) -> costs [rows]
//
// Where rows carry known data of their own, both get those rows as a further argument. What a callable raises
// ends the training as that exception.
#pragma once

#include <memory>

#include "arrays.hpp"
#include "polystep/batch_problem.hpp"

namespace polystep::python {

struct Callables {
  py::function decide;
  py::object cost;   // None: the objective is linear, decision . truth
  py::object known;  // None, or an array whose first axis is the instance
  Sense sense = Sense::kMinimise;
  std::size_t batch_rows = 4096;
  bool predicts_constraints = false;  // predictions are coefficients or sides of constraints
};

// Shared by threads that do not hold Python's lock; the last one to let go takes it.
std::shared_ptr<const Callables> share(Callables callables);

class CallableProblem final : public BatchProblem {
 public:
  CallableProblem(std::size_t outputs, std::size_t decision_size, std::shared_ptr<const Callables> callables)
      : BatchProblem(outputs, decision_size), callables_(std::move(callables)) {}

  std::size_t batch_rows() const override { return callables_->batch_rows; }
  ProblemFacts facts() const override;
  void decide_batch(std::span<const double> predictions, std::span<const std::size_t> instances,
                    std::span<double> decisions, std::span<SolveStatus> statuses) const override;
  void cost_batch(std::span<const double> decisions, std::span<const double> truth,
                  std::span<const std::size_t> instances, std::span<double> costs) const override;

 private:
  py::object known_rows(std::span<const std::size_t> instances) const;

  std::shared_ptr<const Callables> callables_;
};

}  // namespace polystep::python
