#include "solvers/milp/dense_programme.hpp"

#include <algorithm>
#include <cmath>

namespace polystep::solvers {
namespace {

constexpr double kRounding = 1e-14;  // of a sum, relative to the sizes of its terms

// Terms, each as small as bounds allow, and their sizes.
struct LeastSum {
  double sum = 0, size = 0;

  void add(double factor, double lower, double upper, double tolerance) {
    if (factor == 0) return;
    const double bound = factor > 0 ? lower : upper;
    if (std::isinf(bound)) {
      if (std::abs(factor) > tolerance) sum = -kUnbounded;
      return;
    }
    sum += factor * bound;
    size += std::abs(factor * bound);
  }
};

}  // namespace

void DenseProgramme::resize(std::size_t column_count, std::size_t row_count) {
  columns = column_count;
  rows = row_count;
  stride = (columns + DenseLanes::kWidth - 1) / DenseLanes::kWidth * DenseLanes::kWidth;
  matrix.assign(rows * stride, 0.0);
  objective.assign(stride, 0.0);
  lower.assign(variables(), 0.0);
  upper.assign(variables(), 0.0);
  integer.assign(columns, 0);
}

double DenseProgramme::largest_cost() const {
  double largest = 0;
  for (const double cost : objective) largest = std::max(largest, std::abs(cost));
  return largest;
}

double DenseProgramme::objective_of(std::span<const double> solution) const {
  double sum = 0;
  for (std::size_t column = 0; column < columns; ++column) sum += objective[column] * solution[column];
  return sum;
}

double DenseProgramme::violation_of(std::span<const double> solution) const {
  double worst = 0;
  const auto add = [&](std::size_t variable, double value, double scale) {
    const double outside = std::max({lower[variable] - value, value - upper[variable], 0.0});
    if (outside == 0) return;
    for (const double bound : {lower[variable], upper[variable]})
      if (std::isfinite(bound)) scale = std::max(scale, std::abs(bound));
    worst = std::max(worst, outside / scale);
  };
  for (std::size_t column = 0; column < columns; ++column) add(column, solution[column], 1);
  for (std::size_t number = 0; number < rows; ++number) {
    const double* entries = row(number);
    const DenseLanes::Real zero = {};
    DenseLanes::Real sums = zero, sizes = DenseLanes::all(1.0);
    for (std::size_t j = 0; j < stride; j += DenseLanes::kWidth) {
      const DenseLanes::Real term =
          simd::load<DenseLanes>(entries + j) * simd::load<DenseLanes>(solution.data() + j);
      sums += term;
      sizes = DenseLanes::larger(term > zero ? term : -term, sizes);
    }
    add(sum_of(number), (sums[0] + sums[1]) + (sums[2] + sums[3]),
        std::max({sizes[0], sizes[1], sizes[2], sizes[3]}));
  }
  return worst;
}

double dual_bound(const DenseProgramme& programme, const DenseBounds& bounds, std::span<const double> prices,
                  bool with_objective, double tolerance, std::span<double> reduced) {
  const std::size_t stride = programme.stride;
  double* left = reduced.data();
  if (with_objective) {
    std::copy_n(programme.objective.data(), stride, left);
  } else {
    std::fill_n(left, stride, 0.0);
  }
  LeastSum least;
  for (std::size_t row = 0; row < programme.rows; ++row) {
    const double price = prices[row];
    if (price == 0) continue;
    const double* entries = programme.row(row);
    for (std::size_t j = 0; j < stride; ++j) left[j] -= price * entries[j];
    const std::size_t variable = programme.sum_of(row);
    least.add(price, bounds.lower[variable], bounds.upper[variable], tolerance);
  }
  // Four columns side by side; their sums are added up at the end, always in the same order.
  const DenseLanes::Real zero = {}, infinite = DenseLanes::all(kUnbounded),
                         slack = DenseLanes::all(tolerance);
  DenseLanes::Real sums = zero, sizes = zero;
  for (std::size_t j = 0; j < stride; j += DenseLanes::kWidth) {
    const DenseLanes::Real factor = simd::load<DenseLanes>(left + j);
    const DenseLanes::Real bound =
        factor > zero ? simd::load<DenseLanes>(bounds.lower + j) : simd::load<DenseLanes>(bounds.upper + j);
    const DenseLanes::Real amount = factor > zero ? factor : -factor, far = bound > zero ? bound : -bound;
    const DenseLanes::Real counted = far == infinite ? (amount > slack ? amount : zero) : amount;
    const DenseLanes::Real term = counted == zero ? zero : factor * bound;
    sums += term;
    sizes += term > zero ? term : -term;
  }
  for (std::size_t k = 0; k < DenseLanes::kWidth; ++k) {
    least.sum += sums[k];
    least.size += sizes[k];
  }
  const double value = least.sum - kRounding * least.size;
  return std::isnan(value) ? -kUnbounded : value;
}

}  // namespace polystep::solvers
