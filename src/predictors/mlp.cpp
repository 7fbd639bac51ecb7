// Multilayer perceptron: theta = weight [units × inputs] row-major and bias [units] of each layer in turn.
//
// Hidden units are rectified; the last layer is linear. Layers work on whole tiles, [units × kLanes].
#include <fmt/core.h>

#include <algorithm>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

// One layer's place in theta and in the list of activations.
struct Layer {
  std::size_t inputs;
  std::size_t units;
  std::size_t weight;      // first parameter
  std::size_t activation;  // first row of its units in the activations of all layers
};

class Mlp final : public Predictor {
 public:
  Mlp(std::size_t features, std::vector<std::size_t> hidden, std::size_t outputs)
      : features_(features), hidden_(std::move(hidden)), outputs_(outputs) {
    std::size_t inputs = features, weight = 0;
    const auto add = [&](std::size_t units) {
      layers_.push_back({inputs, units, weight, rows_});
      weight += units * inputs + units;
      rows_ += units;
      inputs = units;
    };
    for (const std::size_t units : hidden_) add(units);
    add(outputs);
  }

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Mlp>(*this); }
  std::string kind() const override { return "mlp"; }
  PredictorFacts facts() const override { return {.hidden = hidden_}; }
  PredictorShape shape() const override {
    PredictorShape shape{kind(), features_, outputs_};
    shape.layers = hidden_;
    return shape;
  }
  std::vector<TensorShape> tensors() const override {
    std::vector<TensorShape> tensors;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      tensors.push_back({fmt::format("layer{}.weight", l), {layers_[l].units, layers_[l].inputs}});
      tensors.push_back({fmt::format("layer{}.bias", l), {layers_[l].units}});
    }
    return tensors;
  }
  std::size_t feature_columns() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    if (tile.width == kLanes)
      predict_lanes<kLanes>(theta, tile.features, prediction);
    else
      predict_lanes<1>(theta, tile.features, prediction);
  }

  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    if (tile.width == kLanes)
      gradient_lanes<kLanes>(theta, tile.features, output_gradient, gradient);
    else
      gradient_lanes<1>(theta, tile.features, output_gradient, gradient);
  }

 private:
  template <std::size_t Width>
  void predict_lanes(std::span<const double> theta, const double* features, double* prediction) const {
    static thread_local AlignedDoubles activations;
    forward<Width>(theta, features, activations);
    std::copy_n(activations.data() + layers_.back().activation * Width, outputs_ * Width, prediction);
  }

  template <std::size_t Width>
  void gradient_lanes(std::span<const double> theta, const double* features, const double* output_gradient,
                    std::span<double> gradient) const {
    static thread_local AlignedDoubles activations;
    forward<Width>(theta, features, activations);
    AlignedDoubles above(output_gradient, output_gradient + outputs_ * Width), below;
    for (std::size_t l = layers_.size(); l-- > 0;) {
      const Layer& layer = layers_[l];
      const double* inputs = l == 0 ? features : activations.data() + layers_[l - 1].activation * Width;
      add_layer_gradient<Width>(layer, inputs, above.data(), gradient);
      if (l == 0) return;
      below.assign(layer.inputs * Width, 0.0);
      pull_back<Width>(layer, theta, above.data(), below.data());
      // A rectified unit passes on what comes back where it is above 0.
      for (std::size_t i = 0; i < below.size(); ++i)
        if (!(inputs[i] > 0)) below[i] = 0;
      std::swap(above, below);
    }
  }

  // Activations of all layers, [units of all layers × Width].
  template <std::size_t Width>
  void forward(std::span<const double> theta, const double* features, AlignedDoubles& activations) const {
    activations.resize(rows_ * Width);
    const double* inputs = features;
    for (const Layer& layer : layers_) {
      double* units = activations.data() + layer.activation * Width;
      for (std::size_t u = 0; u < layer.units; ++u)
        write_unit<Width>(layer, theta.data() + layer.weight, u, inputs, units + u * Width);
      if (&layer != &layers_.back())
        for (std::size_t i = 0; i < layer.units * Width; ++i) units[i] = std::max(units[i], 0.0);
      inputs = units;
    }
  }

  template <std::size_t Width>
  static void write_unit(const Layer& layer, const double* parameters, std::size_t unit, const double* inputs,
                         double* lanes) {
    std::fill_n(lanes, Width, parameters[layer.units * layer.inputs + unit]);
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      const double weight = parameters[unit * layer.inputs + i];
      for (std::size_t lane = 0; lane < Width; ++lane) lanes[lane] += weight * inputs[i * Width + lane];
    }
  }

  template <std::size_t Width>
  static void add_layer_gradient(const Layer& layer, const double* inputs, const double* above,
                                 std::span<double> gradient) {
    double* weights = gradient.data() + layer.weight;
    double* biases = weights + layer.units * layer.inputs;
    for (std::size_t u = 0; u < layer.units; ++u) {
      for (std::size_t lane = 0; lane < Width; ++lane) biases[u] += above[u * Width + lane];
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        double sum = 0;
        for (std::size_t lane = 0; lane < Width; ++lane)
          sum += above[u * Width + lane] * inputs[i * Width + lane];
        weights[u * layer.inputs + i] += sum;
      }
    }
  }

  template <std::size_t Width>
  static void pull_back(const Layer& layer, std::span<const double> theta, const double* above,
                        double* below) {
    for (std::size_t u = 0; u < layer.units; ++u)
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        const double weight = theta[layer.weight + u * layer.inputs + i];
        for (std::size_t lane = 0; lane < Width; ++lane)
          below[i * Width + lane] += weight * above[u * Width + lane];
      }
  }

  std::size_t features_;
  std::vector<std::size_t> hidden_;  // units of each hidden layer
  std::size_t outputs_;
  std::vector<Layer> layers_;  // hidden ones, then the last
  std::size_t rows_ = 0;       // units of all layers
};

}  // namespace

std::unique_ptr<Predictor> make_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                    std::size_t outputs) {
  if (hidden.empty() || std::find(hidden.begin(), hidden.end(), 0u) != hidden.end())
    throw InputError(
        "mlp predictor: found no hidden layer or one without units, expected at least one unit "
        "in each");
  return std::make_unique<Mlp>(features, std::move(hidden), outputs);
}

}  // namespace polystep
