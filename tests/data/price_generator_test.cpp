#include "data/benchmarks/price_generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/benchmarks/market_calendar.hpp"
#include "data/exact_solvers.hpp"
#include "methods/starts/least_squares.hpp"

namespace polystep {
namespace {

enum Feature { kHoliday, kDayOfWeek, kWeekOfYear, kMonth, kWind, kLoad, kPriceForecast, kCarbon };

std::vector<double> column(const EnergyDays& days, Feature feature) {
  std::vector<double> values;
  for (std::size_t k = feature; k < days.features.size(); k += kEnergyFeatures)
    values.push_back(days.features[k]);
  return values;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a), mean_b = mean(b);
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - mean_a) * (b[k] - mean_b);
  return sum / static_cast<double>(a.size());
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  return covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

TEST(MarketCalendar, KnowsItsDays) {
  const CalendarDay first = market_day(0);  // 1 November 2011, a Tuesday
  EXPECT_EQ(first.day_of_week, 1);
  EXPECT_EQ(first.week_of_year, 44);
  EXPECT_EQ(first.month, 11);
  EXPECT_FALSE(first.holiday);
  EXPECT_TRUE(market_day(54).holiday);  // 25 December 2011, a Sunday
  EXPECT_EQ(market_day(54).day_of_week, 6);
  EXPECT_EQ(market_day(61).week_of_year, 52);  // Sunday 1 January 2012 ends the last week of 2011
  EXPECT_EQ(market_day(62).week_of_year, 1);
  EXPECT_TRUE(market_day(188).holiday);  // 7 May 2012, the first Monday of May
  EXPECT_FALSE(market_day(195).holiday);
  EXPECT_NEAR(market_day(75).winter, 1, 1e-12);   // 15 January 2012
  EXPECT_NEAR(market_day(258).winter, -1, 1e-3);  // 16 July 2012
}

TEST(GeneratedEnergy, IsAPureFunctionOfItsSeed) {
  const EnergyDays first = generate_energy_days(5, EnergyTarget::kPrice);
  const EnergyDays again = generate_energy_days(5, EnergyTarget::kPrice);
  EXPECT_EQ(first.features, again.features);
  EXPECT_EQ(first.target, again.target);
  const EnergyDays other = generate_energy_days(6, EnergyTarget::kPrice);
  EXPECT_NE(first.target, other.target);
  EXPECT_EQ(column(first, kWeekOfYear), column(other, kWeekOfYear));  // the calendar is no draw
}

TEST(GeneratedEnergy, DrawsOfASeedNeverChange) {
  // Saved results name their data by seed alone. The tolerance is for other mathematical libraries.
  const EnergyDays days = generate_energy_days(0, EnergyTarget::kPrice);
  const double features[] = {
      0, 1, 44, 11, 114.00946131332623, 3762.3428408544678, 47.341437433359637, 524.00239115046895};
  for (std::size_t k = 0; k < kEnergyFeatures; ++k) EXPECT_NEAR(days.features[k], features[k], 1e-9);
  EXPECT_NEAR(days.target.front(), 41.672696996898992, 1e-9);
  EXPECT_NEAR(days.target.back(), 96.902459807318394, 1e-9);
  EXPECT_NEAR(generate_energy_days(0, EnergyTarget::kKnapsackValue).target.front(), 269.31868630682999, 1e-9);
}

TEST(GeneratedEnergy, FeaturesArePlausible) {
  const EnergyDays days = generate_energy_days(0, EnergyTarget::kPrice);
  const std::vector<double> wind = column(days, kWind), load = column(days, kLoad),
                            carbon = column(days, kCarbon);
  EXPECT_NEAR(mean(wind), 545, 80);
  EXPECT_GT(*std::min_element(wind.begin(), wind.end()), 0);
  EXPECT_LT(*std::max_element(wind.begin(), wind.end()), 1700);
  EXPECT_NEAR(mean(load), 4000, 150);
  EXPECT_NEAR(std::sqrt(covariance(load, load)), 830, 100);
  EXPECT_GT(*std::min_element(load.begin(), load.end()), 1500);
  EXPECT_LT(correlation(carbon, wind), -0.5);
}

TEST(GeneratedEnergy, LoadFollowsDayWeekAndSeason) {
  const EnergyDays days = generate_energy_days(1, EnergyTarget::kPrice);
  double night = 0, evening = 0, sunday = 0, wednesday = 0, january = 0, july = 0;
  std::size_t sundays = 0, wednesdays = 0, januaries = 0, julies = 0;
  for (std::size_t row = 0; row < kDays * kSlotsPerDay; ++row) {
    const double* slot = &days.features[row * kEnergyFeatures];
    if (row % kSlotsPerDay == 8) night += slot[kLoad] / kDays;
    if (row % kSlotsPerDay == 36) evening += slot[kLoad] / kDays;
    if (slot[kDayOfWeek] == 6) sunday += slot[kLoad], ++sundays;
    if (slot[kDayOfWeek] == 2) wednesday += slot[kLoad], ++wednesdays;
    if (slot[kMonth] == 1) january += slot[kLoad], ++januaries;
    if (slot[kMonth] == 7) july += slot[kLoad], ++julies;
  }
  EXPECT_GT(evening, 1.6 * night);
  EXPECT_GT(wednesday / static_cast<double>(wednesdays), 1.06 * sunday / static_cast<double>(sundays));
  EXPECT_GT(january / static_cast<double>(januaries), 1.15 * july / static_cast<double>(julies));
}

TEST(GeneratedEnergy, PricesArePlausible) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const EnergyDays days = generate_energy_days(seed, EnergyTarget::kPrice);
    const std::vector<double>& price = days.target;
    EXPECT_NEAR(mean(price), 64, 12);
    EXPECT_NEAR(quantile(price, 0.5), 56, 8);
    EXPECT_GT(quantile(price, 0.999), 4 * quantile(price, 0.5));  // the heavy tail
    EXPECT_LE(*std::max_element(price.begin(), price.end()), 1000);
    EXPECT_GE(*std::min_element(price.begin(), price.end()), -50);
    const auto negative = std::count_if(price.begin(), price.end(), [](double p) { return p < 0; });
    EXPECT_GT(negative, 0);
    EXPECT_LT(negative, 400);
    const double forecast = correlation(column(days, kPriceForecast), price);
    EXPECT_GT(forecast, 0.45);  // useful ...
    EXPECT_LT(forecast, 0.85);  // ... and far from perfect
    EXPECT_GT(correlation(column(days, kLoad), price), 0.3);
    EXPECT_LT(correlation(column(days, kWind), price), -0.1);
  }
}

TEST(GeneratedEnergy, PriceIsConvexInNetLoad) {
  // Mean price over equal steps of load minus wind: the last step must raise it far more than one in the
  // middle.
  const EnergyDays days = generate_energy_days(0, EnergyTarget::kPrice);
  const auto mean_price = [&days](double low) {
    double sum = 0, count = 0;
    for (std::size_t row = 0; row < days.target.size(); ++row) {
      const double net =
          days.features[row * kEnergyFeatures + kLoad] - days.features[row * kEnergyFeatures + kWind];
      if (net >= low && net < low + 200) sum += days.target[row], ++count;
    }
    return sum / count;
  };
  EXPECT_GT(mean_price(4900) - mean_price(4100), 3 * (mean_price(3600) - mean_price(2800)));
}

TEST(GeneratedKnapsack, WeightsAreSixteenEachInMixedOrder) {
  const std::vector<int> weights = generated_knapsack_weights();
  ASSERT_EQ(weights.size(), 48u);
  for (const int weight : {3, 5, 7}) EXPECT_EQ(std::count(weights.begin(), weights.end(), weight), 16);
  EXPECT_FALSE(std::is_sorted(weights.begin(), weights.end()));
  const std::vector<int> start(weights.begin(), weights.begin() + 12);
  EXPECT_EQ(start,
            (std::vector<int>{7, 7, 7, 7, 5, 5, 7, 5, 5, 7, 5, 3}));  // part of every generated data set
}

TEST(GeneratedKnapsack, ValuesArePricesTimesNoisyWeights) {
  const EnergyDays prices = generate_energy_days(3, EnergyTarget::kPrice);
  const EnergyDays values = generate_energy_days(3, EnergyTarget::kKnapsackValue);
  EXPECT_EQ(prices.features, values.features);
  const std::vector<int> weights = generated_knapsack_weights();
  double sum = 0, squares = 0, count = 0;
  for (std::size_t k = 0; k < values.target.size(); ++k) {
    if (prices.target[k] <= 0) {
      ASSERT_EQ(values.target[k], 0);
      continue;
    }
    const double noise = values.target[k] / prices.target[k] - weights[k % kSlotsPerDay];
    ASSERT_LE(std::abs(noise), 1 + 1e-9);
    sum += noise, squares += noise * noise, ++count;
  }
  EXPECT_NEAR(sum / count, 0, 0.015);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.01);
}

TEST(GeneratedKnapsack, HasThePublishedShapeAndScaling) {
  const Dataset data = generated_knapsack(0, 0);
  EXPECT_EQ(data.training.rows, 550u);
  EXPECT_EQ(data.validation.rows, 100u);
  EXPECT_EQ(data.test.rows, 139u);
  EXPECT_EQ(data.training.feature_columns, 384u);
  EXPECT_EQ(data.training.truth_columns, 48u);
  EXPECT_EQ(data.feature_names,
            std::vector<std::string>(kEnergyFeatureNames.begin(), kEnergyFeatureNames.end()));
  const FeatureScaling scaling = fit_energy_scaling(generate_energy_days(0, EnergyTarget::kPrice));
  EXPECT_EQ(data.scaling.mean, scaling.mean);
  EXPECT_EQ(data.scaling.deviation, scaling.deviation);
}

TEST(GeneratedKnapsack, SplitSeedDealsTheSameDaysDifferently) {
  const Dataset one = generated_knapsack(0, 0), two = generated_knapsack(0, 1);
  EXPECT_EQ(one.scaling.mean, two.scaling.mean);
  EXPECT_NE(one.training.truth, two.training.truth);
  const auto all_values = [](const Dataset& data) {
    std::vector<double> values = data.training.truth;
    values.insert(values.end(), data.validation.truth.begin(), data.validation.truth.end());
    values.insert(values.end(), data.test.truth.begin(), data.test.truth.end());
    std::sort(values.begin(), values.end());
    return values;
  };
  EXPECT_EQ(all_values(one), all_values(two));
}

TEST(GeneratedKnapsack, LeastSquaresIsClearlyWorseThanPerfectInformation) {
  const Dataset data = generated_knapsack(0, 0);
  const std::vector<int> weights = generated_knapsack_weights();
  const std::vector<double> theta = least_squares_shared(data.training);
  EXPECT_GT(testing::knapsack_regret(data.test, theta, weights, 60), 0.10);
  EXPECT_LT(testing::knapsack_regret(data.test, theta, weights, 60), 0.30);
  EXPECT_GT(testing::knapsack_regret(data.test, theta, weights, 180), 0.015);
}

TEST(GeneratedKnapsack, ABetterLinearPredictorThanLeastSquaresExists) {
  // What decision-focused learning is for. The predictor cannot see the item weights, so least squares thinks
  // too well of light items; a smaller intercept makes it choosier, fits worse and decides better.
  const Dataset data = generated_knapsack(0, 0);
  const std::vector<int> weights = generated_knapsack_weights();
  const std::vector<double> fitted = least_squares_shared(data.training);
  const double before = testing::knapsack_regret(data.test, fitted, weights, 120);
  double best = before;
  for (const double shift : {-200.0, -100.0, 100.0, 200.0}) {
    std::vector<double> theta = fitted;
    theta.back() += shift;
    best = std::min(best, testing::knapsack_regret(data.test, theta, weights, 120));
  }
  EXPECT_LT(best, 0.9 * before);
}

}  // namespace
}  // namespace polystep
