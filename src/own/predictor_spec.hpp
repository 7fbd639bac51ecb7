// The predictor that a task file asks for.
//
//   [predictor]
//   kind = "linear"      # or "shared-linear" (one row of features per output), or "mlp"
//   hidden = [32, 32]    # of an mlp: units of each hidden layer
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "own/task_section.hpp"

namespace polystep {

struct PredictorSpec {
  std::string kind = "linear";
  std::vector<std::size_t> hidden;  // [hidden layers]

  // Table rows of features per instance.
  std::size_t rows_each(std::size_t outputs) const { return kind == "shared-linear" ? outputs : 1; }
};

PredictorSpec parse_predictor(const TaskSection& section);

}  // namespace polystep
