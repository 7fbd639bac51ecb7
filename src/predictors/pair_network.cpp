// Pair network: theta = weight [hidden × 2 features], bias [hidden], weight [1 × hidden], bias [1].
//
// The hidden layer's input splits into a share of the left row and a share of the right row, so an instance
// of L left and R right rows needs L + R products with the weights, not L R, and each of them only over the
// features that are not 0. These shares are the state: left [left × hidden], bias included, then right
// [hidden × columns], where pair_scores.hpp reads them.
#include "predictors/pair_network.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"
#include "predictors/pair_scores.hpp"

namespace polystep {
namespace {

constexpr const char* kPairNetworkKind = "pair-network";

class PairNetwork final : public StagedPredictor {
 public:
  PairNetwork(std::size_t features, std::size_t left, std::size_t right, std::size_t hidden)
      : features_(features),
        left_(left),
        right_(right),
        hidden_(hidden),
        columns_((right + kPairColumns - 1) / kPairColumns * kPairColumns),
        score_pairs_(score_pairs_variant()) {}

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<PairNetwork>(*this); }
  std::string kind() const override { return kPairNetworkKind; }
  PredictorFacts facts() const override {
    return {.entry = FeatureEntry::kPairs, .hidden = {hidden_}, .logistic = true};
  }
  PredictorShape shape() const override { return {kind(), features_, outputs(), hidden_, left_}; }
  std::vector<TensorShape> tensors() const override {
    return {{"hidden.weight", {hidden_, 2 * features_}, "0.0.weight"},
            {"hidden.bias", {hidden_}},
            {"output.weight", {1, hidden_}},
            {"output.bias", {1}}};
  }
  std::size_t feature_columns() const override { return (left_ + right_) * features_; }
  std::size_t row_features() const override { return features_; }
  std::size_t outputs() const override { return left_ * right_; }
  std::size_t state_size() const override { return left_ * hidden_ + hidden_ * columns_; }
  std::size_t head_begin() const override { return 2 * features_ * hidden_ + hidden_; }
  std::size_t scratch_size() const override { return left_ * columns_ + hidden_; }

  void states(std::span<const double> theta, std::span<const double> features, float* states) const override {
    std::vector<float> by_feature(2 * features_ * hidden_);  // [2 features × hidden]
    for (std::size_t h = 0; h < hidden_; ++h)
      for (std::size_t f = 0; f < 2 * features_; ++f)
        by_feature[f * hidden_ + h] = static_cast<float>(theta[h * 2 * features_ + f]);
    add_up(by_feature, theta.subspan(2 * features_ * hidden_, hidden_), features, states);
  }

  void state_changes(const Direction& direction, std::span<const double> features,
                     float* changes) const override {
    const std::size_t inputs = 2 * features_, weights = inputs * hidden_;
    const bool moves_weights =
        !direction.empty() && (direction.dense() ? direction.first() : direction.index().front()) < weights;
    std::vector<float> by_feature(moves_weights ? weights : 0);
    std::vector<double> bias(hidden_);
    std::size_t unit = 0;  // parameters ascend, so the unit they belong to is found without a division
    direction.for_each([&](std::size_t parameter, double value) {
      if (parameter < weights) {
        while (parameter >= (unit + 1) * inputs) ++unit;
        by_feature[(parameter - unit * inputs) * hidden_ + unit] = static_cast<float>(value);
      } else if (parameter < head_begin()) {
        bias[parameter - weights] = value;
      }
    });
    add_up(by_feature, bias, features, changes);
  }

  void predict_from_state(std::span<const double> head, const float* state, float* scratch,
                          float* prediction) const override {
    float* weight = scratch + left_ * columns_;
    for (std::size_t h = 0; h < hidden_; ++h) weight[h] = static_cast<float>(head[h]);
    score_pairs_(layer(state, weight, static_cast<float>(head[hidden_])), scratch);
    for (std::size_t i = 0; i < left_; ++i)
      std::copy_n(scratch + i * columns_, right_, prediction + i * right_);
  }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    AlignedFloats state(tile.width * state_size()), scratch(scratch_size()), scores(outputs());
    states(theta, lanes_apart(tile), state.data());
    for (std::size_t lane = 0; lane < tile.width; ++lane) {
      predict_from_state(theta.subspan(head_begin()), state.data() + lane * state_size(), scratch.data(),
                         scores.data());
      for (std::size_t pair = 0; pair < outputs(); ++pair)
        prediction[pair * tile.width + lane] = scores[pair];
    }
  }

  // With p = logistic(z), z = b + sum_h v_h max(0, u_h): dz = dp p (1 - p), dv_h = dz max(0, u_h) and, where
  // u_h > 0, du_h = dz v_h.
  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    AlignedFloats state(tile.width * state_size()), scratch(scratch_size()), scores(outputs());
    const std::vector<double> rows = lanes_apart(tile);
    states(theta, rows, state.data());
    const std::span<const double> head = theta.subspan(head_begin());
    std::vector<double> by_feature(2 * features_ * hidden_);  // [2 features × hidden], of the hidden weights
    for (std::size_t lane = 0; lane < tile.width; ++lane) {
      const float* inputs = state.data() + lane * state_size();
      predict_from_state(head, inputs, scratch.data(), scores.data());
      std::vector<double> input_gradient((left_ + right_) * hidden_);  // [left + right × hidden]
      for (std::size_t pair = 0; pair < outputs(); ++pair) {
        const double p = scores[pair];
        const double slope = output_gradient[pair * tile.width + lane] * p * (1 - p);
        if (slope != 0) add_pair_gradient(head, inputs, pair, slope, input_gradient, gradient);
      }
      add_input_gradient(input_gradient, std::span(rows).subspan(lane * feature_columns(), feature_columns()),
                         by_feature, gradient.subspan(by_feature.size(), hidden_));
    }
    for (std::size_t h = 0; h < hidden_; ++h)
      for (std::size_t f = 0; f < 2 * features_; ++f)
        gradient[h * 2 * features_ + f] += by_feature[f * hidden_ + h];
  }

 private:
  PairLayer layer(const float* state, const float* weight, float bias) const {
    return {left_, columns_, hidden_, state, state + left_ * hidden_, weight, bias};
  }

  // A tile's features as [lanes × feature_columns].
  std::vector<double> lanes_apart(const Tile& tile) const {
    std::vector<double> rows(tile.width * feature_columns());
    for (std::size_t f = 0; f < feature_columns(); ++f)
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        rows[lane * feature_columns() + f] = tile.features[f * tile.width + lane];
    return rows;
  }

  // States for hidden weights given feature by feature, [2 features × hidden]; none: all of them 0.
  void add_up(const std::vector<float>& by_feature, std::span<const double> bias,
              std::span<const double> features, float* states) const {
    std::vector<float> sum(hidden_);
    for (std::size_t first = 0; first < features.size(); first += feature_columns(), states += state_size())
      for (std::size_t row = 0; row < left_ + right_; ++row) {
        const bool is_left = row < left_;
        for (std::size_t h = 0; h < hidden_; ++h) sum[h] = is_left ? static_cast<float>(bias[h]) : 0.0f;
        if (!by_feature.empty())
          add_row(features.subspan(first + row * features_, features_),
                  by_feature.data() + (is_left ? 0 : features_ * hidden_), sum);
        if (is_left)
          std::copy(sum.begin(), sum.end(), states + row * hidden_);
        else
          place_right(sum, row - left_, states + left_ * hidden_);
      }
  }

  void add_row(std::span<const double> row, const float* by_feature, std::vector<float>& sum) const {
    for (std::size_t f = 0; f < features_; ++f) {
      if (row[f] == 0) continue;
      const auto value = static_cast<float>(row[f]);
      const float* weights = by_feature + f * hidden_;
      for (std::size_t h = 0; h < hidden_; ++h) sum[h] += value * weights[h];
    }
  }

  // The last right row also fills the columns that only round their number up.
  void place_right(const std::vector<float>& sum, std::size_t column, float* right) const {
    const std::size_t end = column + 1 == right_ ? columns_ : column + 1;
    for (std::size_t h = 0; h < hidden_; ++h)
      std::fill(right + h * columns_ + column, right + h * columns_ + end, sum[h]);
  }

  void add_pair_gradient(std::span<const double> head, const float* state, std::size_t pair, double slope,
                         std::vector<double>& input_gradient, std::span<double> gradient) const {
    const std::size_t i = pair / right_, j = pair % right_;
    const float* right = state + left_ * hidden_;
    const std::span<double> head_gradient = gradient.subspan(head_begin());
    for (std::size_t h = 0; h < hidden_; ++h) {
      const float unit = state[i * hidden_ + h] + right[h * columns_ + j];
      if (!(unit > 0)) continue;
      head_gradient[h] += slope * unit;
      input_gradient[i * hidden_ + h] += slope * head[h];
      input_gradient[(left_ + j) * hidden_ + h] += slope * head[h];
    }
    head_gradient[hidden_] += slope;
  }

  void add_input_gradient(const std::vector<double>& input_gradient, std::span<const double> features,
                          std::vector<double>& by_feature, std::span<double> bias) const {
    for (std::size_t row = 0; row < left_ + right_; ++row) {
      const double* inputs = input_gradient.data() + row * hidden_;
      const std::size_t side = row < left_ ? 0 : features_;
      for (std::size_t f = 0; f < features_; ++f) {
        const double value = features[row * features_ + f];
        if (value == 0) continue;
        double* weights = by_feature.data() + (side + f) * hidden_;
        for (std::size_t h = 0; h < hidden_; ++h) weights[h] += value * inputs[h];
      }
      if (row < left_)  // the bias is part of the left share
        for (std::size_t h = 0; h < hidden_; ++h) bias[h] += inputs[h];
    }
  }

  std::size_t features_;
  std::size_t left_;
  std::size_t right_;
  std::size_t hidden_;
  std::size_t columns_;  // right rows, rounded up
  ScorePairs score_pairs_;
};

}  // namespace

std::unique_ptr<Predictor> make_pair_network(std::size_t features, std::size_t left, std::size_t right,
                                             std::size_t hidden) {
  return std::make_unique<PairNetwork>(features, left, right, hidden);
}

PredictorEntry pair_network_entry() {
  return {.name = kPairNetworkKind,
          .help =
              "one hidden layer and a logistic score for every pair of a left and a right row, for rows "
              "with many zeros",
          .entry = FeatureEntry::kPairs,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            if (shape.left == 0 || shape.outputs % shape.left != 0)
              throw InputError(fmt::format(
                  "{} predictor: found {} outputs and {} left rows, expected a multiple of the left rows",
                  kPairNetworkKind, shape.outputs, shape.left));
            return make_pair_network(shape.features, shape.left, shape.outputs / shape.left, shape.hidden);
          }};
}

}  // namespace polystep
