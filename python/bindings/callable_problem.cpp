#include "callable_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep::python {
namespace {

// What a callable returned, as doubles of the expected size. A column may be left out where there is only
// one.
DoubleArray checked(const py::object& returned, const char* who, std::size_t rows, std::size_t columns) {
  const DoubleArray array = DoubleArray::ensure(returned);
  if (!array) throw py::error_already_set();
  const auto size = [&](int axis) { return static_cast<std::size_t>(array.shape(axis)); };
  const bool flat = array.ndim() == 1 && columns == 1 && size(0) == rows;
  const bool table = array.ndim() == 2 && size(0) == rows && size(1) == columns;
  if (!flat && !table)
    throw InputError(fmt::format("{}: returned an array of shape {}, expected ({}, {})", who,
                                 shape_text(array), rows, columns));
  return array;
}

}  // namespace

std::shared_ptr<const Callables> share(Callables callables) {
  return {new Callables(std::move(callables)), [](const Callables* last) {
            const py::gil_scoped_acquire lock;
            delete last;
          }};
}

ProblemFacts CallableProblem::facts() const {
  ProblemFacts facts;
  facts.predicts_constraints = callables_->predicts_constraints;
  // Compared by identity, which needs no lock: other threads may ask.
  if (callables_->cost.ptr() != Py_None || decision_size() != outputs()) return facts;
  facts.cost_is_truth_times_decision = callables_->sense;
  if (!facts.predicts_constraints) facts.optimises_prediction = callables_->sense;
  return facts;
}

py::object CallableProblem::known_rows(std::span<const std::size_t> instances) const {
  IndexArray rows(static_cast<py::ssize_t>(instances.size()));
  std::copy(instances.begin(), instances.end(), rows.mutable_data());
  return callables_->known.attr("take")(rows, py::arg("axis") = 0);
}

void CallableProblem::decide_batch(std::span<const double> predictions,
                                   std::span<const std::size_t> instances, std::span<double> decisions,
                                   std::span<SolveStatus> statuses) const {
  const py::gil_scoped_acquire lock;
  const std::size_t rows = instances.size();
  const DoubleArray asked = to_array(predictions, rows, outputs());
  const py::object returned = callables_->known.is_none() ? callables_->decide(asked)
                                                          : callables_->decide(asked, known_rows(instances));
  const DoubleArray decided = checked(returned, "decide", rows, decision_size());
  std::copy_n(decided.data(), decisions.size(), decisions.begin());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<double> decision = decisions.subspan(row * decision_size(), decision_size());
    if (std::any_of(decision.begin(), decision.end(), [](double x) { return std::isnan(x); }))
      statuses[row] = SolveStatus::kFailed;
  }
}

void CallableProblem::cost_batch(std::span<const double> decisions, std::span<const double> truth,
                                 std::span<const std::size_t> instances, std::span<double> costs) const {
  const double sign = static_cast<int>(callables_->sense);
  const std::size_t rows = instances.size();
  if (callables_->cost.ptr() == Py_None) {
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t i = row * decision_size(); i < (row + 1) * decision_size(); ++i)
        sum += decisions[i] * truth[i];
      costs[row] = sign * sum;
    }
    return;
  }
  const py::gil_scoped_acquire lock;
  const DoubleArray decided = to_array(decisions, rows, decision_size());
  const DoubleArray true_rows = to_array(truth, rows, truth.size() / rows);
  const py::object returned = callables_->known.is_none()
                                  ? callables_->cost(decided, true_rows)
                                  : callables_->cost(decided, true_rows, known_rows(instances));
  const DoubleArray charged = checked(returned, "cost", rows, 1);
  for (std::size_t row = 0; row < rows; ++row) costs[row] = sign * charged.data()[row];
}

}  // namespace polystep::python
