// Days of a half-hourly electricity market, as a table in raw units and as the data set a predictor is
// trained on.
//
// The published prices and the generated stand-in share this: both are 789 days of 48 slots with eight
// features, scaled alike and split alike. One row of the data set is one day; a shared predictor sees its 48
// slots one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kDays = 789;
inline constexpr std::size_t kSlotsPerDay = 48;
inline constexpr std::size_t kEnergyFeatures = 8;
inline constexpr std::size_t kScalingDays =
    552;  // the scaling is fitted on this many first days, whatever the split
inline constexpr std::size_t kTrainingDays = 550;
inline constexpr std::size_t kValidationDays = 100;  // the remaining 139 are the test days

inline constexpr std::array<std::string_view, kEnergyFeatures> kEnergyFeatureNames = {
    "holiday",       "day_of_week",   "week_of_year",   "month",
    "wind_forecast", "load_forecast", "price_forecast", "co2_intensity"};

// The column a predictor is asked to predict.
enum class EnergyTarget {
  kPrice,          // EUR/MWh, for energy-cost-aware scheduling
  kKnapsackValue,  // the value of the slot as a knapsack item
};

struct EnergyDays {
  std::vector<double> features;  // raw units, [days × slots × 8]
  std::vector<double> target;    // [days × slots]
};

// Mean and population standard deviation of every feature over the slots of the first 552 days.
FeatureScaling fit_energy_scaling(const EnergyDays& days);

// Scales the features and deals the days, in the shuffled order of the seed, into 550 / 100 / 139.
Dataset split_energy_days(const EnergyDays& days, FeatureScaling scaling, std::uint64_t seed);

}  // namespace polystep
