#include "methods/starts/least_squares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// Random features [rows × inputs] around different means, and targets that are affine in them plus noise.
Split random_split(std::size_t rows, std::size_t inputs, std::size_t outputs, double noise) {
  RandomStream stream(1, Purpose::kTest, inputs, outputs);
  Split split{.rows = rows,
              .feature_columns = inputs,
              .truth_columns = outputs,
              .features = {},
              .truth = {},
              .instances = {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inputs; ++k) {
      split.features.push_back(10.0 * static_cast<double>(k) + stream.normal());
    }
    for (std::size_t out = 0; out < outputs; ++out) {
      double value = 3.0 - static_cast<double>(out) + noise * stream.normal();
      for (std::size_t k = 0; k < inputs; ++k)
        value += static_cast<double>(out + 2 * k + 1) * split.feature_row(row)[k];
      split.truth.push_back(value);
    }
  }
  return split;
}

double predict(const Split& split, const std::vector<double>& theta, std::size_t row, std::size_t out) {
  double value = theta[split.truth_columns * split.feature_columns + out];
  for (std::size_t k = 0; k < split.feature_columns; ++k) {
    value += theta[out * split.feature_columns + k] * split.feature_row(row)[k];
  }
  return value;
}

// The objective the fit minimises, by its definition.
double objective(const Split& split, const std::vector<double>& theta, double ridge,
                 std::vector<double> weights = {}) {
  if (weights.empty()) weights.assign(split.rows, 1.0);
  double total = 0, sum = 0, penalty = 0;
  for (std::size_t row = 0; row < split.rows; ++row) {
    total += weights[row];
    for (std::size_t out = 0; out < split.truth_columns; ++out) {
      const double error = predict(split, theta, row, out) - split.truth_row(row)[out];
      sum += weights[row] * error * error;
    }
  }
  for (std::size_t k = 0; k < split.truth_columns * split.feature_columns; ++k)
    penalty += theta[k] * theta[k];
  return sum / total + ridge * penalty;
}

// A minimum of a convex function: no small step along any axis goes down.
void expect_minimum(const Split& split, const std::vector<double>& theta, double ridge,
                    const std::vector<double>& weights = {}) {
  const double at_minimum = objective(split, theta, ridge, weights);
  for (std::size_t k = 0; k < theta.size(); ++k) {
    for (const double step : {-1e-3, 1e-3}) {
      std::vector<double> moved = theta;
      moved[k] += step;
      EXPECT_GT(objective(split, moved, ridge, weights), at_minimum)
          << "parameter " << k << ", step " << step;
    }
  }
}

TEST(LeastSquaresLinear, RecoversAnExactRelation) {
  const Split split = random_split(60, 3, 2, 0.0);
  const std::vector<double> theta = least_squares_linear(split);
  const std::vector<double> expected = {1, 3, 5, 2, 4, 6, 3, 2};  // W [2 × 3], then b [2]
  ASSERT_EQ(theta.size(), expected.size());
  for (std::size_t k = 0; k < theta.size(); ++k) EXPECT_NEAR(theta[k], expected[k], 1e-10);
}

TEST(LeastSquaresLinear, MinimisesTheSquaredError) {
  const Split split = random_split(80, 4, 3, 1.0);
  expect_minimum(split, least_squares_linear(split), 0);
}

TEST(LeastSquaresLinear, MinimisesWithRidgeAndWeights) {
  const Split split = random_split(80, 4, 3, 1.0);
  RandomStream stream(2, Purpose::kTest);
  std::vector<double> weights(split.rows);
  for (double& weight : weights) weight = 5 * stream.uniform();
  const LeastSquaresOptions options{.ridge = 0.5, .row_weights = weights};
  expect_minimum(split, least_squares_linear(split, options), 0.5, weights);
}

TEST(LeastSquaresLinear, WeightZeroDropsARowAndWeightTwoDoublesIt) {
  const Split split = random_split(30, 2, 1, 1.0);
  std::vector<double> weights(split.rows, 1.0);
  weights[4] = 0;
  weights[7] = 2;
  Split edited = split;  // row 4 replaced by a second row 7
  std::copy_n(split.features.begin() + 14, 2, edited.features.begin() + 8);
  edited.truth[4] = split.truth[7];
  const std::vector<double> weighted = least_squares_linear(split, {.ridge = 0, .row_weights = weights});
  const std::vector<double> repeated = least_squares_linear(edited);
  for (std::size_t k = 0; k < weighted.size(); ++k) EXPECT_NEAR(weighted[k], repeated[k], 1e-10);
}

TEST(LeastSquaresLinear, LargeRidgeLeavesTheMean) {
  const Split split = random_split(50, 2, 1, 1.0);
  const std::vector<double> theta = least_squares_linear(split, {.ridge = 1e12, .row_weights = {}});
  double mean = 0;
  for (const double value : split.truth) mean += value / static_cast<double>(split.rows);
  EXPECT_NEAR(theta[0], 0, 1e-9);
  EXPECT_NEAR(theta[1], 0, 1e-9);
  EXPECT_NEAR(theta[2], mean, 1e-6);
}

TEST(LeastSquaresLinear, RedundantFeaturesShareTheWeight) {
  Split split = random_split(40, 2, 1, 0.5);
  const Split plain = split;
  for (std::size_t row = 0; row < split.rows; ++row) split.features[row * 2 + 1] = split.features[row * 2];
  const std::vector<double> theta = least_squares_linear(split);
  EXPECT_NEAR(theta[0], theta[1], 1e-9);
  Split single = plain;
  single.feature_columns = 1;
  single.features.clear();
  for (std::size_t row = 0; row < plain.rows; ++row) single.features.push_back(plain.features[row * 2]);
  const std::vector<double> alone = least_squares_linear(single);
  EXPECT_NEAR(theta[0] + theta[1], alone[0], 1e-9);
  EXPECT_NEAR(theta[2], alone[1], 1e-8);
}

TEST(LeastSquaresLinear, ConstantFeaturesGetNoWeight) {
  Split split = random_split(40, 2, 1, 0.5);
  for (std::size_t row = 0; row < split.rows; ++row)
    split.features[row * 2] = 0.1;  // sums of 0.1 are not exact
  EXPECT_EQ(least_squares_linear(split)[0], 0);
  for (double& feature : split.features) feature = 1e6 + 0.1;
  const std::vector<double> theta = least_squares_linear(split);
  EXPECT_EQ(theta[0], 0);
  EXPECT_EQ(theta[1], 0);
  EXPECT_TRUE(std::isfinite(theta[2]));
}

TEST(LeastSquaresLinear, FewerRowsThanFeaturesFitExactly) {
  const Split split = random_split(3, 6, 2, 1.0);
  const std::vector<double> theta = least_squares_linear(split);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t out = 0; out < 2; ++out)
      EXPECT_NEAR(predict(split, theta, row, out), split.truth_row(row)[out], 1e-9);
  }
  for (const double value : least_squares_linear(random_split(1, 2, 1, 1.0)))
    EXPECT_TRUE(std::isfinite(value));
}

TEST(LeastSquaresLinear, SurvivesBadlyScaledFeatures) {
  Split split = random_split(60, 3, 1, 0.0);
  for (std::size_t row = 0; row < split.rows; ++row) {
    split.features[row * 3] *= 1e9;
    split.features[row * 3 + 2] *= 1e-9;
  }
  const std::vector<double> theta = least_squares_linear(split);
  EXPECT_NEAR(theta[0] * 1e9, 1, 1e-8);
  EXPECT_NEAR(theta[1], 3, 1e-8);
  EXPECT_NEAR(theta[2] * 1e-9, 5, 1e-8);
}

TEST(LeastSquaresShared, IsOneRegressionOverAllSlots) {
  const Split slots = random_split(120, 3, 1, 1.0);
  Split days = slots;  // the same numbers read as 30 rows of 4 slots
  days.rows = 30;
  days.feature_columns = 12;
  days.truth_columns = 4;
  EXPECT_EQ(least_squares_shared(days).size(), 4u);
  const std::vector<double> shared = least_squares_shared(days), expected = least_squares_linear(slots);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(shared[k], expected[k], 1e-10);
}

TEST(LeastSquaresShared, RowWeightsCountForAllSlotsOfARow) {
  const Split slots = random_split(40, 2, 1, 1.0);
  Split days = slots;
  days.rows = 10, days.feature_columns = 8, days.truth_columns = 4;
  std::vector<double> row_weights, slot_weights;
  for (std::size_t row = 0; row < 10; ++row) {
    row_weights.push_back(static_cast<double>(row));
    slot_weights.insert(slot_weights.end(), 4, static_cast<double>(row));
  }
  const auto shared = least_squares_shared(days, {.ridge = 0.1, .row_weights = row_weights});
  const auto expected = least_squares_linear(slots, {.ridge = 0.1, .row_weights = slot_weights});
  for (std::size_t k = 0; k < shared.size(); ++k) EXPECT_NEAR(shared[k], expected[k], 1e-10);
}

TEST(LeastSquares, GivesTheSameBitsWhereverTheDataLie) {
  const Split split = random_split(101, 5, 7, 1.0);
  const std::vector<double> expected = least_squares_linear(split);
  std::vector<Split> copies;  // all alive at once, so that their arrays have different alignments
  for (std::size_t k = 0; k < 6; ++k) copies.push_back(split);
  for (const Split& copy : copies) EXPECT_EQ(least_squares_linear(copy), expected);
}

TEST(LeastSquares, RejectsBadInput) {
  const Split split = random_split(4, 2, 1, 1.0);
  const std::vector<double> few = {1, 1, 1}, negative = {1, -1, 1, 1}, none = {0, 0, 0, 0},
                            infinite = {1, 1, 1, INFINITY};
  EXPECT_THROW(least_squares_linear(split, {.ridge = 0, .row_weights = few}), InputError);
  EXPECT_THROW(least_squares_linear(split, {.ridge = 0, .row_weights = negative}), InputError);
  EXPECT_THROW(least_squares_linear(split, {.ridge = 0, .row_weights = none}), InputError);
  EXPECT_THROW(least_squares_linear(split, {.ridge = 0, .row_weights = infinite}), InputError);
  EXPECT_THROW(least_squares_linear(split, {.ridge = -1, .row_weights = {}}), InputError);
  EXPECT_THROW(least_squares_linear(Split{}), InputError);
  for (const double bad : {std::nan(""), double(INFINITY), 1e200}) {
    Split damaged = split;
    damaged.features[3] = bad;
    EXPECT_THROW(least_squares_linear(damaged), InputError);
    damaged = split;
    damaged.truth[2] = bad;
    EXPECT_THROW(least_squares_linear(damaged), InputError);
  }
  EXPECT_THROW(least_squares_linear({.rows = 1,
                                     .feature_columns = 0,
                                     .truth_columns = 1,
                                     .features = {},
                                     .truth = {1},
                                     .instances = {}}),
               InputError);
  const Split uneven = random_split(4, 3, 2, 1.0);
  EXPECT_THROW(least_squares_shared(uneven), InputError);
}

}  // namespace
}  // namespace polystep
