// Linear predictor: theta = W [outputs × features] row-major, then b [outputs].
#include "predictors/linear.hpp"

#include <algorithm>

#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

constexpr const char* kLinearKind = "linear";

// row += value * feature, one row of a tile. The compiler cannot know that the two lie apart and would go
// lane by lane, so that the width of a register of the baseline is spelt out.
template <std::size_t Width>
void add_multiple(double value, const double* feature, double* row) {
  using Four = double __attribute__((vector_size(4 * sizeof(double)), aligned(alignof(double)), may_alias));
  if constexpr (Width == 1)
    *row += value * *feature;
  else
    for (std::size_t lane = 0; lane < Width; lane += 4)
      *reinterpret_cast<Four*>(row + lane) += value * *reinterpret_cast<const Four*>(feature + lane);
}

class Linear final : public Predictor {
 public:
  Linear(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Linear>(*this); }
  std::string kind() const override { return kLinearKind; }
  PredictorFacts facts() const override { return {}; }
  std::vector<TensorShape> tensors() const override {
    return {{"weight", {outputs_, features_}}, {"bias", {outputs_}}};
  }
  std::size_t feature_columns() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    if (tile.width == kLanes)
      predict_lanes<kLanes>(theta, tile.features, prediction);
    else
      predict_lanes<1>(theta, tile.features, prediction);
  }

  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                             std::size_t) const override {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t index : parameters) touched.push_back(output_of(index));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    return touched;
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const Tile& first, double* change) const override {
    if (first.width == kLanes)
      change_lanes<kLanes>(direction, touched, tiles, first.features, change);
    else
      change_lanes<1>(direction, touched, tiles, first.features, change);
  }

  void add_gradient(std::span<const double>, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    if (tile.width == kLanes)
      gradient_lanes<kLanes>(tile.features, output_gradient, gradient);
    else
      gradient_lanes<1>(tile.features, output_gradient, gradient);
  }

 private:
  template <std::size_t Width>
  void predict_lanes(std::span<const double> theta, const double* features, double* prediction) const {
    const double* bias = theta.data() + outputs_ * features_;
    for (std::size_t o = 0; o < outputs_; ++o) {
      double* row = prediction + o * Width;
      std::fill_n(row, Width, bias[o]);
      for (std::size_t f = 0; f < features_; ++f) {
        const double weight = theta[o * features_ + f];
        add_multiple<Width>(weight, features + f * Width, row);
      }
    }
  }

  template <std::size_t Width>
  void change_lanes(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                    const double* features, double* change) const {
    std::fill_n(change, tiles * touched.size() * Width, 0.0);
    const std::size_t weights = outputs_ * features_;
    std::size_t slot = 0;
    direction.for_each([&](std::size_t index, double value) {
      const std::uint32_t output = output_of(index);
      // Indices ascend, so outputs do too, but for one restart where the biases begin.
      if (touched[slot] > output) slot = 0;
      while (touched[slot] != output) ++slot;
      double* row = change + slot * Width;
      if (index >= weights)
        add_constant<Width>(value, tiles, touched.size(), row);
      else
        add_feature<Width>(value, features + (index - output * features_) * Width, tiles, touched.size(),
                           row);
    });
  }

  template <std::size_t Width>
  void gradient_lanes(const double* features, const double* output_gradient,
                      std::span<double> gradient) const {
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double* row = output_gradient + o * Width;
      for (std::size_t f = 0; f < features_; ++f) {
        double sum = 0;
        for (std::size_t lane = 0; lane < Width; ++lane) sum += row[lane] * features[f * Width + lane];
        gradient[o * features_ + f] += sum;
      }
      double sum = 0;
      for (std::size_t lane = 0; lane < Width; ++lane) sum += row[lane];
      gradient[outputs_ * features_ + o] += sum;
    }
  }

  // Adds value, or value times a feature, to one row of each tile's changes.
  template <std::size_t Width>
  static void add_constant(double value, std::size_t tiles, std::size_t rows, double* row) {
    for (std::size_t tile = 0; tile < tiles; ++tile, row += rows * Width)
      for (std::size_t lane = 0; lane < Width; ++lane) row[lane] += value;
  }
  template <std::size_t Width>
  void add_feature(double value, const double* feature, std::size_t tiles, std::size_t rows,
                   double* row) const {
    for (std::size_t tile = 0; tile < tiles; ++tile, row += rows * Width, feature += features_ * Width)
      add_multiple<Width>(value, feature, row);
  }

  std::uint32_t output_of(std::size_t parameter) const {
    const std::size_t weights = outputs_ * features_;
    return static_cast<std::uint32_t>(parameter < weights ? parameter / features_ : parameter - weights);
  }

  std::size_t features_;
  std::size_t outputs_;
};

}  // namespace

std::unique_ptr<Predictor> make_linear(std::size_t features, std::size_t outputs) {
  return std::make_unique<Linear>(features, outputs);
}

PredictorEntry linear_entry() {
  return {.name = kLinearKind,
          .help = "a weight per feature and output",
          .entry = FeatureEntry::kWhole,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            return make_linear(shape.features, shape.outputs);
          }};
}

}  // namespace polystep
