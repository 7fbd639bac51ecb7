#include "own/own_predictor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kMostParameters = 1000000000;  // 8 GB; training keeps several copies

double usable(double deviation) { return deviation > 0 && std::isfinite(deviation) ? deviation : 1; }

// One mean and deviation for all outputs, where instances differ in how many they have.
OutputScaling common_scaling(const std::vector<double>& truth) {
  const auto count = static_cast<double>(truth.size());
  double sum = 0, squares = 0;
  for (const double value : truth) sum += value;
  const double mean = sum / count;
  for (const double value : truth) squares += (value - mean) * (value - mean);
  return {{mean}, {usable(std::sqrt(squares / count))}};
}

// Mean and deviation of each output over the training rows; an output that never changes keeps its units.
OutputScaling truth_scaling(const Split& training) {
  if (training.ragged()) return common_scaling(training.truth);
  OutputScaling scaling;
  const auto rows = static_cast<double>(training.rows);
  for (std::size_t o = 0; o < training.truth_columns; ++o) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < training.rows; ++row) sum += training.truth_row(row)[o];
    const double mean = sum / rows;
    for (std::size_t row = 0; row < training.rows; ++row) {
      const double difference = training.truth_row(row)[o] - mean;
      squares += difference * difference;
    }
    const double deviation = std::sqrt(squares / rows);
    scaling.mean.push_back(mean);
    scaling.deviation.push_back(usable(deviation));
  }
  return scaling;
}

std::unique_ptr<Predictor> make_raw(const PredictorSpec& spec, const Dataset& data) {
  PredictorShape shape{spec.kind->name, data.feature_names.size(), data.training.truth_columns};
  shape.layers = spec.hidden;
  std::unique_ptr<Predictor> predictor = make_predictor(shape);
  if (predictor->parameters() > kMostParameters)
    throw InputError(fmt::format("{}: the predictor has {} parameters, expected at most {}", spec.where,
                                 predictor->parameters(), kMostParameters));
  return predictor;
}

}  // namespace

std::unique_ptr<Predictor> make_own_predictor(const PredictorSpec& spec, const Dataset& data,
                                              bool raw_outputs) {
  std::unique_ptr<Predictor> predictor = make_raw(spec, data);
  return raw_outputs ? std::move(predictor) : make_scaled(std::move(predictor), truth_scaling(data.training));
}

}  // namespace polystep
