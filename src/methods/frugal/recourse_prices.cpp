#include "methods/frugal/recourse_prices.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr int kMostSweeps = 3000;
constexpr double kSettled = 1e-9;  // of a coefficient: what a sweep may still change

}  // namespace

RecoursePrices::RecoursePrices(std::size_t rows)
    : coefficients_(4 * rows), products_(16 * rows * rows), right_(4 * rows), terms_(4 * rows) {}

void RecoursePrices::add(std::span<const double> excess, std::span<const double> worth, double recourse,
                         double unit) {
  for (std::size_t m = 0; m < excess.size(); ++m) {
    const double share = excess[m] / unit;
    const double above = std::max(share, 0.0), below = std::min(share, 0.0);
    terms_[4 * m] = above;
    terms_[4 * m + 1] = above * worth[m];
    terms_[4 * m + 2] = below;
    terms_[4 * m + 3] = below * worth[m];
  }
  const std::size_t count = terms_.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (terms_[k] == 0) continue;
    right_[k] += terms_[k] * recourse / unit;
    for (std::size_t l = 0; l < count; ++l) products_[k * count + l] += terms_[k] * terms_[l];
  }
}

// Coordinate by coordinate: few numbers, and none may fall below 0.
void RecoursePrices::fit() {
  const std::size_t count = coefficients_.size();
  std::ranges::fill(coefficients_, 0.0);  // the same whatever was fitted before
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest_change = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double curvature = products_[k * count + k];
      double best = 0;
      if (curvature > 0) {
        double left = right_[k];
        for (std::size_t l = 0; l < count; ++l)
          if (l != k) left -= products_[k * count + l] * coefficients_[l];
        best = std::max(0.0, left / curvature);
      }
      largest_change = std::max(largest_change, std::abs(best - coefficients_[k]) / (1 + std::abs(best)));
      coefficients_[k] = best;
    }
    if (largest_change < kSettled) return;
  }
}

void RecoursePrices::forget() {
  std::ranges::fill(products_, 0.0);
  std::ranges::fill(right_, 0.0);
}

}  // namespace polystep
