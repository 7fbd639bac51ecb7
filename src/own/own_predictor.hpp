// The predictor of a task of one's own.
//
//   [predictor]
//   kind = "linear"      # or "shared-linear" (one row of features per output), or "mlp"
//   hidden = [32, 32]    # of an mlp: units of each hidden layer
#pragma once

#include <memory>
#include <vector>

#include "own/task_section.hpp"
#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct PredictorSpec {
  std::string kind = "linear";
  std::vector<std::size_t> hidden;  // [hidden layers]

  // Table rows of features per instance.
  std::size_t rows_each(std::size_t outputs) const { return kind == "shared-linear" ? outputs : 1; }
};

PredictorSpec parse_predictor(const TaskSection& section);

// Outputs are in the units of the training rows' truth unless `raw_outputs`: where predictions only rank
// decisions, methods choose units of their own.
std::unique_ptr<Predictor> make_own_predictor(const PredictorSpec& spec, const Dataset& data,
                                              bool raw_outputs);

}  // namespace polystep
