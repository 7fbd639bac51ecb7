#include "methods/starts/common_features_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace polystep {
namespace {

bool any_negative(std::span<const double> values) {
  return std::ranges::any_of(values, [](double value) { return !(value >= 0); });
}

struct Groups {
  std::vector<std::size_t> of_feature;  // [features]
  std::vector<double> unit;             // [features]: its mean where it is not 0, so that units do not matter
  std::vector<double> weight;           // [groups]
};

// The most frequent feature first, each to the group that is lightest so far: frequent features end up alone,
// rare ones share a group.
Groups group_features(const Split& split, std::size_t features, std::size_t groups) {
  std::vector<double> count(features), sum(features);
  for (std::size_t i = 0; i < split.features.size(); ++i) {
    count[i % features] += split.features[i] != 0;
    sum[i % features] += split.features[i];
  }
  Groups result{std::vector<std::size_t>(features), std::vector<double>(features, 1.0),
                std::vector<double>(groups)};
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  const double rows = static_cast<double>(split.features.size() / features);
  std::vector<double>& frequency = result.weight;
  for (const std::size_t f : order) {
    const auto lightest = std::ranges::min_element(frequency);
    *lightest += std::max(count[f], 0.5) / rows;  // what was not seen may still come
    result.of_feature[f] = static_cast<std::size_t>(lightest - frequency.begin());
    if (count[f] > 0) result.unit[f] = sum[f] / count[f];
  }
  for (double& value : result.weight) value = std::log1p(1 / value);
  return result;
}

// What every pair has in common, weighted, [rows × left × right].
std::vector<double> common_weight(const PredictorShape& shape, const Split& split, const Groups& groups) {
  const std::size_t features = shape.features, count = groups.weight.size();
  const std::size_t sides = split.feature_columns / features;
  std::vector<double> common, sums(sides * count);
  common.reserve(split.rows * shape.outputs);
  for (std::size_t row = 0; row < split.rows; ++row) {
    const std::span<const double> values = split.feature_row(row);
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t f = i % features;
      sums[i / features * count + groups.of_feature[f]] += values[i] / groups.unit[f];
    }
    for (std::size_t left = 0; left < shape.left; ++left)
      for (std::size_t right = shape.left; right < sides; ++right) {
        double weight = 0;
        for (std::size_t g = 0; g < count; ++g)
          weight += groups.weight[g] * std::min(sums[left * count + g], sums[right * count + g]);
        common.push_back(weight);
      }
  }
  return common;
}

// Truth between 0 and 1.
std::vector<double> row_shares(const Split& split) {
  std::vector<double> shares = split.truth;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const std::span<const double> truth = split.truth_row(row);
    const double largest = *std::ranges::max_element(truth);
    if (largest > 0)
      for (std::size_t k = 0; k < truth.size(); ++k) shares[row * truth.size() + k] /= largest;
  }
  return shares;
}

// Slope and intercept of a logistic regression by Newton's method; the little ridge keeps them finite where
// the truth is all 0, all 1 or cut in two by x.
std::array<double, 2> logistic_line(std::span<const double> x, std::span<const double> share) {
  const double ridge = 1e-6 * static_cast<double>(x.size());
  double slope = 0, intercept = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    double gs = -ridge * slope, gi = -ridge * intercept, ss = ridge, si = 0, ii = ridge;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double p = 1 / (1 + std::exp(-slope * x[k] - intercept));
      const double error = share[k] - p, curvature = p * (1 - p);
      gs += error * x[k];
      gi += error;
      ss += curvature * x[k] * x[k];
      si += curvature * x[k];
      ii += curvature;
    }
    const double determinant = ss * ii - si * si;
    if (!(determinant > 0)) break;
    const double ds = (gs * ii - gi * si) / determinant, di = (gi * ss - gs * si) / determinant;
    const double longest = std::max(std::abs(ds), std::abs(di));
    const double damping = longest > 2 ? 2 / longest : 1;  // far off, the quadratic model promises too much
    slope += damping * ds;
    intercept += damping * di;
    if (longest < 1e-12) break;
  }
  return {slope, intercept};
}

}  // namespace

std::optional<std::vector<double>> common_features_start(const Predictor& predictor, const Split& split) {
  const PredictorFacts facts = predictor.facts();
  if (facts.entry != FeatureEntry::kPairs || facts.hidden.size() != 1 || !facts.logistic || split.ragged())
    return std::nullopt;
  const PredictorShape shape = predictor.shape();
  const std::size_t features = shape.features, hidden = facts.hidden.front();
  if (hidden < 2 || split.rows == 0 || split.truth_columns != shape.outputs || any_negative(split.features) ||
      any_negative(split.truth))
    return std::nullopt;
  const Groups groups = group_features(split, features, std::min(hidden - 1, features));
  const auto [slope, intercept] = logistic_line(common_weight(shape, split, groups), row_shares(split));

  // theta = weight [hidden × 2 features], bias [hidden], weight [hidden], bias; the last hidden unit adds up
  // the left row. Units without a group stay 0.
  const std::size_t linear_unit = hidden - 1, head = hidden * 2 * features + hidden;
  std::vector<double> theta(head + hidden + 1, 0.0);
  for (std::size_t f = 0; f < features; ++f) {
    const std::size_t g = groups.of_feature[f];
    theta[g * 2 * features + f] = 1 / groups.unit[f];
    theta[g * 2 * features + features + f] = -1 / groups.unit[f];
    theta[linear_unit * 2 * features + f] = groups.weight[g] / groups.unit[f];
  }
  for (std::size_t g = 0; g < groups.weight.size(); ++g) theta[head + g] = -slope * groups.weight[g];
  theta[head + linear_unit] = slope;
  theta[head + hidden] = intercept;
  return theta;
}

}  // namespace polystep
