#include "solvers/portfolio/portfolio_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kFactors = PortfolioTables::kFactors;

std::size_t checked_factors(std::span<const double> loadings, std::size_t assets) {
  if (assets < 1 || assets > PortfolioTables::kMostAssets) {
    throw InputError(fmt::format("portfolio: there are {} assets, expected 1 to {}", assets,
                                 PortfolioTables::kMostAssets));
  }
  if (loadings.size() % assets != 0 || loadings.size() / assets > kFactors) {
    throw InputError(
        fmt::format("portfolio: there are {} factor loadings for {} assets, expected 0 to {} for each asset",
                    loadings.size(), assets, kFactors));
  }
  return loadings.size() / assets;
}

void check_positive(double number, const char* what) {
  if (std::isfinite(number) && number > 0) return;
  throw InputError(fmt::format("portfolio: the {} is {}, expected a positive number", what, number));
}

// Adds one asset to the sums of a subset.
void add_asset(const double* loading, double* sums) {
  *sums++ += 1.0;
  for (std::size_t k = 0; k < kFactors; ++k) *sums++ += loading[k];
  for (std::size_t k = 0; k < kFactors; ++k) {
    for (std::size_t j = 0; j <= k; ++j) *sums++ += loading[k] * loading[j];
  }
}

}  // namespace

PortfolioTables::PortfolioTables(std::span<const double> given, std::size_t asset_count,
                                 double specific_variance, double risk_limit)
    : assets(asset_count) {
  const std::size_t factors = checked_factors(given, assets);
  check_positive(specific_variance, "specific variance");
  check_positive(risk_limit, "risk limit");
  risk = risk_limit / specific_variance;
  check_positive(risk, "risk limit over the specific variance");
  chunks = (assets + kChunk - 1) / kChunk;
  loadings.resize(chunks * kChunk * kFactors, 0.0);
  const double deviation = std::sqrt(specific_variance);
  for (std::size_t asset = 0; asset < assets; ++asset) {
    for (std::size_t k = 0; k < factors; ++k) {
      const double scaled = given[asset * factors + k] / deviation;
      if (!std::isfinite(scaled * scaled)) {
        throw InputError(fmt::format("portfolio: loading {} of asset {} is {}, expected a finite number", k,
                                     asset, given[asset * factors + k]));
      }
      loadings[asset * kFactors + k] = scaled;
    }
  }
  for (const double number : loadings) lanes.insert(lanes.end(), kLanes, number);
  chunk_sums.resize(chunks * kSubsets * kSums, 0.0);
  for (std::size_t place = 0; place < chunks * kSubsets; ++place) {
    const std::size_t chunk = place / kSubsets, subset = place % kSubsets;
    for (std::size_t k = 0; k < kChunk; ++k) {
      if ((subset >> k & 1) != 0) add_asset(loading(chunk * kChunk + k), &chunk_sums[place * kSums]);
    }
  }
}

}  // namespace polystep::solvers
