// The pieces of the portfolio method for one instance, shared by the plain and the guarded solver.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "solvers/portfolio/portfolio_newton.hpp"

namespace polystep::solvers::portfolio {

// Values as distances below the largest one. All are scaled by a power of two that brings the largest close
// to 1: no square can overflow, and no digit is lost.
struct Instance {
  double largest = 0;  // 0 or less: hold nothing
  bool finite = true;  // all values are
  std::array<double, PortfolioTables::kMostAssets>
      below;  // c [chunks * kChunk]; minus infinity beyond the end

  Instance(const PortfolioTables& tables, std::span<const double> values);
};

// The residual z of an instance at a dual point, and who is held (z > 0).
struct Holdings {
  std::array<double, PortfolioTables::kMostAssets> z;               // [chunks * kChunk]
  std::array<std::uint8_t, PortfolioTables::kMostChunks> subset{};  // [chunks] a bit per asset
  bool changed = true;                                              // since the pass before
  Residual<double> residual;

  void evaluate(const PortfolioTables& tables, const Instance& instance, const DualPoint<double>& at);
  HeldSums<double> sums(const PortfolioTables& tables) const;
};

// The scale of an instance is 2^-e for a largest value with exponent e: its exponent field is the second
// constant minus that of the value, and at least 1.
inline constexpr std::int64_t kExponentShift = 52;
inline constexpr std::int64_t kTwiceExponentBias = 2046;

}  // namespace polystep::solvers::portfolio
