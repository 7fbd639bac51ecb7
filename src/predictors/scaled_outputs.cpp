// A predictor whose outputs are put into fixed units: what is trained sees numbers near 1, whatever the
// units.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/batch_pass.hpp"
#include "polystep/error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {
namespace {

// A pass whose predictions are in the predictor's own units.
class ScaledPass final : public BatchPass {
 public:
  ScaledPass(const Predictor& inner, const OutputScaling& scaling, std::unique_ptr<BatchPass> pass)
      : inner_(inner), scaling_(scaling), pass_(std::move(pass)) {}

  void predict(std::span<const double> theta, std::span<const Tile> tiles, double* predictions) override {
    pass_->predict(theta, tiles, predictions);
    for (const Tile& tile : tiles)
      for (std::size_t o = 0; o < inner_.outputs_of(tile); ++o)
        for (std::size_t lane = 0; lane < tile.width; ++lane, ++predictions)
          *predictions = *predictions * scaling_.deviation_of(o) + scaling_.mean_of(o);
  }

  void pull_back(std::span<const double> theta, std::span<const Tile> tiles, const double* output_gradient,
                 std::span<double> gradient) override {
    raw_.clear();
    for (const Tile& tile : tiles)
      for (std::size_t o = 0; o < inner_.outputs_of(tile); ++o)
        for (std::size_t lane = 0; lane < tile.width; ++lane)
          raw_.push_back(*output_gradient++ * scaling_.deviation_of(o));
    pass_->pull_back(theta, tiles, raw_.data(), gradient);
  }

 private:
  const Predictor& inner_;
  const OutputScaling& scaling_;
  std::unique_ptr<BatchPass> pass_;
  AlignedDoubles raw_;
};

// Base: what the predictor inside is, Predictor or StagedPredictor.
template <class Base>
class ScaledOutputs : public Base, public HasBatchPass {
 public:
  ScaledOutputs(std::unique_ptr<Predictor> inner, OutputScaling scaling)
      : inner_(std::move(inner)), scaling_(std::move(scaling)) {}

  std::unique_ptr<Predictor> clone() const override {
    std::unique_ptr<Predictor> copy = make_scaled(inner_->clone(), scaling_);
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
  using Base::outputs_of;
  std::size_t outputs_of(const RowShape& row, std::size_t instance) const override {
    return inner_->outputs_of(row, instance);
  }
  const OutputScaling* output_scaling() const override { return &scaling_; }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    inner_->predict(theta, tile, prediction);
    const std::size_t outputs = outputs_of(tile);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        prediction[o * tile.width + lane] =
            prediction[o * tile.width + lane] * scaling_.deviation_of(o) + scaling_.mean_of(o);
  }

  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                             std::size_t outputs) const override {
    return inner_->touched_outputs(parameters, outputs);
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const Tile& first, double* change) const override {
    inner_->predict_change(direction, touched, tiles, first, change);
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for (const std::uint32_t output : touched)
        for (std::size_t lane = 0; lane < first.width; ++lane) *change++ *= scaling_.deviation_of(output);
  }

  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    static thread_local AlignedDoubles raw;
    const std::size_t outputs = outputs_of(tile);
    raw.resize(outputs * tile.width);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        raw[o * tile.width + lane] = output_gradient[o * tile.width + lane] * scaling_.deviation_of(o);
    inner_->add_gradient(theta, tile, raw.data(), gradient);
  }

  std::unique_ptr<BatchPass> batch_pass(ParallelFor parallel) const override {
    std::unique_ptr<BatchPass> pass = make_batch_pass(*inner_, std::move(parallel));
    return pass == nullptr ? nullptr : std::make_unique<ScaledPass>(*inner_, scaling_, std::move(pass));
  }

 protected:
  std::unique_ptr<Predictor> inner_;
  OutputScaling scaling_;
};

// Units are the head's business: states stay as they are.
class ScaledStages final : public ScaledOutputs<StagedPredictor> {
 public:
  using ScaledOutputs::ScaledOutputs;

  std::size_t state_size() const override { return stages().state_size(); }
  std::size_t head_begin() const override { return stages().head_begin(); }
  std::size_t scratch_size() const override { return stages().scratch_size(); }
  void states(std::span<const double> theta, std::span<const double> features, float* states) const override {
    stages().states(theta, features, states);
  }
  void state_changes(const Direction& direction, std::span<const double> features,
                     float* changes) const override {
    stages().state_changes(direction, features, changes);
  }
  void predict_from_state(std::span<const double> head, const float* state, float* scratch,
                          float* prediction) const override {
    stages().predict_from_state(head, state, scratch, prediction);
    for (std::size_t o = 0; o < outputs(); ++o)
      prediction[o] = static_cast<float>(prediction[o] * scaling_.deviation_of(o) + scaling_.mean_of(o));
  }

 private:
  const StagedPredictor& stages() const { return *inner_->staged(); }
};

}  // namespace

std::unique_ptr<Predictor> make_scaled(std::unique_ptr<Predictor> inner, OutputScaling scaling) {
  const std::size_t units = scaling.mean.size();
  if (units != scaling.deviation.size() || (units != 1 && (units == 0 || units != inner->outputs())))
    throw InputError(fmt::format("output scaling: found {} means and {} deviations, expected {} of each",
                                 scaling.mean.size(), scaling.deviation.size(),
                                 std::max<std::size_t>(1, inner->outputs())));
  for (const double deviation : scaling.deviation)
    if (!(deviation > 0) || !std::isfinite(deviation))
      throw InputError(
          fmt::format("output scaling: found deviation {}, expected a finite number above 0", deviation));
  if (inner->staged() != nullptr) return std::make_unique<ScaledStages>(std::move(inner), std::move(scaling));
  return std::make_unique<ScaledOutputs<Predictor>>(std::move(inner), std::move(scaling));
}

}  // namespace polystep
