#include "solvers/milp/central_path.hpp"

#include <algorithm>
#include <cmath>

namespace polystep::solvers {
namespace {

constexpr std::size_t kMostSteps = 200;
constexpr double kBoundary = 0.9995;  // share of the way to the boundary that a step may go
constexpr double kPrecision = 1e-10;  // relative, of all optimality conditions
constexpr double kFarAway = 1e14;     // where nothing feasible is, iterates leave for infinity

// The longest step up to 1 that keeps values above 0.
double longest(std::span<const double> values, std::span<const double> moves, double step) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (moves[k] < 0) step = std::min(step, -kBoundary * values[k] / moves[k]);
  return step;
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

bool solve_positive_definite(std::span<double> matrix, std::span<double> right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      if (i != j) {
        matrix[i * n + j] = sum / matrix[j * n + j];
        continue;
      }
      if (!(sum > 0) || !std::isfinite(sum)) return false;
      matrix[i * n + i] = std::sqrt(sum);
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
  return true;
}

CentralPath::CentralPath(std::size_t rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      x_(columns),
      z_(columns),
      slack_(rows),
      y_(rows),
      dx_(columns),
      dz_(columns),
      ds_(rows),
      dy_(rows),
      dual_gap_(columns),
      right_(rows),
      matrix_(rows * rows) {}

double CentralPath::row(std::size_t m, std::span<const double> x) const {
  double sum = 0;
  for (std::size_t j = 0; j < columns_; ++j) sum += G_[m * columns_ + j] * x[j];
  return sum;
}

// One Newton step towards x z = target, slack y = target, G x - slack = h, G^T y + z = c.
bool CentralPath::step(double target) {
  for (std::size_t j = 0; j < columns_; ++j) {
    dual_gap_[j] = c_[j] - z_[j];
    for (std::size_t m = 0; m < rows_; ++m) dual_gap_[j] -= G_[m * columns_ + j] * y_[m];
  }
  for (std::size_t m = 0; m < rows_; ++m) {
    right_[m] = h_[m] - row(m, x_) + slack_[m] + (target - slack_[m] * y_[m]) / y_[m];
    for (std::size_t j = 0; j < columns_; ++j)
      right_[m] -= G_[m * columns_ + j] * (target - x_[j] * z_[j] - x_[j] * dual_gap_[j]) / z_[j];
    for (std::size_t k = 0; k <= m; ++k) {
      double sum = k == m ? slack_[m] / y_[m] : 0;
      for (std::size_t j = 0; j < columns_; ++j)
        sum += G_[m * columns_ + j] * G_[k * columns_ + j] * x_[j] / z_[j];
      matrix_[m * rows_ + k] = matrix_[k * rows_ + m] = sum;
    }
  }
  if (!solve_positive_definite(matrix_, right_)) return false;
  dy_ = right_;
  for (std::size_t j = 0; j < columns_; ++j) {
    dz_[j] = dual_gap_[j];
    for (std::size_t m = 0; m < rows_; ++m) dz_[j] -= G_[m * columns_ + j] * dy_[m];
    dx_[j] = (target - x_[j] * z_[j] - x_[j] * dz_[j]) / z_[j];
  }
  for (std::size_t m = 0; m < rows_; ++m) ds_[m] = (target - slack_[m] * y_[m] - slack_[m] * dy_[m]) / y_[m];
  const double primal = longest(slack_, ds_, longest(x_, dx_, 1));
  const double dual = longest(y_, dy_, longest(z_, dz_, 1));
  const double length = std::min(primal, dual);
  for (std::size_t j = 0; j < columns_; ++j) {
    x_[j] += length * dx_[j];
    z_[j] += length * dz_[j];
  }
  for (std::size_t m = 0; m < rows_; ++m) {
    slack_[m] += length * ds_[m];
    y_[m] += length * dy_[m];
  }
  return largest(x_) < kFarAway && largest(y_) < kFarAway && largest(slack_) < kFarAway;
}

bool CentralPath::solve(std::span<const double> c, std::span<const double> G, std::span<const double> h,
                        double barrier) {
  c_ = c;
  h_ = h;
  G_.assign(G.begin(), G.end());
  const double size = 1 + largest(h) / std::max(1e-12, largest(G));
  std::fill(x_.begin(), x_.end(), size);
  std::fill(z_.begin(), z_.end(), 1 + largest(c));
  std::fill(y_.begin(), y_.end(), 1.0);
  for (std::size_t m = 0; m < rows_; ++m) slack_[m] = std::max(1 + 0.1 * largest(h), row(m, x_) - h[m]);
  for (std::size_t k = 0; k < kMostSteps; ++k) {
    double products = 0, worst = 0, farthest = 0;
    for (std::size_t j = 0; j < columns_; ++j) products += x_[j] * z_[j];
    for (std::size_t m = 0; m < rows_; ++m) products += slack_[m] * y_[m];
    const double height = products / static_cast<double>(rows_ + columns_);
    const double target = std::max(barrier, 0.1 * height);
    if (!step(target)) return false;
    for (std::size_t j = 0; j < columns_; ++j) {
      double gap = c_[j] - z_[j];
      for (std::size_t m = 0; m < rows_; ++m) gap -= G_[m * columns_ + j] * y_[m];
      worst = std::max(worst, std::abs(gap) / (1 + std::abs(c_[j])));
      farthest = std::max(farthest, std::abs(x_[j] * z_[j] - barrier));
    }
    for (std::size_t m = 0; m < rows_; ++m) {
      worst = std::max(worst, std::abs(row(m, x_) - slack_[m] - h_[m]) / (1 + std::abs(h_[m])));
      farthest = std::max(farthest, std::abs(slack_[m] * y_[m] - barrier));
    }
    if (worst <= kPrecision && farthest <= 1e-8 * barrier) return true;
  }
  return false;
}

// Curvature of the barrier along the path: z / x for every variable, y / slack for every row.
void CentralPath::pull_back(std::span<const double> x_gradient, double damping, std::span<double> G_gradient,
                            std::span<double> h_gradient) const {
  const std::size_t n = columns_;
  std::vector<double> curvature(n * n), w(x_gradient.begin(), x_gradient.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? z_[i] / x_[i] + damping : 0;
      for (std::size_t m = 0; m < rows_; ++m) sum += G_[m * n + i] * G_[m * n + j] * y_[m] / slack_[m];
      curvature[i * n + j] = curvature[j * n + i] = sum;
    }
  }
  std::fill(G_gradient.begin(), G_gradient.end(), 0.0);
  std::fill(h_gradient.begin(), h_gradient.end(), 0.0);
  if (!solve_positive_definite(curvature, w)) return;
  for (std::size_t m = 0; m < rows_; ++m) {
    const double along = row(m, w) * y_[m] / slack_[m];
    for (std::size_t j = 0; j < n; ++j) G_gradient[m * n + j] = y_[m] * w[j] - along * x_[j];
    h_gradient[m] = along;
  }
}

}  // namespace polystep::solvers
