// A finished run read back: its configuration, its task with data, and its trained model.
#pragma once

#include <optional>
#include <string>

#include "evaluation/evaluator.hpp"
#include "runtime/run/model_file.hpp"
#include "runtime/run/run_request.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {

struct SavedRun {
  RunRequest request;
  Task task;
  SavedModel model;
};

// `data` overrides where the configuration says the data are.
SavedRun load_run(const std::string& directory, const std::optional<std::string>& data,
                  const ProblemRegistry& problems);

}  // namespace polystep
