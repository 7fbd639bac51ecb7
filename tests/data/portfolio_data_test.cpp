#include "data/benchmarks/portfolio_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "data/published_files.hpp"

namespace polystep {
namespace {

using testing::read_text;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr const char* kFactorsFile = "portfolio/factors.csv";
constexpr const char* kBaseFile = "portfolio/pf_base_f32.bin";
constexpr std::size_t kBaseBytes = 2475000;

std::string factors_text() {
  std::string text = "asset,L1,L2,L3,L4,B1,B2,B3,B4,B5\n";
  for (int asset = 0; asset < 50; ++asset)
    text += std::to_string(asset) + ",0.001,-0.002,0,0.0005,0,1,1,0,1\n";
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

PortfolioData read(const TemporaryDirectory& place, int degree = 1) {
  return published_portfolio(place.string(), degree, PortfolioSign::kReturns);
}

void expect_sizes(const Dataset& data) {
  for (const auto& [split, rows] :
       {std::pair(&data.training, 1000u), std::pair(&data.validation, 250u), std::pair(&data.test, 10000u)}) {
    EXPECT_EQ(split->rows, rows);
    EXPECT_EQ(split->features.size(), rows * 5);
    EXPECT_EQ(split->truth.size(), rows * 50);
    EXPECT_EQ(split->truth_columns, 50u);
  }
  EXPECT_EQ(data.feature_names, (std::vector<std::string>{"z1", "z2", "z3", "z4", "z5"}));
  EXPECT_TRUE(data.scaling.mean.empty());
}

TEST(ExpectedReturns, FollowTheFormula) {
  const std::vector<double> mixing = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0};  // [2 assets × 5]
  const std::vector<double> features = {1.5, 9, 9, -0.5, 9};
  std::vector<double> returns(2);
  expected_returns(mixing, features, 4, returns);
  EXPECT_NEAR(returns[0], std::pow(0.05 / std::sqrt(5.0) + std::pow(0.1, 0.25), 4), 1e-15);
  EXPECT_NEAR(returns[1], 0.1, 1e-15);
}

TEST(PortfolioRiskLimit, IsThatOfEqualParts) {
  std::vector<double> loadings(200, 0.0);
  EXPECT_NEAR(portfolio_risk_limit(loadings), 2.25 * 1e-4 / 50, 1e-20);
  loadings[0] = 0.1, loadings[4] = -0.05, loadings[3] = 0.2;  // exposures 0.001 and 0.004
  EXPECT_NEAR(portfolio_risk_limit(loadings), 2.25 * (1e-4 / 50 + 1e-6 + 16e-6), 1e-18);
}

TEST(PublishedPortfolio, HasThePublishedShapeAndRiskLimit) {
  POLYSTEP_NEEDS_DATA();
  const PortfolioData published = published_portfolio(find_data_directory(""), 1, PortfolioSign::kReturns);
  expect_sizes(published.data);
  EXPECT_NEAR(published.risk_limit, 5.032367011557512e-06, 1e-20);
  EXPECT_EQ(published.loadings[0], -0.0023019904344427945);
  EXPECT_EQ(published.loadings.size(), 200u);
}

TEST(PublishedPortfolio, SignsAreMirrored) {
  POLYSTEP_NEEDS_DATA();
  const auto minus = published_portfolio(find_data_directory(""), 8, PortfolioSign::kPublished);
  const auto plus = published_portfolio(find_data_directory(""), 8, PortfolioSign::kReturns);
  EXPECT_EQ(minus.data.test.features, plus.data.test.features);
  for (std::size_t k = 0; k < plus.data.test.truth.size(); ++k) {
    ASSERT_EQ(minus.data.test.truth[k], -plus.data.test.truth[k]);
  }
}

TEST(PortfolioFiles, AreReadAsDescribed) {
  const TemporaryDirectory place;
  write_text(place.path() / kFactorsFile, factors_text());
  std::string bytes(kBaseBytes, '\0');
  const auto put = [&bytes](std::size_t at, float value) { std::memcpy(bytes.data() + 4 * at, &value, 4); };
  put(5 * 7 + 1, 2.0f);               // training instance 7, z2
  put(5000 + 50 * 7 + 3, 0.25f);      // and the noise of its asset 3
  put(55000 + 5 * 2 + 0, 4.0f);       // validation instance 2, z1: no asset depends on it
  put(55000 + 13750 + 50000 + 9, 1);  // test instance 0, noise of asset 9
  write_text(place.path() / kBaseFile, bytes);
  const PortfolioData data = read(place);
  expect_sizes(data.data);
  EXPECT_EQ(data.data.training.feature_row(7)[1], 2.0);
  const double base = 0.05 / std::sqrt(5.0) * 2 + 0.1;
  EXPECT_NEAR(data.data.training.truth_row(7)[2], base, 1e-15);
  EXPECT_NEAR(data.data.training.truth_row(7)[3], base + 0.25, 1e-15);
  EXPECT_EQ(data.data.validation.feature_row(2)[0], 4.0);
  EXPECT_NEAR(data.data.validation.truth_row(2)[0], 0.1, 1e-15);
  EXPECT_NEAR(data.data.test.truth_row(0)[9], 1.1, 1e-15);
  EXPECT_EQ(data.loadings[4 * 49 + 1], -0.002);
}

TEST(PortfolioFiles, MustExist) {
  const TemporaryDirectory place;
  EXPECT_INPUT_ERROR(read(place), kFactorsFile, "No such file");
  write_text(place.path() / kFactorsFile, factors_text());
  EXPECT_INPUT_ERROR(read(place), kBaseFile, "No such file");
}

TEST(PortfolioFiles, FactorsMustHaveTheirForm) {
  const TemporaryDirectory place;
  const auto expect_error = [&place](const std::string& text, const char* where, const char* what) {
    write_text(place.path() / kFactorsFile, text);
    EXPECT_INPUT_ERROR(read(place), where, what);
  };
  const std::string good = factors_text();
  expect_error(replaced(good, "asset", "item"), "line 1", "found 'item,L1");
  expect_error(replaced(good, "\n7,", "\n8,"), "line 9", "found asset 8, expected 7");
  expect_error(replaced(good, ",0,1,1,0,1\n", ",0,2,1,0,1\n"), "line 2",
               "found '2' in field 7, expected 0 or 1");
  expect_error(replaced(good, "-0.002", "nan"), "line 2", "found 'nan' in field 3");
  expect_error(replaced(good, "-0.002,", ""), "line 2", "found 9 fields, expected 10");
  expect_error(good.substr(0, good.find("\n49,") + 1), "line 51", "end of the file");
  expect_error(good + "50,0,0,0,0,0,0,0,0,0\n", "line 52", "found another line");
}

TEST(PortfolioFiles, BaseMustHaveTheExactSizeAndBeFinite) {
  const TemporaryDirectory place;
  write_text(place.path() / kFactorsFile, factors_text());
  for (const std::size_t size : {std::size_t{0}, kBaseBytes - 1, kBaseBytes + 4}) {
    write_text(place.path() / kBaseFile, std::string(size, '\0'));
    EXPECT_INPUT_ERROR(read(place), std::to_string(size) + " bytes", "expected 2475000");
  }
  std::string bytes(kBaseBytes, '\0');
  const float bad = std::numeric_limits<float>::infinity();
  std::memcpy(bytes.data() + 4 * 777, &bad, 4);
  write_text(place.path() / kBaseFile, bytes);
  EXPECT_INPUT_ERROR(read(place), kBaseFile, "float number 777");
}

TEST(GeneratedPortfolio, IsAPureFunctionOfItsSeed) {
  const PortfolioData first = generated_portfolio(4, PortfolioSign::kPublished, 7);
  const PortfolioData again = generated_portfolio(4, PortfolioSign::kPublished, 7);
  const PortfolioData other = generated_portfolio(4, PortfolioSign::kPublished, 8);
  expect_sizes(first.data);
  EXPECT_EQ(first.data.test.truth, again.data.test.truth);
  EXPECT_EQ(first.loadings, again.loadings);
  EXPECT_NE(first.data.test.truth, other.data.test.truth);
  EXPECT_NE(first.loadings, other.loadings);
  const PortfolioData plus = generated_portfolio(1, PortfolioSign::kReturns, 7);
  EXPECT_EQ(first.data.test.features, plus.data.test.features);
  EXPECT_EQ(first.risk_limit, plus.risk_limit);
}

TEST(GeneratedPortfolio, DrawsOfASeedNeverChange) {
  // Saved results name their data by seed alone. The tolerance is for other mathematical libraries.
  const PortfolioData data = generated_portfolio(8, PortfolioSign::kReturns, 0);
  EXPECT_NEAR(data.loadings[0], -0.0023320198652963019, 1e-15);
  EXPECT_NEAR(data.data.training.features[0], 0.41782198329357428, 1e-12);
  EXPECT_NEAR(data.data.test.truth.back(), 0.047766026038671354, 1e-12);
}

TEST(GeneratedPortfolio, NoiseHasTheCovarianceOfTheRiskLimit) {
  const PortfolioData data = generated_portfolio(1, PortfolioSign::kReturns, 3);
  for (const double loading : data.loadings) {
    ASSERT_GE(loading, -0.0025);
    ASSERT_LT(loading, 0.0025);
  }
  // Twins, assets with the same row of B, differ by noise alone: the variance of their difference is known.
  const Split& test = data.data.test;
  double worst = 0;
  for (std::size_t i = 0; i + 1 < 50; ++i) {
    for (std::size_t j = i + 1; j < 50; ++j) {
      double mean = 0, square = 0, gap = 0;
      for (std::size_t row = 0; row < 2000; ++row) {
        const double difference = test.truth_row(row)[i] - test.truth_row(row)[j];
        mean += difference / 2000, square += difference * difference / 2000;
      }
      for (std::size_t k = 0; k < 4; ++k) {
        gap += std::pow(data.loadings[4 * i + k] - data.loadings[4 * j + k], 2);
      }
      const double variance = square - mean * mean, expected = 2e-4 + gap;
      if (variance > 1.5 * expected) continue;  // the two mix features differently
      worst = std::max(worst, std::abs(variance / expected - 1));
    }
  }
  EXPECT_GT(worst, 0.0);   // some twins exist
  EXPECT_LT(worst, 0.16);  // five standard errors of a variance from 2000 draws
}

TEST(GeneratedPortfolio, RejectsBadDegrees) {
  EXPECT_INPUT_ERROR(generated_portfolio(0, PortfolioSign::kReturns, 0), "found degree 0",
                     "expected 1 to 100");
  EXPECT_INPUT_ERROR(published_portfolio("", 101, PortfolioSign::kReturns), "found degree 101",
                     "expected 1 to 100");
}

}  // namespace
}  // namespace polystep
