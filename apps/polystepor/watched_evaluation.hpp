// A finished model measured again, with progress and Ctrl-C: problems whose references are dear take a while.
#pragma once

#include <optional>
#include <span>

#include "evaluation/evaluator.hpp"
#include "runtime/run/progress.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {

struct MeasuredModel {
  Evaluation validation;
  TestFigures test;
  double seconds = 0;
};

// Nothing where it was interrupted.
std::optional<MeasuredModel> measure_watched(Evaluator& evaluator, std::span<const double> parameters,
                                             ProgressStyle style);

}  // namespace polystep
