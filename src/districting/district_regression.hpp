// What districts cost, learned as a regression: the published rival predgnn. A network sees the whole city
// and which units are in the district, and is fitted to stored costs of districts of the training cities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/cities/city.hpp"
#include "predictors/set_network.hpp"
#include "solvers/spanning_tree/district_value.hpp"

namespace polystep {

struct RegressionSettings {
  std::uint64_t seed = 1;
  std::size_t epochs = 100;      // published: 1,000
  std::size_t samples = 10'000;  // districts, drawn once among all of the training cities
  std::size_t batch = 64;
  double rate = 1e-4;  // Adam's
};

struct DistrictRegression {
  std::vector<double> mean, deviation;  // of units' numbers over the training cities
  std::vector<float> theta;
  double error = 0;  // mean absolute, over the last epoch, km

  std::string fingerprint() const;
};

// A unit's numbers: density, population, area, perimeter, distance to the depot in thousandths of a degree,
// roots of area and population; whether it is in the district is the network's last input.
inline constexpr std::size_t kUnitNumbers = 7;
std::vector<double> unit_numbers(const City& city);  // [units × kUnitNumbers]

// Districts with their costs, and the cities they are in.
struct PricedSamples {
  std::vector<City> cities;
  std::vector<SetNetwork::Sample> samples;
};
PricedSamples published_samples(const std::string& data_directory);

// Fits one. `file` keeps it after every epoch: a fit that was stopped or killed goes on from there to the
// same bits, and a finished one is read back; a file of other settings is an InputError. Nothing where `stop`
// said so. progress(batches done, of).
std::optional<DistrictRegression> fit_regression(
    const PricedSamples& priced, const RegressionSettings& settings, const std::filesystem::path& file,
    const std::function<bool()>& stop, const std::function<void(std::size_t done, std::size_t of)>& progress);

// What the regression says of districts of a city.
std::unique_ptr<solvers::DistrictValue> regression_value(const DistrictRegression& regression,
                                                         const City& city);

}  // namespace polystep
