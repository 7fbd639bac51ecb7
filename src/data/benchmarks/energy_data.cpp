#include "data/benchmarks/energy_data.hpp"

#include <fmt/core.h>

#include <cmath>

#include "data/data_directory.hpp"
#include "data/tables/comma_file.hpp"

namespace polystep {
namespace {

constexpr std::string_view kEnergyHeader =
    "day,slot,holiday,day_of_week,week_of_year,month,wind_forecast,load_forecast,price_forecast,co2_"
    "intensity,price,"
    "knapsack_value";
constexpr std::size_t kColumns = 12;
constexpr std::size_t kFirstFeature = 2;
constexpr std::size_t kPriceColumn = 10;
constexpr std::size_t kKnapsackColumn = 11;

void check_place(const CommaFile& file, std::size_t field, std::string_view name, std::size_t expected) {
  if (file.number(field) != static_cast<double>(expected)) {
    file.fail(fmt::format("found {} {}, expected {}", name, file.text(field), expected));
  }
}

}  // namespace

EnergyDays read_energy_days(const std::string& data_directory, EnergyTarget target) {
  CommaFile file(classical_file(data_directory, "energy/energy.csv"));
  file.expect_header(kEnergyHeader);
  EnergyDays days;
  days.features.reserve(kDays * kSlotsPerDay * kEnergyFeatures);
  days.target.reserve(kDays * kSlotsPerDay);
  for (std::size_t row = 0; row < kDays * kSlotsPerDay; ++row) {
    file.expect_line(kColumns);
    check_place(file, 0, "day", row / kSlotsPerDay);
    check_place(file, 1, "slot", row % kSlotsPerDay);
    for (std::size_t k = 0; k < kEnergyFeatures; ++k) days.features.push_back(file.number(kFirstFeature + k));
    const double price = file.number(kPriceColumn),
                 value = file.number(kKnapsackColumn);  // both must be sound
    days.target.push_back(target == EnergyTarget::kPrice ? price : value);
  }
  file.expect_end();
  return days;
}

FeatureScaling read_energy_scaling(const std::string& data_directory) {
  CommaFile file(classical_file(data_directory, "energy/scaler.csv"));
  file.expect_header("feature,mean,std");
  FeatureScaling scaling;
  for (const std::string_view name : kEnergyFeatureNames) {
    file.expect_line(3);
    if (file.text(0) != name) file.fail(fmt::format("found feature '{}', expected '{}'", file.text(0), name));
    scaling.mean.push_back(file.number(1));
    scaling.deviation.push_back(file.number(2));
    if (!(scaling.deviation.back() > 0)) {
      file.fail(fmt::format("found standard deviation {}, expected more than 0", file.text(2)));
    }
  }
  file.expect_end();
  return scaling;
}

Dataset published_energy(const std::string& data_directory, std::uint64_t seed, EnergyTarget target) {
  const EnergyDays days = read_energy_days(data_directory, target);
  return split_energy_days(days, read_energy_scaling(data_directory), seed);
}

Dataset published_knapsack(const std::string& data_directory, std::uint64_t seed) {
  return published_energy(data_directory, seed, EnergyTarget::kKnapsackValue);
}

std::vector<int> published_knapsack_weights(const std::string& data_directory) {
  CommaFile file(classical_file(data_directory, "knapsack/weights.csv"));
  file.expect_line(kSlotsPerDay);
  std::vector<int> weights;
  for (std::size_t item = 0; item < kSlotsPerDay; ++item) {
    const double weight = file.number(item);
    if (weight != std::floor(weight) || weight < 1 || weight > 1e6) {
      file.fail(fmt::format("found weight {}, expected a whole number from 1 to 1000000", file.text(item)));
    }
    weights.push_back(static_cast<int>(weight));
  }
  file.expect_end();
  return weights;
}

}  // namespace polystep
