#include "data/benchmarks/portfolio_data.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/files.hpp"
#include "data/data_directory.hpp"
#include "data/tables/comma_file.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kAssets = kPortfolioAssets;
constexpr std::size_t kFeatures = kPortfolioFeatures;
constexpr std::size_t kFactors = kPortfolioFactors;
constexpr std::array<std::size_t, 3> kSplitRows = {1000, 250, 10000};  // training, validation, test
constexpr double kMeanReturn = 0.1;
constexpr double kFeatureWeight = 0.05;
constexpr double kLargestLoading = 0.0025;
constexpr double kSpecificDeviation = 0.01;
constexpr double kRiskFactor = 2.25;

struct SplitDraws {
  std::vector<double> features;  // z [rows × 5]
  std::vector<double> noise;     // L f + 0.01 eps [rows × assets]
};

struct Draws {
  std::vector<double> loadings;  // L [assets × 4]
  std::vector<double> mixing;    // B [assets × 5]
  std::array<SplitDraws, 3> splits;
};

// Repeated multiplication: std::pow may round differently from one C library to the next.
double power(double base, int degree) {
  double product = base;
  for (int factor = 1; factor < degree; ++factor) product *= base;
  return product;
}

Split split_from(const std::vector<double>& mixing, SplitDraws draws, int degree, PortfolioSign sign) {
  Split split;
  split.rows = draws.features.size() / kFeatures;
  split.feature_columns = kFeatures;
  split.truth_columns = kAssets;
  split.features = std::move(draws.features);
  split.truth.resize(split.rows * kAssets);
  for (std::size_t row = 0; row < split.rows; ++row) {
    expected_returns(mixing, split.feature_row(row), degree,
                     std::span(split.truth).subspan(row * kAssets, kAssets));
  }
  for (std::size_t k = 0; k < split.truth.size(); ++k) {
    const double realised = split.truth[k] + draws.noise[k];
    split.truth[k] = sign == PortfolioSign::kPublished ? -realised : realised;
  }
  return split;
}

PortfolioData data_from(Draws draws, int degree, PortfolioSign sign) {
  PortfolioData result;
  result.data.training = split_from(draws.mixing, std::move(draws.splits[0]), degree, sign);
  result.data.validation = split_from(draws.mixing, std::move(draws.splits[1]), degree, sign);
  result.data.test = split_from(draws.mixing, std::move(draws.splits[2]), degree, sign);
  for (std::size_t k = 1; k <= kFeatures; ++k) result.data.feature_names.push_back(fmt::format("z{}", k));
  result.risk_limit = portfolio_risk_limit(draws.loadings);
  result.loadings = std::move(draws.loadings);
  return result;
}

void check_degree(int degree) {
  if (degree < 1 || degree > kLargestPortfolioDegree) {
    throw InputError(
        fmt::format("portfolio data: found degree {}, expected 1 to {}", degree, kLargestPortfolioDegree));
  }
}

// factors.csv: one line per asset with its number, four loadings and five zeros or ones.
void read_factors(const std::string& path, Draws& draws) {
  CommaFile file(path);
  file.expect_header("asset,L1,L2,L3,L4,B1,B2,B3,B4,B5");
  for (std::size_t asset = 0; asset < kAssets; ++asset) {
    file.expect_line(1 + kFactors + kFeatures);
    if (file.number(0) != static_cast<double>(asset)) {
      file.fail(fmt::format("found asset {}, expected {}", file.text(0), asset));
    }
    for (std::size_t k = 1; k <= kFactors; ++k) draws.loadings.push_back(file.number(k));
    for (std::size_t k = 1 + kFactors; k <= kFactors + kFeatures; ++k) {
      const double entry = file.number(k);
      if (entry != 0.0 && entry != 1.0) {
        file.fail(fmt::format("found '{}' in field {}, expected 0 or 1", file.text(k), k + 1));
      }
      draws.mixing.push_back(entry);
    }
  }
  file.expect_end();
}

// pf_base_f32.bin: little-endian floats, no header; z and noise of each split.
std::vector<double> read_base_floats(const std::string& path) {
  static constexpr std::size_t kCount = 618750;
  const std::string bytes = read_file(path);
  if (bytes.size() != kCount * sizeof(float)) {
    throw InputError(fmt::format("{}: found {} bytes, expected {} ({} floats)", path, bytes.size(),
                                 kCount * sizeof(float), kCount));
  }
  std::vector<float> floats(kCount);
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  for (std::size_t k = 0; k < kCount; ++k) {
    if (std::isfinite(floats[k])) continue;
    throw InputError(
        fmt::format("{}: found {} as float number {}, expected a finite value", path, floats[k], k));
  }
  return {floats.begin(), floats.end()};
}

void read_splits(const std::string& path, Draws& draws) {
  const std::vector<double> values = read_base_floats(path);
  const double* next = values.data();
  const auto take = [&next](std::size_t count) {
    const double* first = std::exchange(next, next + count);
    return std::vector<double>(first, next);
  };
  for (std::size_t s = 0; s < kSplitRows.size(); ++s) {
    draws.splits[s].features = take(kSplitRows[s] * kFeatures);
    draws.splits[s].noise = take(kSplitRows[s] * kAssets);
  }
}

void draw_noise(RandomStream& random, std::span<const double> loadings, std::span<double> noise) {
  std::array<double, kFactors> factors;
  random.fill_normal(factors);
  random.fill_normal(noise);
  for (std::size_t asset = 0; asset < kAssets; ++asset) {
    double common = 0;
    for (std::size_t k = 0; k < kFactors; ++k) common += loadings[asset * kFactors + k] * factors[k];
    noise[asset] = common + kSpecificDeviation * noise[asset];
  }
}

Draws generate_draws(std::uint64_t data_seed) {
  Draws draws;
  draws.mixing.resize(kAssets * kFeatures);
  RandomStream coin(data_seed, Purpose::kDataMatrix, 0);
  for (double& entry : draws.mixing) entry = coin.uniform() < 0.5 ? 1.0 : 0.0;
  draws.loadings.resize(kAssets * kFactors);
  RandomStream loading_stream(data_seed, Purpose::kDataMatrix, 1);
  for (double& loading : draws.loadings) loading = loading_stream.uniform(-kLargestLoading, kLargestLoading);
  for (std::size_t s = 0; s < kSplitRows.size(); ++s) {
    const std::size_t rows = kSplitRows[s];
    draws.splits[s].features.resize(rows * kFeatures);
    draws.splits[s].noise.resize(rows * kAssets);
    for (std::size_t row = 0; row < rows; ++row) {
      RandomStream feature_stream(data_seed, Purpose::kDataFeatures, s, row);
      feature_stream.fill_normal(std::span(draws.splits[s].features).subspan(row * kFeatures, kFeatures));
      RandomStream noise_stream(data_seed, Purpose::kDataNoise, s, row);
      draw_noise(noise_stream, draws.loadings,
                 std::span(draws.splits[s].noise).subspan(row * kAssets, kAssets));
    }
  }
  return draws;
}

}  // namespace

void expected_returns(std::span<const double> mixing, std::span<const double> features, int degree,
                      std::span<double> returns) {
  const double weight = kFeatureWeight / std::sqrt(static_cast<double>(kFeatures));
  const double base = std::pow(kMeanReturn, 1.0 / degree);
  for (std::size_t asset = 0; asset < returns.size(); ++asset) {
    double mixed = 0;
    for (std::size_t k = 0; k < kFeatures; ++k) mixed += mixing[asset * kFeatures + k] * features[k];
    returns[asset] = power(weight * mixed + base, degree);
  }
}

double portfolio_risk_limit(std::span<const double> loadings) {
  double variance = kPortfolioSpecificVariance / static_cast<double>(kAssets);
  for (std::size_t k = 0; k < kFactors; ++k) {
    double exposure = 0;
    for (std::size_t asset = 0; asset < kAssets; ++asset) exposure += loadings[asset * kFactors + k];
    exposure /= static_cast<double>(kAssets);
    variance += exposure * exposure;
  }
  return kRiskFactor * variance;
}

PortfolioData published_portfolio(const std::string& data_directory, int degree, PortfolioSign sign) {
  check_degree(degree);
  Draws draws;
  read_factors(classical_file(data_directory, "portfolio/factors.csv"), draws);
  read_splits(classical_file(data_directory, "portfolio/pf_base_f32.bin"), draws);
  return data_from(std::move(draws), degree, sign);
}

PortfolioData generated_portfolio(int degree, PortfolioSign sign, std::uint64_t data_seed) {
  check_degree(degree);
  return data_from(generate_draws(data_seed), degree, sign);
}

}  // namespace polystep
