// The decision for predicted rows as a smooth function of the prediction: a stand-in for the solver that
// costs no call and has a gradient.
//
// Rows a . x + b <= 0 and the objective c are those that a problem shows (polystep/predicted_rows.hpp). Whole
// numbers are given up, and edges are rounded off: of a binary variable with reduced cost r the share
//
//   x = 1 / (1 + exp(r / (temperature |c|)))
//
// is taken, of another one x = temperature * |c| * usual / r, where `usual` is what is usually taken of it;
// with prices of the rows under which these x meet them but for the height of a barrier. As the temperature
// falls, x goes to the best decision of the linear relaxation. Prices are found by Newton steps on a concave
// function of as many numbers as there are rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep {

class RelaxedDecision {
 public:
  RelaxedDecision(std::size_t rows, std::size_t variables, bool binary);

  // What is usually taken of every variable, not negative; one that is never taken is left out. [variables]
  void set_usual(std::span<const double> usual);

  struct Setting {
    std::span<const double> a, b;  // [rows × variables], [rows]
    std::span<const double> objective;
    double temperature = 0.1;
    double barrier = 0;  // above 0, small beside the objective of decisions
  };
  // `prices` [rows] are where the search starts, and hold what was found afterwards. False where no x was
  // found, as where none meets the rows.
  bool solve(const Setting& setting, std::span<double> prices);

  // Of the last solve that said true.
  std::span<const double> x() const { return x_; }  // [variables]
  // From the gradient of a loss in x those in a and b by way of x, which are overwritten.
  void pull_back(std::span<const double> x_gradient, std::span<double> a_gradient,
                 std::span<double> b_gradient);

 private:
  // What is taken at some prices, its slopes, and where the concave function ascends from there; false
  // outside of its domain.
  bool take(std::span<const double> prices);
  void curvature(std::span<const double> prices);
  bool start(std::span<double> prices);

  std::size_t rows_, variables_;
  bool binary_;
  std::vector<std::uint32_t> taken_;  // variables that are usually taken
  std::vector<double> usual_;         // [taken]
  double barrier_ = 0;
  std::vector<double> a_, b_;                  // [rows × taken], [rows]
  std::vector<double> cost_, width_;           // [taken], of the objective and of what it is rounded off by
  std::vector<double> share_, slope_;          // [taken], x and its slope in the reduced cost
  std::vector<double> x_;                      // [variables]
  std::vector<double> prices_;                 // [rows], of the last solve
  std::vector<double> ascent_, move_, tried_;  // [rows]
  std::vector<double> matrix_;                 // [rows²]
};

}  // namespace polystep
