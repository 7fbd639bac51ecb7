#include "methods/frugal/relaxed_decision.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/milp/central_path.hpp"

namespace polystep {
namespace {

constexpr int kMostSteps = 60, kMostHalvings = 40;
constexpr double kFirstPrice = 1e-9;  // where nothing is known: within the domain wherever there is any
constexpr double kExact = 1e-8;       // of the barrier: what a last step may still gain
constexpr double kLeastCost = 1e-3;   // of the mean cost of variables: nothing is rounded off by less
constexpr double kStayInside = 0.95;  // of the way to a price of 0
constexpr double kOvershoot = 0.3;    // of its slope: how steeply the function may fall where a step ends
constexpr double kMeets = 1e-3;       // of a row's terms, by which it may be missed

}  // namespace

RelaxedDecision::RelaxedDecision(std::size_t rows, std::size_t variables, bool binary)
    : rows_(rows),
      variables_(variables),
      binary_(binary),
      b_(rows),
      x_(variables),
      prices_(rows),
      ascent_(rows),
      move_(rows),
      tried_(rows),
      matrix_(rows * rows) {}

void RelaxedDecision::set_usual(std::span<const double> usual) {
  taken_.clear();
  usual_.clear();
  for (std::size_t j = 0; j < variables_; ++j) {
    if (!(usual[j] > 0)) continue;
    taken_.push_back(static_cast<std::uint32_t>(j));
    usual_.push_back(usual[j]);
  }
  a_.resize(rows_ * taken_.size());
  for (std::vector<double>* numbers : {&cost_, &width_, &share_, &slope_}) numbers->resize(taken_.size());
}

bool RelaxedDecision::take(std::span<const double> prices) {
  const std::size_t count = taken_.size();
  std::copy(cost_.begin(), cost_.end(), slope_.begin());  // reduced costs first
  for (std::size_t m = 0; m < rows_; ++m) {
    if (prices[m] == 0) continue;
    const double* row = a_.data() + m * count;
    for (std::size_t k = 0; k < count; ++k) slope_[k] += prices[m] * row[k];
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double reduced = slope_[k], width = width_[k];
    if (binary_) {
      const double z = -reduced / width, small = std::exp(-std::abs(z));
      share_[k] = (z > 0 ? 1 : small) / (1 + small);
      slope_[k] = -small / ((1 + small) * (1 + small)) / width;
    } else {
      if (!(reduced > 0)) return false;
      share_[k] = width / reduced;
      slope_[k] = -share_[k] / reduced;
    }
  }
  for (std::size_t m = 0; m < rows_; ++m) {
    double sum = b_[m] + barrier_ / prices[m];
    const double* row = a_.data() + m * count;
    for (std::size_t k = 0; k < count; ++k) sum += row[k] * share_[k];
    ascent_[m] = sum;
  }
  return true;
}

// Minus the second derivatives in the prices.
void RelaxedDecision::curvature(std::span<const double> prices) {
  const std::size_t count = taken_.size();
  for (std::size_t m = 0; m < rows_; ++m)
    for (std::size_t n = 0; n <= m; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += a_[m * count + k] * slope_[k] * a_[n * count + k];
      matrix_[m * rows_ + n] = matrix_[n * rows_ + m] = -sum;
    }
  for (std::size_t m = 0; m < rows_; ++m) matrix_[m * rows_ + m] += barrier_ / (prices[m] * prices[m]);
}

bool RelaxedDecision::start(std::span<double> prices) {
  const bool known = std::ranges::all_of(prices, [](double price) { return price > 0; });
  if (known && take(prices)) return true;
  std::ranges::fill(prices, kFirstPrice);
  return take(prices);
}

bool RelaxedDecision::solve(const Setting& setting, std::span<double> prices) {
  const std::size_t count = taken_.size();
  barrier_ = setting.barrier;
  std::copy(setting.b.begin(), setting.b.end(), b_.begin());
  double mean = 0;
  for (std::size_t k = 0; k < count; ++k) {
    cost_[k] = setting.objective[taken_[k]];
    mean += std::abs(cost_[k]) / static_cast<double>(count);
  }
  for (std::size_t k = 0; k < count; ++k) {
    width_[k] = setting.temperature * std::max(std::abs(cost_[k]), kLeastCost * mean) * usual_[k];
    for (std::size_t m = 0; m < rows_; ++m) a_[m * count + k] = setting.a[m * variables_ + taken_[k]];
  }
  if (!start(prices)) return false;
  for (int step = 0; step < kMostSteps; ++step) {
    curvature(prices);
    std::copy(ascent_.begin(), ascent_.end(), move_.begin());
    if (!solvers::solve_positive_definite(matrix_, move_)) return false;
    double promise = 0, length = 1;
    for (std::size_t m = 0; m < rows_; ++m) {
      promise += move_[m] * ascent_[m];
      if (move_[m] < 0) length = std::min(length, -kStayInside * prices[m] / move_[m]);
    }
    if (!std::isfinite(promise)) return false;
    if (promise < kExact * barrier_) break;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, length /= 2) {
      for (std::size_t m = 0; m < rows_; ++m) tried_[m] = prices[m] + length * move_[m];
      if (!take(tried_)) continue;
      double there = 0;  // what is still to be gained along the way
      for (std::size_t m = 0; m < rows_; ++m) there += move_[m] * ascent_[m];
      if (there >= -kOvershoot * promise) break;
    }
    std::copy(tried_.begin(), tried_.end(), prices.begin());
  }
  // A point that meets the rows has activities below 0; where there is none, prices grow without end.
  for (std::size_t m = 0; m < rows_; ++m) {
    double activity = b_[m];
    double size = std::abs(b_[m]);
    for (std::size_t k = 0; k < count; ++k) {
      activity += a_[m * count + k] * share_[k];
      size += std::abs(a_[m * count + k]) * share_[k];
    }
    if (!(activity <= kMeets * size)) return false;
  }
  std::ranges::fill(x_, 0.0);
  for (std::size_t k = 0; k < count; ++k) x_[taken_[k]] = share_[k];
  std::copy(prices.begin(), prices.end(), prices_.begin());
  return true;
}

void RelaxedDecision::pull_back(std::span<const double> x_gradient, std::span<double> a_gradient,
                                std::span<double> b_gradient) {
  const std::size_t count = taken_.size();
  curvature(prices_);
  for (std::size_t m = 0; m < rows_; ++m) {
    move_[m] = 0;
    for (std::size_t k = 0; k < count; ++k) move_[m] -= x_gradient[taken_[k]] * slope_[k] * a_[m * count + k];
  }
  std::ranges::fill(a_gradient, 0.0);
  std::ranges::fill(b_gradient, 0.0);
  if (!solvers::solve_positive_definite(matrix_, move_)) return;
  for (std::size_t m = 0; m < rows_; ++m) b_gradient[m] = -move_[m];
  for (std::size_t k = 0; k < count; ++k) {
    double through = x_gradient[taken_[k]];
    for (std::size_t m = 0; m < rows_; ++m) through -= move_[m] * a_[m * count + k];
    for (std::size_t m = 0; m < rows_; ++m)
      a_gradient[m * variables_ + taken_[k]] = prices_[m] * slope_[k] * through - move_[m] * share_[k];
  }
}

}  // namespace polystep
