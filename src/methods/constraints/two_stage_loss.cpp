#include "methods/constraints/two_stage_loss.hpp"

#include <algorithm>

#include "solvers/milp/central_path.hpp"

namespace polystep {
namespace {

constexpr double kSecondBarrier = 1e-6;  // as good as none

// Rows a . x + b <= 0 as the programme has them, -a . x >= b.
std::vector<double> turned(std::span<const double> a) {
  std::vector<double> turned_rows;
  for (const double entry : a) turned_rows.push_back(-entry);
  return turned_rows;
}

}  // namespace

TwoStageLoss::TwoStageLoss(std::size_t rows, std::size_t variables, const TwoStageShape& shape)
    : rows_(rows), variables_(variables), shape_(shape), a_gradient_(rows * variables), b_gradient_(rows) {}

std::optional<double> TwoStageLoss::differentiate(const LinearRows& predicted, const LinearRows& truth,
                                                  std::span<const double> prices,
                                                  std::span<const double> surcharges) {
  std::fill(a_gradient_.begin(), a_gradient_.end(), 0.0);
  std::fill(b_gradient_.begin(), b_gradient_.end(), 0.0);
  solvers::CentralPath first(rows_, variables_), second(rows_, variables_);
  if (!first.solve(prices, turned(predicted.a), predicted.b, shape_.barrier)) return std::nullopt;
  const std::vector<double> provides = turned(truth.a);
  std::vector<double> missing(truth.b.begin(), truth.b.end()), late(variables_);
  std::vector<double> slope(prices.begin(), prices.end());  // of what is paid, in the first decision
  bool short_of_any = false;
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t j = 0; j < variables_; ++j)
      missing[row] -= provides[row * variables_ + j] * first.x()[j];
    short_of_any |= missing[row] > 0;
  }
  double paid = 0;
  for (std::size_t j = 0; j < variables_; ++j) {
    late[j] = (1 + surcharges[j]) * prices[j];
    paid += prices[j] * first.x()[j];
  }
  if (short_of_any) {
    if (!second.solve(late, provides, missing, kSecondBarrier)) return std::nullopt;
    for (std::size_t j = 0; j < variables_; ++j) {
      paid += late[j] * second.x()[j];
      for (std::size_t row = 0; row < rows_; ++row)
        slope[j] -= second.y()[row] * provides[row * variables_ + j];
    }
  }
  first.pull_back(slope, shape_.damping, a_gradient_, b_gradient_);
  for (double& entry : a_gradient_) entry = -entry;
  return paid;
}

}  // namespace polystep
