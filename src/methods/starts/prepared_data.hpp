// Training and validation rows in units of their own, so that no setting depends on the units of the data.
//
// Two parts, each with a switch. Standardising gives every feature mean 0 and deviation 1 over the training
// rows; the first layer of the predictor absorbs it, so a trained predictor still takes the data's own
// features. Instance weights divide each row's true parameters, and with them its realised costs, by their
// mean magnitude: where the objective is linear and the metric relative, this makes the training loss the
// numerator of the metric up to a factor that varies little, and no optimal decision is needed for it. Where
// the metric is absolute, one common divisor leaves the rows' shares as they are. Without a linear objective
// the scale of predictions matters and true parameters stay as they are. A predictor whose outputs are in
// fixed units and that has no bias per output cannot change the scale of its predictions; then the mean
// magnitude of true parameters stays what it was.
#pragma once

#include <span>
#include <vector>

#include "polystep/task.hpp"

namespace polystep {

struct PreparedData {
  Split training;
  Split validation;
  FeatureScaling scaling;       // [row features]; empty: features are as they were
  double prediction_scale = 1;  // predictions for the prepared rows times this are in the data's own units
  bool scale_free = false;      // decisions do not depend on the scale of the parameters

  // Parameters for the data's own features and units that decide as `theta` does on the prepared rows.
  std::vector<double> fold(const Predictor& predictor, std::span<const double> theta) const;
};

PreparedData prepare_data(const Task& task, bool standardise, bool weigh_instances);

// True where the predictor begins with an affine layer over its row features, which can absorb a change of
// units.
bool absorbs_scaling(const Predictor& predictor);

}  // namespace polystep
