// The surrogate of CombOptNet for one instance: from a wish for every variable to a gradient of the rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polystep {

class ConstraintSurrogate {
 public:
  // `softness` is the tau of a soft minimum over rows; 0 takes the nearest row alone.
  ConstraintSurrogate(std::size_t rows, std::size_t variables, double softness = 0);

  // Rows a [rows × variables], b [rows] with a . x + b <= 0; solution y and the gradient of the loss at y
  // [variables]; box 0 .. upper. Writes gradients of the sum over steps of lambda_k mismatch_k.
  void differentiate(std::span<const double> a, std::span<const double> b, std::span<const double> y,
                     std::span<const double> loss_gradient, std::span<const double> upper);

  std::span<const double> a_gradient() const { return a_gradient_; }
  std::span<const double> b_gradient() const { return b_gradient_; }

 private:
  double distance(std::size_t row, std::span<const double> point) const;  // signed; above 0: violated
  void add_distance_gradient(std::size_t row, std::span<const double> point, double factor);
  void add_mismatch(std::span<const double> y, double lambda);
  void push_softly(std::span<const double> y, double lambda);

  std::size_t rows_;
  std::size_t variables_;
  double softness_;
  std::span<const double> a_, b_;
  std::vector<double> norm_;   // [rows]
  std::vector<double> slack_;  // [rows], distance that the solution keeps
  std::vector<double> wish_;   // [variables], minus the gradient where the box lets it
  std::vector<std::size_t> order_;
  std::vector<double> neighbour_;
  std::vector<double> a_gradient_;  // [rows × variables]
  std::vector<double> b_gradient_;  // [rows]
};

}  // namespace polystep
