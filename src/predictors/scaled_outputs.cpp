// A predictor whose outputs are put into fixed units: what is trained sees numbers near 1, whatever the
// units.
#include <fmt/core.h>

#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

class ScaledOutputs final : public Predictor {
 public:
  ScaledOutputs(std::unique_ptr<Predictor> inner, OutputScaling scaling)
      : inner_(std::move(inner)), scaling_(std::move(scaling)) {}

  std::unique_ptr<Predictor> clone() const override {
    std::unique_ptr<Predictor> copy = std::make_unique<ScaledOutputs>(inner_->clone(), scaling_);
    copy->copy_start(*this);
    return copy;
  }
  std::string kind() const override { return inner_->kind(); }
  PredictorFacts facts() const override { return inner_->facts(); }
  PredictorShape shape() const override { return inner_->shape(); }
  std::vector<TensorShape> tensors() const override { return inner_->tensors(); }
  std::size_t feature_columns() const override { return inner_->feature_columns(); }
  std::size_t row_features() const override { return inner_->row_features(); }
  std::size_t outputs() const override { return inner_->outputs(); }
  const OutputScaling* output_scaling() const override { return &scaling_; }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    inner_->predict(theta, tile, prediction);
    for (std::size_t o = 0; o < outputs(); ++o)
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        prediction[o * tile.width + lane] =
            prediction[o * tile.width + lane] * scaling_.deviation[o] + scaling_.mean[o];
  }

  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                             std::size_t outputs) const override {
    return inner_->touched_outputs(parameters, outputs);
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched,
                      std::size_t tiles, const Tile& first, double* change) const override {
    inner_->predict_change(direction, touched, tiles, first, change);
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for (const std::uint32_t output : touched)
        for (std::size_t lane = 0; lane < first.width; ++lane) *change++ *= scaling_.deviation[output];
  }

  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    AlignedDoubles raw(outputs() * tile.width);
    for (std::size_t o = 0; o < outputs(); ++o)
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        raw[o * tile.width + lane] = output_gradient[o * tile.width + lane] * scaling_.deviation[o];
    inner_->add_gradient(theta, tile, raw.data(), gradient);
  }

 private:
  std::unique_ptr<Predictor> inner_;
  OutputScaling scaling_;
};

}  // namespace

std::unique_ptr<Predictor> make_scaled(std::unique_ptr<Predictor> inner, OutputScaling scaling) {
  if (scaling.mean.size() != inner->outputs() || scaling.deviation.size() != inner->outputs())
    throw InputError(fmt::format("output scaling: found {} means and {} deviations, expected {} of each",
                                 scaling.mean.size(), scaling.deviation.size(), inner->outputs()));
  for (const double deviation : scaling.deviation)
    if (!(deviation > 0) || !std::isfinite(deviation))
      throw InputError(
          fmt::format("output scaling: found deviation {}, expected a finite number above 0", deviation));
  return std::make_unique<ScaledOutputs>(std::move(inner), std::move(scaling));
}

}  // namespace polystep
