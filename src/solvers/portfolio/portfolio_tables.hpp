// What the portfolio solvers know of an instance before they see values: scaled loadings, and their sums over
// every subset of a few neighbouring assets.
//
// Everything is divided by the specific variance s: with l = L / sqrt(s) and risk = gamma / s the limit reads
// |x|^2 + |l' x|^2 <= risk. Newton's method needs, for the set of assets held, its size, the sum of its
// loadings and the sum of their products. Assets are cut into chunks of five, and the sums over all 32
// subsets of a chunk are stored, so that the sums over any set take one addition per chunk.
#pragma once

#include <cstddef>
#include <span>

#include "polystep/aligned.hpp"
#include "polystep/tile.hpp"

namespace polystep::solvers {

struct PortfolioTables {
  static constexpr std::size_t kFactors = 4;
  static constexpr std::size_t kChunk = 5;  // assets
  static constexpr std::size_t kSubsets = std::size_t{1} << kChunk;
  static constexpr std::size_t kSums = 16;  // count, 4 loadings, 10 products, and one unused
  static constexpr std::size_t kMostAssets = 500;
  static constexpr std::size_t kMostChunks = kMostAssets / kChunk;

  std::size_t assets = 0;
  std::size_t chunks = 0;
  double risk = 0;            // gamma / s
  AlignedDoubles loadings;    // l [chunks * kChunk × kFactors], zero beyond the last asset
  AlignedDoubles lanes;       // l [chunks * kChunk × kFactors × kLanes], each number repeated for all lanes
  AlignedDoubles chunk_sums;  // [chunks × kSubsets × kSums]

  // loadings: L [assets × factors], at most kFactors of them
  PortfolioTables(std::span<const double> loadings, std::size_t asset_count, double specific_variance,
                  double risk_limit);

  const double* loading(std::size_t asset) const { return loadings.data() + asset * kFactors; }
  const double* lane_loading(std::size_t asset) const { return lanes.data() + asset * kFactors * kLanes; }
  const double* sums(std::size_t chunk, std::size_t subset) const {
    return chunk_sums.data() + (chunk * kSubsets + subset) * kSums;
  }
};

}  // namespace polystep::solvers
