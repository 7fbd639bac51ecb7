#include "methods/starts/prepared_data.hpp"

#include <cmath>
#include <utility>

#include "methods/constraints/safety_margin.hpp"

namespace polystep {
namespace {

// Mean and deviation of every row feature; a shared predictor's features are pooled over its slots.
FeatureScaling scaling_of(const Split& split, std::size_t row_features) {
  FeatureScaling scaling;
  scaling.mean.assign(row_features, 0.0);
  scaling.deviation.assign(row_features, 0.0);
  const auto count = static_cast<double>(split.features.size() / row_features);
  for (std::size_t i = 0; i < split.features.size(); ++i)
    scaling.mean[i % row_features] += split.features[i] / count;
  for (std::size_t i = 0; i < split.features.size(); ++i) {
    const double centred = split.features[i] - scaling.mean[i % row_features];
    scaling.deviation[i % row_features] += centred * centred / count;
  }
  for (std::size_t f = 0; f < row_features; ++f) {
    const double deviation = std::sqrt(scaling.deviation[f]);
    scaling.deviation[f] = deviation;
    if (deviation > 1e-13 * std::abs(scaling.mean[f])) continue;
    // A constant column has nothing to scale and becomes exactly 0, where rounding would leave a little.
    scaling.mean[f] = split.features[f];
    scaling.deviation[f] = 1;
  }
  return scaling;
}

void standardise(const FeatureScaling& scaling, Split& split) {
  const std::size_t row_features = scaling.mean.size();
  for (std::size_t i = 0; i < split.features.size(); ++i) {
    const std::size_t f = i % row_features;
    split.features[i] = (split.features[i] - scaling.mean[f]) / scaling.deviation[f];
  }
}

double mean_magnitude(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Gives every row's true parameters the mean magnitude `wanted`. Rows whose true parameters are all 0 cost
// nothing whatever is decided, so their divisor does not matter.
void divide_rows(Split& split, double wanted) {
  for (std::size_t row = 0; row < split.rows; ++row) {
    const double size = mean_magnitude(std::as_const(split).truth_row(row));
    if (size == 0) continue;
    for (double& value : split.truth_row(row)) value /= size / wanted;
  }
}

// Fixed units have a mean that no parameter multiplies; only a bias of the same output can make up for it.
bool can_rescale(const Predictor& predictor) {
  return predictor.output_scaling() == nullptr || has_output_biases(predictor);
}

}  // namespace

bool absorbs_scaling(const Predictor& predictor) {
  const std::vector<TensorShape> tensors = predictor.tensors();
  // The first layer of one member of an average is not that of the others.
  return predictor.member_deviations().empty() && tensors.size() >= 2 && tensors[0].dimensions.size() == 2 &&
         tensors[1].dimensions.size() == 1 && tensors[0].dimensions[1] == predictor.row_features() &&
         tensors[0].dimensions[0] == tensors[1].dimensions[0];
}

PreparedData prepare_data(const Task& task, bool standardise_features, bool weigh_instances) {
  PreparedData data{.training = task.data.training, .validation = task.data.validation, .scaling = {}};
  const ProblemFacts facts = task.problem->facts();
  data.scale_free = facts.optimises_prediction.has_value() && task.predictor->output_scaling() == nullptr;
  if (standardise_features && absorbs_scaling(*task.predictor)) {
    data.scaling = scaling_of(data.training, task.predictor->row_features());
    standardise(data.scaling, data.training);
    standardise(data.scaling, data.validation);
  }
  const double common = mean_magnitude(data.training.truth);
  if (!weigh_instances || !facts.linear_objective() || common == 0) return data;
  if (can_rescale(*task.predictor)) data.prediction_scale = common;
  for (Split* split : {&data.training, &data.validation}) {
    if (task.metric == RegretMetric::kRelative)
      divide_rows(*split, common / data.prediction_scale);
    else
      for (double& value : split->truth) value /= data.prediction_scale;
  }
  return data;
}

std::vector<double> PreparedData::fold(const Predictor& predictor, std::span<const double> theta) const {
  std::vector<double> folded(theta.begin(), theta.end());
  const std::size_t inputs = scaling.mean.size();
  if (inputs != 0) {
    const std::size_t units = predictor.tensors()[1].size();
    for (std::size_t unit = 0; unit < units; ++unit) {
      double& bias = folded[units * inputs + unit];
      for (std::size_t f = 0; f < inputs; ++f) {
        double& weight = folded[unit * inputs + f];
        weight /= scaling.deviation[f];
        bias -= weight * scaling.mean[f];
      }
    }
  }
  // A network's scale is spread over its layers; its decisions do not depend on it here.
  if (prediction_scale == 1 || !predictor.affine()) return folded;
  for (double& parameter : folded) parameter *= prediction_scale;
  // raw * deviation + mean is to become prediction_scale times as large, and the mean does not: the bias
  // does.
  if (const OutputScaling* units = predictor.output_scaling()) {
    const std::size_t first = folded.size() - predictor.outputs();
    for (std::size_t o = 0; o < predictor.outputs(); ++o)
      folded[first + o] += (prediction_scale - 1) * units->mean_of(o) / units->deviation_of(o);
  }
  return folded;
}

}  // namespace polystep
