// Least squares with intercept, in closed form, for the two linear predictors.
//
// Minimises, per output, the weighted mean of (w . z + b - truth)^2, plus ridge * |w|^2 (the intercept is
// never penalised). The result is the predictor's flat parameter vector: the weights row by row (out, in),
// then the biases. Where features are redundant, the answer is the one with the smallest weights on the
// standardised features; a constant feature gets weight 0. The same data give the same bits.
#pragma once

#include <span>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

struct LeastSquaresOptions {
  double ridge = 0;  // strength of the penalty, not negative
  std::span<const double>
      row_weights;  // importance of every row of the split, not negative; empty: all equal
};

// Every output has its own weights: theta = W [truth columns × feature columns], then b [truth columns].
std::vector<double> least_squares_linear(const Split& split, const LeastSquaresOptions& options = {});

// One weight vector for all outputs: a row holds one feature vector per output, one after the other
// (slot-major), and theta = w [feature columns / truth columns], then b [1].
std::vector<double> least_squares_shared(const Split& split, const LeastSquaresOptions& options = {});

// Values of the polynomial that lies nearest to y at x; more points than degree. Values at x itself, or at
// other points.
std::vector<double> fitted_polynomial(std::span<const double> x, std::span<const double> y,
                                      std::size_t degree);
std::vector<double> fitted_polynomial(std::span<const double> x, std::span<const double> y,
                                      std::size_t degree, std::span<const double> at);

}  // namespace polystep
