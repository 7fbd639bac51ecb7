// The regression of district costs: fitted, stopped, resumed, and used as what districts are worth.
#include "districting/district_regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/cities/city_generator.hpp"
#include "data/data_directory.hpp"
#include "districting/expected_sentence.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Pairs of neighbours whose cost is their area.
PricedSamples drawn_samples() {
  PricedSamples priced;
  priced.cities = small_synthetic_cities(2, 1);
  for (std::uint32_t city = 0; city < priced.cities.size(); ++city)
    for (const auto& [a, b] : priced.cities[city].adjacent)
      priced.samples.push_back(
          {city,
           {a, b},
           static_cast<float>(priced.cities[city].units[a].area + priced.cities[city].units[b].area)});
  return priced;
}

RegressionSettings quick(std::size_t epochs) {
  return {.seed = 3, .epochs = epochs, .samples = 60, .batch = 16, .rate = 1e-3};
}

TEST(DistrictRegression, LearnsAndGoesOnToTheSameBits) {
  const TemporaryDirectory directory;
  const PricedSamples priced = drawn_samples();
  const auto whole = fit_regression(priced, quick(6), directory.path() / "whole.bin", {}, {});
  const auto first = fit_regression(priced, quick(1), directory.path() / "first.bin", {}, {});
  ASSERT_TRUE(whole && first);
  EXPECT_LT(whole->error, 0.8 * first->error);

  // Stopped in the middle of an epoch, twice.
  const auto file = directory.path() / "stopped.bin";
  for (const int batches : {6, 9}) {
    int left = batches;
    EXPECT_FALSE(fit_regression(priced, quick(6), file, [&] { return left-- == 0; }, {}));
  }
  std::size_t last = 0, of = 0;
  const auto resumed = fit_regression(priced, quick(6), file, {},
                                      [&](std::size_t done, std::size_t all) { last = done, of = all; });
  ASSERT_TRUE(resumed);
  EXPECT_EQ(last + 1, of);
  EXPECT_EQ(resumed->theta, whole->theta);
  EXPECT_EQ(resumed->error, whole->error);
  EXPECT_EQ(resumed->fingerprint(), whole->fingerprint());
  // A finished one is read back, or fitted further.
  const auto again = fit_regression(priced, quick(6), file, [] { return true; }, {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->theta, whole->theta);
  EXPECT_TRUE(fit_regression(priced, quick(7), file, {}, {}));

  expect_input_error([&] { fit_regression(priced, quick(6), file, {}, {}); }, {"stopped.bin", "7 epochs"});
  RegressionSettings other = quick(9);
  other.seed = 4;
  expect_input_error([&] { fit_regression(priced, other, file, {}, {}); }, {"stopped.bin", "seed 4"});
  expect_input_error([&] { fit_regression({}, quick(1), file, {}, {}); }, {"no districts"});
}

TEST(DistrictRegression, SaysWhatDistrictsOfAnyCityAreWorth) {
  const TemporaryDirectory directory;
  const PricedSamples priced = drawn_samples();
  const auto fitted = fit_regression(priced, quick(2), directory.path() / "fit.bin", {}, {});
  ASSERT_TRUE(fitted);
  const City city = synthetic_city(90);
  const auto value = regression_value(*fitted, city);
  const auto copy = value->clone();
  for (std::uint32_t unit = 0; unit + 2 < 90; ++unit) {
    const std::vector<std::uint32_t> units = {unit, unit + 1, unit + 2};
    const double worth = value->value(units);
    EXPECT_TRUE(std::isfinite(worth));
    EXPECT_EQ(copy->value(units), worth);
  }
}

TEST(DistrictRegression, ReadsTheDistrictsOfTheTrainingCities) {
  const std::string data = find_data_directory("");
  if (!holds_districting_data(data)) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const PricedSamples priced = published_samples(data);
  EXPECT_EQ(priced.cities.size(), 100u);
  EXPECT_EQ(priced.samples.size(), 62'203u);
  EXPECT_EQ(priced.samples[0].nodes, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_FLOAT_EQ(priced.samples[0].target, 43.46156f);
}

}  // namespace
}  // namespace polystep
