#include "polystep/predictor.hpp"

#include <cmath>
#include <stdexcept>

#include "base/twister.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

double single_precision_uniform(Twister& twister, double bound) {
  const auto from = static_cast<float>(-bound), to = static_cast<float>(bound);
  return twister.uniform() * (to - from) + from;
}

}  // namespace

std::size_t Predictor::parameters() const {
  std::size_t total = 0;
  for (const TensorShape& tensor : tensors()) total += tensor.size();
  return total;
}

void Predictor::predict_tiles(std::span<const double> theta, std::span<const Tile> tiles,
                              double* predictions) const {
  for (const Tile& tile : tiles) {
    predict(theta, tile, predictions);
    predictions += outputs_of(tile) * tile.width;
  }
}

std::vector<std::uint32_t> Predictor::touched_outputs(std::span<const std::uint32_t>, std::size_t) const {
  throw std::logic_error("touched_outputs asked of a predictor that is not affine in its parameters");
}

void Predictor::predict_change(const Direction&, std::span<const std::uint32_t>, std::size_t, const Tile&,
                               double*) const {
  throw std::logic_error("predict_change asked of a predictor that is not affine in its parameters");
}

void StagedPredictor::predict_along(std::span<const double>, std::span<const double>, const float*,
                                    const float*, std::span<const double>, float*) const {
  throw std::logic_error("predict_along asked of a predictor whose states are no plain products");
}

std::vector<double> Predictor::initial_parameters(std::uint64_t seed, InitialDraw draw) const {
  if (!start_.empty()) return start_;
  if (draw == InitialDraw::kStreams) draw = usual_draw();
  std::vector<double> theta;
  theta.reserve(parameters());
  Twister twister(seed);
  std::size_t fan_in = 1;  // a bias follows its weight matrix and shares its fan-in
  std::uint64_t tensor_number = 0;
  for (const TensorShape& tensor : tensors()) {
    if (tensor.dimensions.size() >= 2) fan_in = tensor.size() / tensor.dimensions.front();
    const bool glorot = draw == InitialDraw::kGlorot, weights = tensor.dimensions.size() >= 2;
    const std::size_t fans = fan_in + tensor.dimensions.front();
    const double bound = !glorot   ? 1.0 / std::sqrt(static_cast<double>(fan_in))
                         : weights ? std::sqrt(6.0 / static_cast<double>(fans))
                                   : 0.0;
    RandomStream stream(seed, Purpose::kInitialParameters, tensor_number++);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      theta.push_back(draw == InitialDraw::kTwister ? single_precision_uniform(twister, bound)
                      : bound == 0                  ? 0.0
                                                    : stream.uniform(-bound, bound));
  }
  return theta;
}

void Predictor::start_from(std::vector<double> parameters) {
  if (parameters.size() != this->parameters())
    throw InputError("starting parameters: found " + std::to_string(parameters.size()) + ", expected " +
                     std::to_string(this->parameters()) + " for the " + kind() + " predictor");
  start_ = std::move(parameters);
}

}  // namespace polystep
