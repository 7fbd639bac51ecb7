#include "own/own_predictor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kMostUnits = 100000;
constexpr std::size_t kMostLayers = 16;
constexpr std::size_t kUsualUnits = 32;

// Mean and deviation of each output over the training rows; an output that never changes keeps its units.
OutputScaling truth_scaling(const Split& training) {
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
    scaling.deviation.push_back(deviation > 0 && std::isfinite(deviation) ? deviation : 1);
  }
  return scaling;
}

std::unique_ptr<Predictor> make_raw(const PredictorSpec& spec, const Dataset& data) {
  const std::size_t features = data.feature_names.size();
  const std::size_t outputs = data.training.truth_columns;
  if (spec.kind == "mlp") return make_mlp(features, spec.hidden, outputs);
  return spec.kind == "linear" ? make_linear(features, outputs) : make_shared_linear(features, outputs);
}

}  // namespace

PredictorSpec parse_predictor(const TaskSection& section) {
  PredictorSpec spec;
  spec.kind = section.choice("kind", spec.kind, {"linear", "shared-linear", "mlp"});
  const std::vector<std::int64_t> hidden = section.integers("hidden", 1, kMostUnits);
  spec.hidden.assign(hidden.begin(), hidden.end());
  section.refuse_unknown();
  if (spec.kind != "mlp" && section.has("hidden"))
    throw InputError(fmt::format("{}: 'hidden' is given for a {} predictor, expected it for kind = \"mlp\"",
                                 section.where("hidden"), spec.kind));
  if (spec.hidden.size() > kMostLayers)
    throw InputError(fmt::format("{}: 'hidden' has {} layers, expected at most {}", section.where("hidden"),
                                 spec.hidden.size(), kMostLayers));
  if (spec.kind == "mlp" && spec.hidden.empty()) spec.hidden = {kUsualUnits};
  return spec;
}

std::unique_ptr<Predictor> make_own_predictor(const PredictorSpec& spec, const Dataset& data,
                                              bool raw_outputs) {
  std::unique_ptr<Predictor> predictor = make_raw(spec, data);
  return raw_outputs ? std::move(predictor) : make_scaled(std::move(predictor), truth_scaling(data.training));
}

}  // namespace polystep
