// The predictor that a task file asks for.
//
//   [predictor]
//   kind = "..."         # a registered kind that reads tables: a row of features per instance, or per output
//   hidden = [32, 32]    # units of each hidden layer, for kinds that have them
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "own/task_section.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct PredictorSpec {
  const PredictorEntry* kind = &dense_predictor(false);
  std::vector<std::size_t> hidden;  // [hidden layers]
  std::string where;                // of what says how large it is, for messages

  // Table rows of features per instance.
  std::size_t rows_each(std::size_t outputs) const { return kind->rows_each(outputs); }
};

PredictorSpec parse_predictor(const TaskSection& section);

}  // namespace polystep
