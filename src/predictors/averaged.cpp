// An average of predictors of one kind: their outputs, centred within groups and divided by fixed deviations,
// so that no member counts more for having larger outputs.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/instances.hpp"
#include "polystep/predictor.hpp"

namespace polystep {
namespace {

class Averaged final : public Predictor {
 public:
  Averaged(std::unique_ptr<Predictor> member, std::vector<double> deviations,
           std::shared_ptr<const Instances> instances)
      : member_(std::move(member)),
        deviations_(std::move(deviations)),
        instances_(std::move(instances)),
        size_(member_->parameters()) {}

  std::unique_ptr<Predictor> clone() const override {
    auto copy = std::make_unique<Averaged>(member_->clone(), deviations_, instances_);
    copy->copy_start(*this);
    return copy;
  }
  std::string kind() const override { return member_->kind(); }
  // Affine or not, it is searched as a whole.
  PredictorFacts facts() const override {
    PredictorFacts facts = member_->facts();
    facts.curved = true;
    return facts;
  }
  PredictorShape shape() const override { return member_->shape(); }
  std::vector<TensorShape> tensors() const override {
    std::vector<TensorShape> all;
    for (std::size_t m = 0; m < deviations_.size(); ++m)
      for (TensorShape tensor : member_->tensors()) {
        tensor.name = fmt::format("member{}.{}", m, tensor.name);
        tensor.released_name.clear();
        all.push_back(std::move(tensor));
      }
    return all;
  }
  InitialDraw usual_draw() const override { return member_->usual_draw(); }
  std::size_t feature_columns() const override { return member_->feature_columns(); }
  std::size_t row_features() const override { return member_->row_features(); }
  std::size_t outputs() const override { return member_->outputs(); }
  using Predictor::outputs_of;
  std::size_t outputs_of(const RowShape& row, std::size_t instance) const override {
    return member_->outputs_of(row, instance);
  }
  std::span<const double> member_deviations() const override { return deviations_; }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    static thread_local AlignedDoubles one;
    const std::size_t size = outputs_of(tile) * tile.width;
    one.resize(size);
    std::fill_n(prediction, size, 0.0);
    for (std::size_t m = 0; m < deviations_.size(); ++m) {
      member_->predict(theta.subspan(m * size_, size_), tile, one.data());
      centre(tile, one.data());
      for (std::size_t i = 0; i < size; ++i) prediction[i] += one[i] / deviations_[m];
    }
    for (std::size_t i = 0; i < size; ++i) prediction[i] /= static_cast<double>(deviations_.size());
  }

  // Centring is a projection, which pulls gradients back as it acts on outputs.
  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    static thread_local AlignedDoubles centred, one;
    const std::size_t size = outputs_of(tile) * tile.width;
    centred.assign(output_gradient, output_gradient + size);
    centre(tile, centred.data());
    one.resize(size);
    for (std::size_t m = 0; m < deviations_.size(); ++m) {
      for (std::size_t i = 0; i < size; ++i)
        one[i] = centred[i] / (deviations_[m] * static_cast<double>(deviations_.size()));
      member_->add_gradient(theta.subspan(m * size_, size_), tile, one.data(),
                            gradient.subspan(m * size_, size_));
    }
  }

 private:
  // Takes the mean of its group off every output, lane by lane.
  void centre(const Tile& tile, double* values) const {
    if (instances_ == nullptr) return;
    for (std::size_t lane = 0; lane < tile.width; ++lane) {
      const std::span<const std::uint8_t> groups =
          instances_->output_groups(instances_->alike() ? 0 : tile.instance[lane]);
      std::array<double, 256> sum{}, count{};
      for (std::size_t o = 0; o < groups.size(); ++o) {
        sum[groups[o]] += values[o * tile.width + lane];
        count[groups[o]] += 1;
      }
      for (std::size_t o = 0; o < groups.size(); ++o)
        values[o * tile.width + lane] -= sum[groups[o]] / count[groups[o]];
    }
  }

  std::unique_ptr<Predictor> member_;
  std::vector<double> deviations_;  // [members]
  std::shared_ptr<const Instances> instances_;
  std::size_t size_;  // parameters of a member
};

}  // namespace

std::unique_ptr<Predictor> make_averaged(std::unique_ptr<Predictor> member, std::vector<double> deviations,
                                         std::shared_ptr<const Instances> instances) {
  if (deviations.empty())
    throw InputError("average of predictors: found no deviations, expected one per member");
  for (const double deviation : deviations)
    if (!(deviation > 0) || !std::isfinite(deviation))
      throw InputError(fmt::format(
          "average of predictors: found deviation {}, expected a finite number above 0", deviation));
  if (member->output_scaling() != nullptr || !member->member_deviations().empty())
    throw InputError(
        fmt::format("average of predictors: found members with outputs in units of their own ({}), expected "
                    "raw outputs",
                    member->kind()));
  return std::make_unique<Averaged>(std::move(member), std::move(deviations), std::move(instances));
}

}  // namespace polystep
