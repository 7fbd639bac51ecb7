// Data of the portfolio benchmark: five features, and the returns of fifty assets that share four risk
// factors.
//
// The return of asset j is r_j = (0.05/sqrt(5) B_j . z + 0.1^(1/degree))^degree + (L f)_j + 0.01 eps_j, with
// f and eps standard normal. The last two terms have the covariance L L' + 1e-4 I that limits the risk.
//
// The benchmark's published results were made with targets y = -r, a cost convention that was never turned
// back for a problem that maximises; nearly every optimum is then to hold nothing. Both signs are offered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kPortfolioAssets = 50;
inline constexpr std::size_t kPortfolioFeatures = 5;
inline constexpr std::size_t kPortfolioFactors = 4;
inline constexpr double kPortfolioSpecificVariance = 1e-4;
inline constexpr int kLargestPortfolioDegree = 100;

enum class PortfolioSign {
  kPublished,  // the target is minus the return
  kReturns,    // the target is the return
};

struct PortfolioData {
  Dataset data;                  // truth is y [rows × assets]
  std::vector<double> loadings;  // L [assets × factors]
  double risk_limit = 0;         // gamma
};

// The expected returns of one instance: what features tell. mixing is B [assets × 5], features is z [5],
// returns [assets].
void expected_returns(std::span<const double> mixing, std::span<const double> features, int degree,
                      std::span<double> returns);

// 2.25 times the variance of holding every asset in equal parts. loadings: L [assets × factors]
double portfolio_risk_limit(std::span<const double> loadings);

// The benchmark's files: 1000 training, 250 validation and 10000 test instances.
PortfolioData published_portfolio(const std::string& data_directory, int degree, PortfolioSign sign);

// A fresh draw of the same distribution, which depends on data_seed alone: degrees and signs share it.
PortfolioData generated_portfolio(int degree, PortfolioSign sign, std::uint64_t data_seed);

}  // namespace polystep
