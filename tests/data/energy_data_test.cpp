#include "data/benchmarks/energy_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "data/exact_solvers.hpp"
#include "data/published_files.hpp"
#include "methods/starts/least_squares.hpp"

namespace polystep {
namespace {

using testing::best_knapsack;
using testing::dot;

std::string directory() { return find_data_directory(""); }

TEST(PublishedKnapsack, HasThePublishedShape) {
  POLYSTEP_NEEDS_DATA();
  const Dataset data = published_knapsack(directory(), 0);
  EXPECT_EQ(data.training.rows, 550u);
  EXPECT_EQ(data.validation.rows, 100u);
  EXPECT_EQ(data.test.rows, 139u);
  for (const Split* split : {&data.training, &data.validation, &data.test}) {
    EXPECT_EQ(split->feature_columns, 48u * 8u);
    EXPECT_EQ(split->truth_columns, 48u);
    EXPECT_EQ(split->features.size(), split->rows * 48 * 8);
    EXPECT_EQ(split->truth.size(), split->rows * 48);
  }
  EXPECT_EQ(data.feature_names.size(), 8u);
  EXPECT_EQ(data.feature_names.front(), "holiday");
  EXPECT_EQ(data.feature_names.back(), "co2_intensity");
  EXPECT_EQ(data.scaling.mean[5], 4105.689752792874);
  EXPECT_EQ(data.scaling.deviation[7], 81.16692193322625);
}

TEST(PublishedKnapsack, RowsAreTheDaysOfTheSeedsOrder) {
  POLYSTEP_NEEDS_DATA();
  const EnergyDays days = read_energy_days(directory(), EnergyTarget::kKnapsackValue);
  const Dataset data = published_knapsack(directory(), 0);
  const auto expect_day = [&](const Split& split, std::size_t row, std::size_t day) {
    for (std::size_t slot = 0; slot < 48; ++slot) {
      ASSERT_EQ(split.truth_row(row)[slot], days.target[day * 48 + slot]);
      for (std::size_t k = 0; k < 8; ++k) {
        const double raw =
            split.feature_row(row)[slot * 8 + k] * data.scaling.deviation[k] + data.scaling.mean[k];
        ASSERT_NEAR(raw, days.features[(day * 48 + slot) * 8 + k], 1e-9);
      }
    }
  };
  expect_day(data.training, 0, 453);  // the order of seed 0 starts 453, 85, 545
  expect_day(data.training, 1, 85);
  expect_day(data.training, 2, 545);
}

TEST(PublishedEnergy, PriceIsAnotherTargetOfTheSameDays) {
  POLYSTEP_NEEDS_DATA();
  const EnergyDays days = read_energy_days(directory(), EnergyTarget::kPrice);
  EXPECT_EQ(days.target[0], 54.32);
  EXPECT_EQ(days.target[1], 54.23);
  EXPECT_EQ(*std::max_element(days.target.begin(), days.target.end()), 1000);
  EXPECT_EQ(std::count_if(days.target.begin(), days.target.end(), [](double p) { return p < 0; }), 3);
  EXPECT_EQ(std::count(days.target.begin(), days.target.end(), 0.0), 23);
  EXPECT_EQ(published_energy(directory(), 3, EnergyTarget::kPrice).training.features,
            published_knapsack(directory(), 3).training.features);
}

TEST(PublishedEnergy, ScalingIsThatOfTheFirst552Days) {
  POLYSTEP_NEEDS_DATA();
  const FeatureScaling read = read_energy_scaling(directory());
  const FeatureScaling fitted = fit_energy_scaling(read_energy_days(directory(), EnergyTarget::kPrice));
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(fitted.mean[k], read.mean[k], 1e-11 * read.mean[k]);
    EXPECT_NEAR(fitted.deviation[k], read.deviation[k], 1e-11 * read.deviation[k]);
  }
}

TEST(PublishedKnapsack, WeightsAreSixteenEach) {
  POLYSTEP_NEEDS_DATA();
  const std::vector<int> weights = published_knapsack_weights(directory());
  ASSERT_EQ(weights.size(), 48u);
  for (const int weight : {3, 5, 7}) EXPECT_EQ(std::count(weights.begin(), weights.end(), weight), 16);
  EXPECT_EQ(weights[0], 5);
  EXPECT_EQ(weights[47], 7);
}

TEST(PublishedKnapsack, ValuesArePricesTimesNoisyWeights) {
  POLYSTEP_NEEDS_DATA();
  const EnergyDays values = read_energy_days(directory(), EnergyTarget::kKnapsackValue);
  const EnergyDays prices = read_energy_days(directory(), EnergyTarget::kPrice);
  const std::vector<int> weights = published_knapsack_weights(directory());
  for (std::size_t k = 0; k < values.target.size(); ++k) {
    const double price = std::max(prices.target[k], 0.0);
    ASSERT_LE(std::abs(values.target[k] - price * weights[k % 48]), price * (1 + 1e-12));
  }
}

TEST(PublishedKnapsack, OptimaMatchThePublishedValues) {
  POLYSTEP_NEEDS_DATA();
  struct Golden {
    std::size_t capacity;
    double optimum[5];  // days 0..4 of file order
    double mean;        // over all days
  };
  const Golden golden[] = {
      {60, {5457.99136761, 5698.04440755, 9338.66460867, 6004.21528325, 8035.45012383}, 6000.24486054},
      {120, {8742.00943080, 9005.36374684, 12325.88745108, 9064.51057861, 11413.04341843}, 9883.75854988},
      {180,
       {11582.51678909, 11800.46992815, 14949.21178358, 11815.34735380, 14446.88065943},
       13001.83260094}};
  const EnergyDays days = read_energy_days(directory(), EnergyTarget::kKnapsackValue);
  const std::vector<int> weights = published_knapsack_weights(directory());
  for (const Golden& g : golden) {
    double sum = 0;
    for (std::size_t day = 0; day < kDays; ++day) {
      const auto values = std::span(days.target).subspan(day * 48, 48);
      const double optimum = dot(best_knapsack(values, weights, g.capacity), values);
      if (day < 5) {
        EXPECT_NEAR(optimum, g.optimum[day], 0.51e-8);
      }
      sum += optimum;
    }
    EXPECT_NEAR(sum / kDays, g.mean, 0.51e-8);
  }
}

TEST(PublishedKnapsack, LeastSquaresWeightsMatchThePublishedValues) {
  POLYSTEP_NEEDS_DATA();
  const double golden[] = {3.064198,  1.920124,  -5.023451, 4.084623,  -24.172851,
                           48.209970, 79.933880, -7.014923, 325.099762};
  const std::vector<double> theta = least_squares_shared(published_knapsack(directory(), 0).training);
  ASSERT_EQ(theta.size(), 9u);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(theta[k], golden[k], 0.5001e-6);
}

TEST(PublishedKnapsack, LeastSquaresRegretMatchesThePublishedValues) {
  POLYSTEP_NEEDS_DATA();
  const double golden[3][3] = {{0.1598972, 0.1107117, 0.0329837},  // seed 0, capacities 60, 120, 180
                               {0.1769626, 0.1105651, 0.0365063},
                               {0.1649856, 0.1072116, 0.0351470}};
  const std::size_t capacity[] = {60, 120, 180};
  const std::vector<int> weights = published_knapsack_weights(directory());
  for (std::size_t seed = 0; seed < 3; ++seed) {
    const Dataset data = published_knapsack(directory(), seed);
    const std::vector<double> theta = least_squares_shared(data.training);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(testing::knapsack_regret(data.test, theta, weights, capacity[k]), golden[seed][k],
                  0.5001e-7)
          << "seed " << seed << ", capacity " << capacity[k];
    }
  }
}

}  // namespace
}  // namespace polystep
