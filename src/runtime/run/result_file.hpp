// result.json: what a finished run came to.
#pragma once

#include <string>

#include "polystep/train.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

// The file's text.
std::string render_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                          double setup_seconds);

// The same figures for a person.
std::string describe_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                            double setup_seconds);

}  // namespace polystep
