// Shared linear predictor: theta = w [features], b; output o reads its own features [outputs × features].
#include <algorithm>
#include <array>
#include <numeric>

#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

class SharedLinear final : public Predictor {
 public:
  SharedLinear(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  std::string kind() const override { return "shared-linear"; }
  std::vector<TensorShape> tensors() const override { return {{"weight", {1, features_}}, {"bias", {1}}}; }
  std::size_t feature_columns() const override { return features_ * outputs_; }
  std::size_t row_features() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }
  bool affine() const override { return true; }

  void predict(std::span<const double> theta, const double* features, double* prediction) const override {
    for (std::size_t o = 0; o < outputs_; ++o) {
      double* row = prediction + o * kLanes;
      std::fill_n(row, kLanes, theta[features_]);
      for (std::size_t f = 0; f < features_; ++f) {
        const double* feature = features + (o * features_ + f) * kLanes;
        for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] += theta[f] * feature[lane];
      }
    }
  }

  // Every parameter reaches every output.
  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters) const override {
    std::vector<std::uint32_t> touched(parameters.empty() ? 0 : outputs_);
    std::iota(touched.begin(), touched.end(), 0u);
    return touched;
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const double* features, double* change) const override {
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      for (const std::uint32_t output : touched) {
        write_change(direction, features + output * features_ * kLanes, change);
        change += kLanes;
      }
      features += feature_columns() * kLanes;
    }
  }

  void add_gradient(std::span<const double>, const double* features, const double* output_gradient,
                    std::span<double> gradient) const override {
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double* row = output_gradient + o * kLanes;
      for (std::size_t f = 0; f < features_; ++f) {
        const double* feature = features + (o * features_ + f) * kLanes;
        double sum = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum += row[lane] * feature[lane];
        gradient[f] += sum;
      }
      double sum = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) sum += row[lane];
      gradient[features_] += sum;
    }
  }

 private:
  // One output's change, from its own features [features × kLanes].
  void write_change(const Direction& direction, const double* features, double* change) const {
    std::array<double, kLanes> sum{};
    direction.for_each([&](std::size_t parameter, double value) {
      const double* feature = features + parameter * kLanes;
      if (parameter == features_)
        for (double& lane : sum) lane += value;
      else
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += value * feature[lane];
    });
    std::copy(sum.begin(), sum.end(), change);
  }

  std::size_t features_;
  std::size_t outputs_;
};

}  // namespace

std::unique_ptr<Predictor> make_shared_linear(std::size_t features, std::size_t outputs) {
  return std::make_unique<SharedLinear>(features, outputs);
}

}  // namespace polystep
