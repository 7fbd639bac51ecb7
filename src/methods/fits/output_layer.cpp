#include "methods/fits/output_layer.hpp"

#include <cmath>

namespace polystep {

bool ends_in_affine_layer(const Predictor& predictor) {
  const std::vector<TensorShape> tensors = predictor.tensors();
  if (predictor.facts().logistic || !predictor.member_deviations().empty() || tensors.size() < 2)
    return false;
  const TensorShape &weight = tensors[tensors.size() - 2], &bias = tensors.back();
  return weight.dimensions.size() == 2 && bias.dimensions.size() == 1 &&
         weight.dimensions[0] == bias.dimensions[0] &&
         (bias.dimensions[0] == 1 || bias.dimensions[0] == predictor.outputs());
}

std::size_t last_units(const Predictor& predictor) { return predictor.tensors().back().size(); }

// Where outputs are in fixed units, raw * deviation + mean, what is mapped is that.
std::vector<double> with_output_map(const Predictor& predictor, std::span<const double> theta,
                                    const OutputMap& map) {
  std::vector<double> mapped(theta.begin(), theta.end());
  const std::vector<TensorShape> tensors = predictor.tensors();
  const std::size_t units = tensors.back().size(), inputs = tensors[tensors.size() - 2].dimensions[1];
  const std::size_t biases = theta.size() - units, weights = biases - units * inputs;
  const OutputScaling* fixed = predictor.output_scaling();
  for (std::size_t u = 0; u < units; ++u) {
    const double mean = fixed == nullptr ? 0 : fixed->mean_of(u);
    const double deviation = fixed == nullptr ? 1 : fixed->deviation_of(u);
    for (std::size_t k = 0; k < inputs; ++k) mapped[weights + u * inputs + k] *= map.slope[u];
    double& bias = mapped[biases + u];
    bias = map.slope[u] * bias + ((map.slope[u] - 1) * mean + map.shift[u]) / deviation;
  }
  return mapped;
}

std::vector<double> constant_parameters(const Predictor& predictor, std::span<const double> level) {
  std::vector<double> theta(predictor.parameters(), 0.0);
  const std::size_t units = last_units(predictor);
  const OutputScaling* fixed = predictor.output_scaling();
  for (std::size_t u = 0; u < units; ++u)
    theta[theta.size() - units + u] =
        fixed == nullptr ? level[u] : (level[u] - fixed->mean_of(u)) / fixed->deviation_of(u);
  return theta;
}

OutputScaling truth_units(const Predictor& predictor, const Split& split) {
  const std::size_t units = last_units(predictor);
  std::vector<double> count(units, 0.0);
  OutputScaling found{std::vector<double>(units, 0.0), std::vector<double>(units, 0.0)};
  const auto for_each_truth = [&](const auto& take) {
    for (std::size_t row = 0; row < split.rows; ++row) {
      const std::span<const double> truth = split.truth_row(row);
      for (std::size_t o = 0; o < truth.size(); ++o) take(last_unit(units, o), truth[o]);
    }
  };
  for_each_truth([&](std::size_t u, double value) { found.mean[u] += value, count[u] += 1; });
  for (std::size_t u = 0; u < units; ++u) found.mean[u] /= count[u];
  for_each_truth([&](std::size_t u, double value) {
    found.deviation[u] += (value - found.mean[u]) * (value - found.mean[u]) / count[u];
  });
  for (double& deviation : found.deviation) deviation = deviation > 0 ? std::sqrt(deviation) : 1;
  return found;
}

}  // namespace polystep
