#include "methods/constraints/odece_loss.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kSharpness = 5;
constexpr double kLinearFrom = 20;  // of sharpness times z

}  // namespace

double sharp_softplus(double z) {
  const double scaled = kSharpness * z;
  if (scaled > kLinearFrom) return z;
  return std::log1p(std::exp(scaled)) / kSharpness;
}

double sharp_softplus_slope(double z) {
  const double scaled = kSharpness * z;
  if (scaled > kLinearFrom) return 1;
  return 1 / (1 + std::exp(-scaled));
}

OdeceLoss::OdeceLoss(std::size_t rows, std::size_t variables, double margin)
    : rows_(rows), variables_(variables), margin_(margin), a_gradient_(rows * variables), b_gradient_(rows) {}

void OdeceLoss::begin(std::span<const double> a, std::span<const double> b) {
  a_ = a;
  b_ = b;
  std::fill(a_gradient_.begin(), a_gradient_.end(), 0.0);
  std::fill(b_gradient_.begin(), b_gradient_.end(), 0.0);
}

double OdeceLoss::excess(std::size_t row, std::span<const double> x) const {
  double sum = b_[row];
  for (std::size_t j = 0; j < variables_; ++j) sum += a_[row * variables_ + j] * x[j];
  return sum;
}

void OdeceLoss::add_slope(std::size_t row, std::span<const double> x, double slope) {
  for (std::size_t j = 0; j < variables_; ++j) a_gradient_[row * variables_ + j] += slope * x[j];
  b_gradient_[row] += slope;
}

double OdeceLoss::keep_feasible(std::span<const double> optimum, double weight) {
  double sum = 0;
  const auto count = static_cast<double>(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double z = excess(row, optimum) + margin_;
    sum += sharp_softplus(z);
    add_slope(row, optimum, weight * sharp_softplus_slope(z) / count);
  }
  return sum / count;
}

double OdeceLoss::make_infeasible(std::span<const double> decision, std::span<const std::uint8_t> violated,
                                  double weight) {
  const auto count = static_cast<double>(std::count(violated.begin(), violated.end(), 1));
  double sum = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    if (!violated[row]) continue;
    const double z = -excess(row, decision) + margin_;
    sum += sharp_softplus(z);
    add_slope(row, decision, -weight * sharp_softplus_slope(z) / count);
  }
  return sum / std::max(1.0, count);
}

void mark_violated(std::span<const double> a, std::span<const double> b, std::span<const double> x,
                   std::span<std::uint8_t> violated) {
  for (std::size_t row = 0; row < b.size(); ++row) {
    double sum = b[row];
    for (std::size_t j = 0; j < x.size(); ++j) sum += a[row * x.size() + j] * x[j];
    violated[row] = sum > 0;
  }
}

OdeceWeights odece_weights(double alpha, OdeceAverage average, std::size_t references, std::size_t solved,
                           std::size_t infeasible) {
  const bool swapped = average == OdeceAverage::kSolved && solved == 0;
  const std::size_t averaged = average == OdeceAverage::kSolved ? solved : infeasible;
  OdeceWeights weights;
  if (references > 0) weights.optimum = (swapped ? alpha : 1 - alpha) / static_cast<double>(references);
  if (averaged > 0) weights.infeasible = alpha / static_cast<double>(averaged);
  return weights;
}

}  // namespace polystep
