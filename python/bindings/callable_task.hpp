// A task made of arrays and callables, under a name of its own beside the built-in problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "callable_problem.hpp"
#include "polystep/task.hpp"

namespace polystep::python {

struct CallableTask {
  std::string name;     // what runs and tables call the problem
  std::string setting;  // and this variant of it
  std::shared_ptr<const Callables> callables;
  std::size_t decision_size = 0;
  PredictorShape predictor;
  std::vector<double> start;  // [parameters] of the predictor; empty: as the method starts
  std::string
      tensor_names;  // of the predictor in the user's own words, joined by commas; empty: the engine's
  RegretMetric metric = RegretMetric::kAbsolute;
  Dataset data;
  std::string fingerprint;  // of the data: a run goes on with the same ones only

  void add_to(ProblemRegistry& problems) const;
};

void bind_callable_task(py::module_& module);

}  // namespace polystep::python
