#include "methods/starts/least_squares.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "polystep/error.hpp"

namespace polystep {
namespace {

using Index = Eigen::Index;

// Both layouts as one: rows of features with rows of targets, all fitted at once.
struct Regression {
  std::span<const double> features;  // [rows × inputs]
  std::span<const double> targets;   // [rows × outputs]
  std::size_t rows;
  std::size_t inputs;
  std::size_t outputs;
  std::vector<double> weights;  // share of every row, sums to 1
};

// The share of each split row, dealt to its slots: one per row, or one per true parameter.
std::vector<double> row_shares(const Split& split, const LeastSquaresOptions& options, bool per_output) {
  std::vector<double> shares(options.row_weights.begin(), options.row_weights.end());
  if (shares.empty()) shares.assign(split.rows, 1.0);
  if (shares.size() != split.rows) {
    throw InputError(
        fmt::format("least squares: found {} row weights, expected {}", shares.size(), split.rows));
  }
  double total = 0;
  for (const double share : shares) {
    if (!(share >= 0) || !std::isfinite(share)) {
      throw InputError(fmt::format("least squares: found row weight {}, expected 0 or more", share));
    }
    total += share;
  }
  if (!(total > 0) || !std::isfinite(total)) {
    throw InputError(fmt::format("least squares: the row weights add up to {}, expected more than 0", total));
  }
  std::vector<double> repeated;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const std::size_t slots = per_output ? split.shape(row).truth : 1;
    repeated.insert(repeated.end(), slots, shares[row] / total / static_cast<double>(slots));
  }
  return repeated;
}

void check(const Split& split, const LeastSquaresOptions& options) {
  const RowShape shape = split.rows == 0 ? RowShape{} : split.shape(0);
  if (shape.features == 0 || shape.truth == 0) {
    throw InputError(fmt::format(
        "least squares: found {} rows of {} features and {} true parameters, expected at least one of each",
        split.rows, shape.features, shape.truth));
  }
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge)) {
    throw InputError(fmt::format("least squares: found ridge {}, expected 0 or more", options.ridge));
  }
}

struct Column {
  double mean = 0;
  double deviation = 0;  // 0 where the column is constant up to rounding
};

// Mean and deviation of one column of values [rows × stride]. Plain sums: their order must not depend on
// alignment.
Column describe(std::string_view kind, std::span<const double> values, std::size_t stride, std::size_t column,
                const std::vector<double>& weights) {
  Column result;
  double size = 0;  // largest magnitude, the yardstick for rounding
  for (std::size_t row = 0; row < weights.size(); ++row) {
    result.mean += weights[row] * values[row * stride + column];
    size = std::max(size, std::abs(values[row * stride + column]));
  }
  double variance = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double centred = values[row * stride + column] - result.mean;
    variance += weights[row] * centred * centred;
  }
  if (!std::isfinite(variance)) {
    throw InputError(fmt::format(
        "least squares: {} column {} has infinite, undefined or huge entries, expected numbers below 1e150",
        kind, column));
  }
  const double deviation = std::sqrt(variance);
  result.deviation = deviation > 1e-13 * size ? deviation : 0.0;
  return result;
}

// Standardised and weighted features, with the ridge as extra rows below: [(rows + inputs) × inputs].
Eigen::MatrixXd design_matrix(const Regression& problem, const std::vector<Column>& columns, double ridge) {
  const std::size_t extra = ridge > 0 ? problem.inputs : 0;
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(Index(problem.rows + extra), Index(problem.inputs));
  for (std::size_t k = 0; k < problem.inputs; ++k) {
    if (columns[k].deviation == 0) continue;
    for (std::size_t row = 0; row < problem.rows; ++row) {
      const double centred = problem.features[row * problem.inputs + k] - columns[k].mean;
      design(Index(row), Index(k)) = std::sqrt(problem.weights[row]) * (centred / columns[k].deviation);
    }
    // The penalty is on weights in the features' own units, hence the division.
    if (extra != 0) design(Index(problem.rows + k), Index(k)) = std::sqrt(ridge) / columns[k].deviation;
  }
  return design;
}

Eigen::MatrixXd target_matrix(const Regression& problem, const std::vector<Column>& columns, Index rows) {
  Eigen::MatrixXd targets = Eigen::MatrixXd::Zero(rows, Index(problem.outputs));
  for (std::size_t row = 0; row < problem.rows; ++row) {
    for (std::size_t out = 0; out < problem.outputs; ++out) {
      const double centred = problem.targets[row * problem.outputs + out] - columns[out].mean;
      targets(Index(row), Index(out)) = std::sqrt(problem.weights[row]) * centred;
    }
  }
  return targets;
}

std::vector<double> fit(const Regression& problem, double ridge) {
  std::vector<Column> inputs, outputs;
  for (std::size_t k = 0; k < problem.inputs; ++k) {
    inputs.push_back(describe("feature", problem.features, problem.inputs, k, problem.weights));
  }
  for (std::size_t out = 0; out < problem.outputs; ++out) {
    outputs.push_back(describe("truth", problem.targets, problem.outputs, out, problem.weights));
  }
  const Eigen::MatrixXd design = design_matrix(problem, inputs, ridge);
  // Householder QR with column pivoting, completed so that a redundant design has its smallest solution. On
  // standardised columns, pivots this far below the largest are rounding, not information.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  decomposition.compute(design);
  const Eigen::MatrixXd solution = decomposition.solve(target_matrix(problem, outputs, design.rows()));

  std::vector<double> theta(problem.outputs * (problem.inputs + 1));
  for (std::size_t out = 0; out < problem.outputs; ++out) {
    double bias = outputs[out].mean;
    for (std::size_t k = 0; k < problem.inputs; ++k) {
      const double weight =
          inputs[k].deviation == 0 ? 0.0 : solution(Index(k), Index(out)) / inputs[k].deviation;
      theta[out * problem.inputs + k] = weight;
      bias -= weight * inputs[k].mean;
    }
    theta[problem.outputs * problem.inputs + out] = bias;
  }
  return theta;
}

}  // namespace

std::vector<double> least_squares_linear(const Split& split, const LeastSquaresOptions& options) {
  check(split, options);
  if (split.ragged())
    throw InputError(
        "least squares: found rows of several shapes, expected one, for every output has weights "
        "of its own");
  return fit({.features = split.features,
              .targets = split.truth,
              .rows = split.rows,
              .inputs = split.feature_columns,
              .outputs = split.truth_columns,
              .weights = row_shares(split, options, false)},
             options.ridge);
}

std::vector<double> least_squares_shared(const Split& split, const LeastSquaresOptions& options) {
  check(split, options);
  const std::size_t inputs = split.shape(0).features / split.shape(0).truth;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const RowShape shape = split.shape(row);
    if (inputs == 0 || shape.features != inputs * shape.truth)
      throw InputError(
          fmt::format("least squares: found {} feature columns for {} slots, expected a multiple of {}",
                      shape.features, shape.truth, shape.truth));
    if (!split.ragged()) break;
  }
  return fit({.features = split.features,
              .targets = split.truth,
              .rows = split.truth.size(),
              .inputs = inputs,
              .outputs = 1,
              .weights = row_shares(split, options, true)},
             options.ridge);
}

std::vector<double> fitted_polynomial(std::span<const double> x, std::span<const double> y,
                                      std::size_t degree) {
  return fitted_polynomial(x, y, degree, x);
}

std::vector<double> fitted_polynomial(std::span<const double> x, std::span<const double> y,
                                      std::size_t degree, std::span<const double> at) {
  const auto powers_of = [&](std::span<const double> points) {
    Eigen::MatrixXd powers(Index(points.size()), Index(degree + 1));
    for (std::size_t i = 0; i < points.size(); ++i) {
      double power = 1;
      for (std::size_t k = 0; k <= degree; ++k, power *= points[i]) powers(Index(i), Index(k)) = power;
    }
    return powers;
  };
  const Eigen::MatrixXd powers = powers_of(x);
  const Eigen::MatrixXd values = Eigen::Map<const Eigen::VectorXd>(y.data(), powers.rows());
  const Eigen::MatrixXd curve = powers_of(at) * powers.colPivHouseholderQr().solve(values);
  return {curve.data(), curve.data() + curve.size()};
}

}  // namespace polystep
