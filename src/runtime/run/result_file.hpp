// result.json: what a finished run came to.
#pragma once

#include <optional>
#include <string>

#include "polystep/train.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

// The file's text.
std::string render_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                          double setup_seconds);

// The line of shares of test rows without a decision and without a reference; empty where both are 0.
std::string describe_failures(double test_failed, std::optional<double> reference_failed);

// The same figures for a person.
std::string describe_result(const RunRequest& request, const Task& task, const TrainingResult& result,
                            double setup_seconds);

// Conditional regret and the means over batches, in lines of their own; nothing without recourse.
std::string describe_recourse(const std::optional<double>& infeasible,
                              const std::optional<double>& conditional_regret,
                              const std::optional<BatchFigures>& batches);

}  // namespace polystep
