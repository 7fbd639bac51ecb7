// A predictor maps features to predicted parameters; its own parameters theta are what training searches.
//
// Theta is one flat vector: the tensors in declaration order, each flattened row-major (out, in). Predictors
// that are affine in theta also know how a prediction changes along a parameter direction, which lets a probe
// recompute only the outputs it touches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace polystep {

// Shape of one parameter tensor. A bias has one dimension; a weight matrix has two: (out, in).
struct TensorShape {
  std::string name;
  std::vector<std::size_t> dimensions;

  std::size_t size() const {
    std::size_t product = 1;
    for (const std::size_t n : dimensions) product *= n;
    return product;
  }
};

// A direction in parameter space with few non-zero entries.
struct SparseDirection {
  std::vector<std::uint32_t> index;  // ascending
  std::vector<double> value;         // same length
};

// Which generator the starting parameters come from.
enum class InitialDraw {
  kStreams,  // the program's own streams, one per tensor
  kTwister,  // one Mersenne twister in single precision, the draws that the published baselines started from
};

// Fixed units of the outputs: prediction = raw output * deviation + mean. Never trained, never probed; saved
// with the model.
struct OutputScaling {
  std::vector<double> mean;       // [outputs]
  std::vector<double> deviation;  // [outputs], above 0
};

class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual std::string kind() const = 0;  // "linear", "shared-linear": written into model files
  virtual std::vector<TensorShape> tensors() const = 0;
  virtual std::size_t feature_columns() const = 0;  // of one instance
  // Features of one table row: all of an instance's, or one output's share where outputs have rows of their
  // own.
  virtual std::size_t row_features() const { return feature_columns(); }
  virtual std::size_t outputs() const = 0;
  std::size_t parameters() const;
  virtual const OutputScaling* output_scaling() const { return nullptr; }  // nullptr: outputs are raw

  // Predictions for one tile of features [feature_columns × kLanes], into [outputs × kLanes].
  virtual void predict(std::span<const double> theta, const double* features, double* prediction) const = 0;

  // True where predictions are affine in theta; the two functions below are then implemented.
  virtual bool affine() const { return false; }

  // The outputs that can change when the given parameters do, ascending.
  virtual std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters) const;

  // The change of the touched outputs per unit step along `direction`, for several tiles at once: from
  // features [tiles × feature_columns × kLanes] into [tiles × touched × kLanes].
  virtual void predict_change(const SparseDirection& direction, std::span<const std::uint32_t> touched,
                              std::size_t tiles, const double* features, double* change) const;

  // Pulls a gradient with respect to predictions [outputs × kLanes] back to theta and adds it to `gradient`,
  // for methods that use the predictor's own Jacobian.
  virtual void add_gradient(std::span<const double> theta, const double* features,
                            const double* output_gradient, std::span<double> gradient) const = 0;

  // Uniform in ±1/sqrt(fan_in) for weights and biases alike, from the run's seed.
  std::vector<double> initial_parameters(std::uint64_t seed, InitialDraw draw = InitialDraw::kStreams) const;
};

// One output per predicted parameter, each with its own weights: prediction = W z + b.
std::unique_ptr<Predictor> make_linear(std::size_t features, std::size_t outputs);

// The same few weights for every output, each of which has its own row of features: prediction_o = w . z_o +
// b.
std::unique_ptr<Predictor> make_shared_linear(std::size_t features, std::size_t outputs);

// The given predictor with its outputs in fixed units.
std::unique_ptr<Predictor> make_scaled(std::unique_ptr<Predictor> inner, OutputScaling scaling);

// By the kind written in a model file.
std::unique_ptr<Predictor> make_predictor(const std::string& kind, std::size_t features, std::size_t outputs);

}  // namespace polystep
