#include "methods/constraints/comboptnet_surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polystep {
namespace {

constexpr double kNormFloor = 1e-8;

double sign(double value) { return static_cast<double>((value > 0) - (value < 0)); }

}  // namespace

ConstraintSurrogate::ConstraintSurrogate(std::size_t rows, std::size_t variables, double softness)
    : rows_(rows),
      variables_(variables),
      softness_(softness),
      norm_(rows),
      slack_(rows),
      wish_(variables),
      order_(variables),
      neighbour_(variables),
      a_gradient_(rows * variables),
      b_gradient_(rows) {}

double ConstraintSurrogate::distance(std::size_t row, std::span<const double> point) const {
  double sum = b_[row];
  for (std::size_t j = 0; j < variables_; ++j) sum += a_[row * variables_ + j] * point[j];
  return sum / (norm_[row] + kNormFloor);
}

// d (a . z + b) / (|a| + floor): the norm depends on a as well.
void ConstraintSurrogate::add_distance_gradient(std::size_t row, std::span<const double> point,
                                                double factor) {
  const double scale = norm_[row] + kNormFloor;
  const double shrink = norm_[row] > 0 ? distance(row, point) / scale / norm_[row] : 0;
  for (std::size_t j = 0; j < variables_; ++j)
    a_gradient_[row * variables_ + j] += factor * (point[j] / scale - shrink * a_[row * variables_ + j]);
  b_gradient_[row] += factor / scale;
}

void ConstraintSurrogate::add_mismatch(std::span<const double> y, double lambda) {
  bool feasible = true;
  for (std::size_t row = 0; row < rows_; ++row) feasible &= distance(row, neighbour_) <= 0;
  if (!feasible) {
    for (std::size_t row = 0; row < rows_; ++row)
      if (distance(row, neighbour_) > 0) add_distance_gradient(row, neighbour_, lambda);
    return;
  }
  if (softness_ > 0) return push_softly(y, lambda);
  std::size_t nearest = 0;
  double least = std::max(0.0, -distance(0, y));
  for (std::size_t row = 1; row < rows_; ++row) {
    const double slack = std::max(0.0, -distance(row, y));
    if (slack >= least) continue;
    least = slack;
    nearest = row;
  }
  if (least > 0) add_distance_gradient(nearest, y, -lambda);
}

// The gradient of -tau log mean exp(-slack / tau): every row by its share of the sum.
void ConstraintSurrogate::push_softly(std::span<const double> y, double lambda) {
  for (std::size_t row = 0; row < rows_; ++row) slack_[row] = std::max(0.0, -distance(row, y));
  const double least = *std::min_element(slack_.begin(), slack_.end());
  double total = 0;
  for (const double slack : slack_) total += std::exp((least - slack) / softness_);
  for (std::size_t row = 0; row < rows_; ++row)
    if (slack_[row] > 0)
      add_distance_gradient(row, y, -lambda * std::exp((least - slack_[row]) / softness_) / total);
}

void ConstraintSurrogate::differentiate(std::span<const double> a, std::span<const double> b,
                                        std::span<const double> y, std::span<const double> loss_gradient,
                                        std::span<const double> upper) {
  a_ = a;
  b_ = b;
  std::fill(a_gradient_.begin(), a_gradient_.end(), 0.0);
  std::fill(b_gradient_.begin(), b_gradient_.end(), 0.0);
  for (std::size_t row = 0; row < rows_; ++row) {
    double squares = 0;
    for (std::size_t j = 0; j < variables_; ++j) squares += a[row * variables_ + j] * a[row * variables_ + j];
    norm_[row] = std::sqrt(squares);
  }
  for (std::size_t j = 0; j < variables_; ++j) {
    const double moved = y[j] - sign(loss_gradient[j]);
    wish_[j] = moved < 0 || moved > upper[j] ? 0.0 : -loss_gradient[j];
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t i, std::size_t j) { return std::abs(wish_[i]) < std::abs(wish_[j]); });
  double previous = 0;
  for (std::size_t k = 0; k < variables_; ++k) {
    const double strength = std::abs(wish_[order_[k]]);
    const double lambda = strength - previous;
    previous = strength;
    if (lambda <= 0) continue;  // also where nothing is wished for: y' would be y
    std::copy(y.begin(), y.end(), neighbour_.begin());
    for (std::size_t later = k; later < variables_; ++later)
      neighbour_[order_[later]] += sign(wish_[order_[later]]);
    add_mismatch(y, lambda);
  }
}

}  // namespace polystep
