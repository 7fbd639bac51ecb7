// Shared linear predictor: theta = w [features], b; output o reads its own features [outputs × features].
//
// Made for 0 outputs it takes instances of any size: one output per row of features.
#include "predictors/shared_linear.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"
#include "simd/lanes.hpp"

namespace polystep {
namespace {

constexpr const char* kSharedLinearKind = "shared-linear";

class SharedLinear final : public Predictor {
 public:
  SharedLinear(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<SharedLinear>(*this); }
  std::string kind() const override { return kSharedLinearKind; }
  PredictorFacts facts() const override { return {.entry = FeatureEntry::kPerOutput}; }
  std::vector<TensorShape> tensors() const override { return {{"weight", {1, features_}}, {"bias", {1}}}; }
  std::size_t feature_columns() const override { return features_ * outputs_; }
  std::size_t row_features() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }
  std::size_t outputs_of(const RowShape& row, std::size_t) const override {
    if (outputs_ != 0) return row.features == features_ * outputs_ ? outputs_ : 0;
    return row.features % features_ == 0 ? row.features / features_ : 0;
  }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    if (tile.width == kLanes)
      predict_lanes<kLanes>(theta, tile, prediction);
    else
      predict_lanes<1>(theta, tile, prediction);
  }

  // Every parameter reaches every output.
  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                             std::size_t outputs) const override {
    std::vector<std::uint32_t> touched(parameters.empty() ? 0 : outputs);
    std::iota(touched.begin(), touched.end(), 0u);
    return touched;
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const Tile& first, double* change) const override {
    if (first.width == kLanes)
      change_lanes<kLanes>(direction, touched, tiles, first, change);
    else
      change_lanes<1>(direction, touched, tiles, first, change);
  }

  void add_gradient(std::span<const double>, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    if (tile.width == kLanes)
      gradient_lanes<kLanes>(tile, output_gradient, gradient);
    else
      gradient_lanes<1>(tile, output_gradient, gradient);
  }

 private:
  template <std::size_t Width>
  void predict_lanes(std::span<const double> theta, const Tile& tile, double* prediction) const {
    const std::size_t outputs = tile.shape.features / features_;
    for (std::size_t o = 0; o < outputs; ++o) {
      write_sum<Width>(theta[features_], theta.first(features_), tile.features + o * features_ * Width,
                       nullptr, prediction + o * Width);
    }
  }

  // first + weights . features [weights × Width] + *last where there is one, of one output. The sums stay in
  // registers.
  template <std::size_t Width>
  static void write_sum(double first, std::span<const double> weights, const double* features,
                        const double* last, double* out) {
    if constexpr (Width == 1) {
      for (std::size_t f = 0; f < weights.size(); ++f) first += weights[f] * features[f];
      *out = last != nullptr ? first + *last : first;
    } else {
      using Lanes = simd::FourLanes;
      static_assert(Width == 2 * Lanes::kWidth);
      Lanes::Real low = Lanes::all(first),
                  high = low;  // both halves at once: each waits for its own sums only
      for (std::size_t f = 0; f < weights.size(); ++f) {
        const Lanes::Real weight = Lanes::all(weights[f]);
        low += weight * simd::load<Lanes>(features + f * Width);
        high += weight * simd::load<Lanes>(features + f * Width + Lanes::kWidth);
      }
      if (last != nullptr) {
        const Lanes::Real added = Lanes::all(*last);
        low += added;
        high += added;
      }
      simd::store(out, low);
      simd::store(out + Lanes::kWidth, high);
    }
  }

  template <std::size_t Width>
  void gradient_lanes(const Tile& tile, const double* output_gradient, std::span<double> gradient) const {
    const std::size_t outputs = tile.shape.features / features_;
    for (std::size_t o = 0; o < outputs; ++o) {
      const double* row = output_gradient + o * Width;
      for (std::size_t f = 0; f < features_; ++f) {
        const double* feature = tile.features + (o * features_ + f) * Width;
        double sum = 0;
        for (std::size_t lane = 0; lane < Width; ++lane) sum += row[lane] * feature[lane];
        gradient[f] += sum;
      }
      double sum = 0;
      for (std::size_t lane = 0; lane < Width; ++lane) sum += row[lane];
      gradient[features_] += sum;
    }
  }

  template <std::size_t Width>
  void change_lanes(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                    const Tile& first, double* change) const {
    // Blocks hold neighbouring parameters: then no entry needs to be looked up.
    const std::size_t first_entry = direction.dense()   ? direction.first()
                                    : direction.empty() ? 0
                                                        : direction.index().front();
    const bool range = direction.dense() || direction.empty() ||
                       direction.index().back() - first_entry + 1 == direction.size();
    const bool bias = range && first_entry + direction.size() == features_ + 1;
    const std::span<const double> weights = direction.value().first(direction.size() - bias);
    const double* last = bias ? &direction.value().back() : nullptr;
    const double* features = first.features;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      for (const std::uint32_t output : touched) {
        const double* own = features + output * features_ * Width;
        if (range)
          write_sum<Width>(0, weights, own + first_entry * Width, last, change);
        else
          write_scattered<Width>(direction, own, change);
        change += Width;
      }
      features += first.shape.features * Width;
    }
  }

  template <std::size_t Width>
  void write_scattered(const Direction& direction, const double* features, double* change) const {
    std::array<double, Width> sum{};
    direction.for_each([&](std::size_t parameter, double value) {
      if (parameter == features_)
        for (double& lane : sum) lane += value;
      else
        for (std::size_t lane = 0; lane < Width; ++lane)
          sum[lane] += value * features[parameter * Width + lane];
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

PredictorEntry shared_linear_entry() {
  return {.name = kSharedLinearKind,
          .help = "the same weights for every output, each with its own row of features",
          .entry = FeatureEntry::kPerOutput,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            return make_shared_linear(shape.features, shape.outputs);
          }};
}

}  // namespace polystep
