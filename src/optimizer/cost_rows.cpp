#include "optimizer/cost_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {
namespace {

constexpr double kSmallestReplacement = 1e6;

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double mean_magnitude_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum / static_cast<double>(values.size());
}

// Close to a plateau the differences are rounding noise of the costs; dividing by their mean would blow it up
// to order one.
double guarded(double mean_difference, double mean_magnitude) {
  return std::max({mean_difference, 1e-10, 1e-12 * mean_magnitude});
}

}  // namespace

CostRows::CostRows(VertexRows shape)
    : shape_(shape), raw_(shape.size()), scaled_(shape.size()), flat_(shape.rows) {}

void CostRows::assign(std::span<const double> costs, std::size_t radii, CostScale scale, double fixed_scale) {
  average(costs, radii);
  replace_non_finite();
  mean_ = mean_of(raw_);
  mean_magnitude_ = mean_magnitude_of(raw_);
  lowest_ = *std::min_element(raw_.begin(), raw_.end());
  shift_rows();
  divide(scale, fixed_scale);
}

void CostRows::average(std::span<const double> costs, std::size_t radii) {
  for (std::size_t v = 0; v < raw_.size(); ++v) raw_[v] = mean_of(costs.subspan(v * radii, radii));
}

void CostRows::replace_non_finite() {
  replaced_ = 0;
  double largest = 0;
  for (const double cost : raw_) {
    if (std::isfinite(cost))
      largest = std::max(largest, std::abs(cost));
    else
      ++replaced_;
  }
  if (replaced_ == 0) return;
  const double substitute =
      std::min(std::max(kSmallestReplacement, 2 * largest + 1), std::numeric_limits<double>::max());
  for (double& cost : raw_)
    if (!std::isfinite(cost)) cost = substitute;
}

// Weights depend on differences within a row only, so the shift is harmless for every scale; done before
// anything else, it keeps a large common cost from eating the digits of small differences.
void CostRows::shift_rows() {
  flat_rows_ = 0;
  for (std::size_t j = 0; j < shape_.rows; ++j) {
    const auto raw = shape_.row(std::span<const double>(raw_), j);
    const auto shifted = shape_.row(std::span(scaled_), j);
    const auto [low, high] = std::minmax_element(raw.begin(), raw.end());
    flat_[j] = *low == *high;
    flat_rows_ += flat_[j] ? 1 : 0;
    for (std::size_t v = 0; v < raw.size(); ++v) shifted[v] = raw[v] - *low;
  }
}

double CostRows::matrix_divisor(CostScale scale, double fixed_scale) const {
  switch (scale) {
    case CostScale::kRowShiftMatrixMean:
    case CostScale::kRowShiftRowMean:  // row by row in divide()
      return guarded(mean_of(scaled_), mean_magnitude_);
    case CostScale::kMatrixShiftMatrixMean: {
      double sum = 0;
      for (const double cost : raw_) sum += cost - lowest_;
      return guarded(sum / static_cast<double>(raw_.size()), mean_magnitude_);
    }
    case CostScale::kRawMean:
      return guarded(mean_magnitude_, 0);
    case CostScale::kMax: {
      double largest = 0;
      for (const double cost : raw_) largest = std::max(largest, std::abs(cost));
      return guarded(largest, 0);
    }
    case CostScale::kFixed:
      return fixed_scale;
    case CostScale::kNone:
      return 1;
  }
  return 1;
}

void CostRows::divide(CostScale scale, double fixed_scale) {
  if (scale != CostScale::kRowShiftRowMean) {
    divisor_ = matrix_divisor(scale, fixed_scale);
    for (double& cost : scaled_) cost /= divisor_;
    return;
  }
  double sum = 0;
  for (std::size_t j = 0; j < shape_.rows; ++j) {
    const auto row = shape_.row(std::span(scaled_), j);
    const double divisor =
        guarded(mean_of(row), mean_magnitude_of(shape_.row(std::span<const double>(raw_), j)));
    for (double& cost : row) cost /= divisor;
    sum += divisor;
  }
  divisor_ = sum / static_cast<double>(shape_.rows);
}

}  // namespace polystep
