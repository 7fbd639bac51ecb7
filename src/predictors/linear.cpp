// Linear predictor: theta = W [outputs × features] row-major, then b [outputs].
#include <algorithm>

#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

// row += value * feature, one row of a tile. The compiler cannot know that the two lie apart and would go
// lane by lane, so that the width of a register of the baseline is spelt out.
void add_multiple(double value, const double* feature, double* row) {
  using Four = double __attribute__((vector_size(4 * sizeof(double)), aligned(alignof(double)), may_alias));
  for (std::size_t lane = 0; lane < kLanes; lane += 4)
    *reinterpret_cast<Four*>(row + lane) += value * *reinterpret_cast<const Four*>(feature + lane);
}

class Linear final : public Predictor {
 public:
  Linear(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  std::string kind() const override { return "linear"; }
  std::vector<TensorShape> tensors() const override {
    return {{"weight", {outputs_, features_}}, {"bias", {outputs_}}};
  }
  std::size_t feature_columns() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }
  bool affine() const override { return true; }

  void predict(std::span<const double> theta, const double* features, double* prediction) const override {
    const double* bias = theta.data() + outputs_ * features_;
    for (std::size_t o = 0; o < outputs_; ++o) {
      double* row = prediction + o * kLanes;
      std::fill_n(row, kLanes, bias[o]);
      for (std::size_t f = 0; f < features_; ++f) {
        const double weight = theta[o * features_ + f];
        add_multiple(weight, features + f * kLanes, row);
      }
    }
  }

  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters) const override {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t index : parameters) touched.push_back(output_of(index));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    return touched;
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const double* features, double* change) const override {
    std::fill_n(change, tiles * touched.size() * kLanes, 0.0);
    const std::size_t weights = outputs_ * features_;
    std::size_t slot = 0;
    direction.for_each([&](std::size_t index, double value) {
      const std::uint32_t output = output_of(index);
      // Indices ascend, so outputs do too, but for one restart where the biases begin.
      if (touched[slot] > output) slot = 0;
      while (touched[slot] != output) ++slot;
      double* row = change + slot * kLanes;
      if (index >= weights)
        add_constant(value, tiles, touched.size(), row);
      else
        add_feature(value, features + (index - output * features_) * kLanes, tiles, touched.size(), row);
    });
  }

  void add_gradient(std::span<const double>, const double* features, const double* output_gradient,
                    std::span<double> gradient) const override {
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double* row = output_gradient + o * kLanes;
      for (std::size_t f = 0; f < features_; ++f) {
        double sum = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum += row[lane] * features[f * kLanes + lane];
        gradient[o * features_ + f] += sum;
      }
      double sum = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) sum += row[lane];
      gradient[outputs_ * features_ + o] += sum;
    }
  }

 private:
  // Adds value, or value times a feature, to one row of each tile's changes.
  static void add_constant(double value, std::size_t tiles, std::size_t rows, double* row) {
    for (std::size_t tile = 0; tile < tiles; ++tile, row += rows * kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] += value;
  }
  void add_feature(double value, const double* feature, std::size_t tiles, std::size_t rows,
                   double* row) const {
    for (std::size_t tile = 0; tile < tiles; ++tile, row += rows * kLanes, feature += features_ * kLanes)
      add_multiple(value, feature, row);
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

}  // namespace polystep
