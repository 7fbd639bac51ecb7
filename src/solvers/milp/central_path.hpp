// The point of a small linear programme's central path at a given height of its barrier:
//
//   min c . x - barrier * (sum of log x + sum of log (G x - h))    over x > 0 with G x > h
//
// As the barrier goes to 0 this is the programme min c . x, G x >= h, x >= 0; above 0 it is a smooth function
// of all its numbers, which is what learning wants of it. Found by Newton steps on the optimality conditions
// with multipliers z of x >= 0 and y of G x >= h, from a height where they are easy down to the one asked
// for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polystep::solvers {

class CentralPath {
 public:
  CentralPath(std::size_t rows, std::size_t columns);

  // c [columns], above 0; G [rows × columns]; h [rows]. False where no such point was found, as where no x
  // meets all rows.
  bool solve(std::span<const double> c, std::span<const double> G, std::span<const double> h, double barrier);

  // Of the last solve that said true.
  std::span<const double> x() const { return x_; }          // [columns]
  std::span<const double> y() const { return y_; }          // [rows], multipliers; 0 or more
  std::span<const double> slack() const { return slack_; }  // [rows], G x - h

  // Of a loss whose gradient in x is given [columns], the gradients in G [rows × columns] and h [rows] by way
  // of x; `damping` is added to the curvature of every variable.
  void pull_back(std::span<const double> x_gradient, double damping, std::span<double> G_gradient,
                 std::span<double> h_gradient) const;

 private:
  double row(std::size_t m, std::span<const double> x) const;
  bool step(double target);

  std::size_t rows_, columns_;
  std::span<const double> c_, h_;
  std::vector<double> G_;                  // a copy: pull_back needs it
  std::vector<double> x_, z_;              // [columns]
  std::vector<double> slack_, y_;          // [rows]
  std::vector<double> dx_, dz_, ds_, dy_;  // a Newton step
  std::vector<double> dual_gap_, right_;   // c - G^T y - z; of the normal equations
  std::vector<double> matrix_;             // [rows × rows]
};

// Solves matrix [n × n] w = right by Cholesky's decomposition, both overwritten; false where the matrix is
// not positive definite.
bool solve_positive_definite(std::span<double> matrix, std::span<double> right);

}  // namespace polystep::solvers
