#include "data/benchmarks/energy_days.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "data/benchmarks/numpy_shuffle.hpp"

namespace polystep {
namespace {

constexpr std::size_t kDayFeatures = kSlotsPerDay * kEnergyFeatures;

Split split_of(const EnergyDays& days, const FeatureScaling& scaling, std::span<const std::size_t> chosen) {
  Split split;
  split.rows = chosen.size();
  split.feature_columns = kDayFeatures;
  split.truth_columns = kSlotsPerDay;
  split.features.reserve(split.rows * kDayFeatures);
  split.truth.reserve(split.rows * kSlotsPerDay);
  for (const std::size_t day : chosen) {
    for (std::size_t k = 0; k < kDayFeatures; ++k) {
      const std::size_t feature = k % kEnergyFeatures;
      split.features.push_back((days.features[day * kDayFeatures + k] - scaling.mean[feature]) /
                               scaling.deviation[feature]);
    }
    const auto first = days.target.begin() + static_cast<std::ptrdiff_t>(day * kSlotsPerDay);
    split.truth.insert(split.truth.end(), first, first + kSlotsPerDay);
  }
  return split;
}

}  // namespace

FeatureScaling fit_energy_scaling(const EnergyDays& days) {
  constexpr std::size_t kRows = kScalingDays * kSlotsPerDay;
  FeatureScaling scaling;
  for (std::size_t feature = 0; feature < kEnergyFeatures; ++feature) {
    double sum = 0;
    for (std::size_t row = 0; row < kRows; ++row) sum += days.features[row * kEnergyFeatures + feature];
    const double mean = sum / kRows;
    double squares = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const double centred = days.features[row * kEnergyFeatures + feature] - mean;
      squares += centred * centred;
    }
    scaling.mean.push_back(mean);
    scaling.deviation.push_back(std::sqrt(squares / kRows));
  }
  return scaling;
}

Dataset split_energy_days(const EnergyDays& days, FeatureScaling scaling, std::uint64_t seed) {
  const std::vector<std::size_t> order = numpy_shuffled(kDays, seed);
  const std::span<const std::size_t> all(order);
  Dataset data;
  data.training = split_of(days, scaling, all.first(kTrainingDays));
  data.validation = split_of(days, scaling, all.subspan(kTrainingDays, kValidationDays));
  data.test = split_of(days, scaling, all.subspan(kTrainingDays + kValidationDays));
  data.feature_names.assign(kEnergyFeatureNames.begin(), kEnergyFeatureNames.end());
  data.scaling = std::move(scaling);
  return data;
}

}  // namespace polystep
