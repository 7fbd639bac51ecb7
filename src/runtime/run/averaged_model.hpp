// One model out of several trained ones, such as those of several seeds: the average of their predictions.
//
// A decision is then made from one set of predictions, so that averaging costs a pass per member and no
// further solves. Members must be of one shape and know the same features.
#pragma once

#include <span>

#include "evaluation/tiled_rows.hpp"
#include "polystep/task.hpp"
#include "runtime/run/model_file.hpp"

namespace polystep {

// The deviation of a predictor's outputs over the given rows, each centred within the groups of outputs that
// the instances state; 1 where it is 0.
double output_deviation(const Task& task, std::span<const double> theta, const TiledRows& rows);

// Deviations are those over the training rows of `task`, whose predictor is of the members' shape. Throws
// InputError where members do not fit each other or the task.
SavedModel average_models(const Task& task, std::span<const SavedModel> members);

}  // namespace polystep
