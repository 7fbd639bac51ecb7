// What a relaxed decision for predicted rows comes to once the true rows are known, and its gradient.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace polystep {

struct TwoStageShape {
  double barrier = 0.1;   // height of the barrier of the relaxed decision
  double damping = 0.01;  // added to the curvature of every variable
};

// Rows a . x + b <= 0 with x >= 0: a [rows × variables], b [rows].
struct LinearRows {
  std::span<const double> a, b;
};

class TwoStageLoss {
 public:
  TwoStageLoss(std::size_t rows, std::size_t variables, const TwoStageShape& shape);

  // The price of the decision at the barrier for the predicted rows and of the cheapest addition to it that
  // meets the true ones, each unit of which costs (1 + surcharge) times its price. Nothing where one of them
  // does not exist; gradients are then 0. Prices [variables] are above 0.
  std::optional<double> differentiate(const LinearRows& predicted, const LinearRows& truth,
                                      std::span<const double> prices, std::span<const double> surcharges);

  std::span<const double> a_gradient() const { return a_gradient_; }  // in the predicted rows
  std::span<const double> b_gradient() const { return b_gradient_; }

 private:
  std::size_t rows_, variables_;
  TwoStageShape shape_;
  std::vector<double> a_gradient_, b_gradient_;
};

}  // namespace polystep
