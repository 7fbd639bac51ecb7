#include "solvers/portfolio/portfolio_plain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace polystep::solvers::portfolio {

Instance::Instance(const PortfolioTables& tables, std::span<const double> values) {
  for (const double value : values) {
    finite = finite && std::isfinite(value);
    largest = value > largest ? value : largest;
  }
  const double top = largest;
  const std::int64_t exponent = kTwiceExponentBias - (std::bit_cast<std::int64_t>(top) >> kExponentShift);
  const double scale = std::bit_cast<double>(std::max(exponent, std::int64_t{1}) << kExponentShift);
  largest = top * scale;
  for (std::size_t asset = 0; asset < values.size(); ++asset) below[asset] = (values[asset] - top) * scale;
  for (std::size_t asset = values.size(); asset < tables.chunks * PortfolioTables::kChunk; ++asset) {
    below[asset] = -std::numeric_limits<double>::infinity();
  }
}

void Holdings::evaluate(const PortfolioTables& tables, const Instance& instance,
                        const DualPoint<double>& at) {
  residual = {};
  changed = false;
  for (std::size_t chunk = 0; chunk < tables.chunks; ++chunk) {
    unsigned held = 0;
    for (std::size_t k = 0; k < PortfolioTables::kChunk; ++k) {
      const std::size_t asset = chunk * PortfolioTables::kChunk + k;
      const double* const loading = tables.loading(asset);
      const double left = (instance.below[asset] + at.tau) - dot(loading, at.q);
      z[asset] = left > 0.0 ? left : 0.0;
      held |= left > 0.0 ? 1u << k : 0u;
      residual.total += z[asset];
      residual.squares += z[asset] * z[asset];
      for (std::size_t j = 0; j < kFactors; ++j) residual.exposure[j] += loading[j] * z[asset];
    }
    changed = changed || held != subset[chunk];
    subset[chunk] = static_cast<std::uint8_t>(held);
  }
}

HeldSums<double> Holdings::sums(const PortfolioTables& tables) const {
  HeldSums<double> held{};
  for (std::size_t chunk = 0; chunk < tables.chunks; ++chunk) {
    const double* const row = tables.sums(chunk, subset[chunk]);
    for (std::size_t k = 0; k < PortfolioTables::kSums; ++k) held.row[k] += row[k];
  }
  return held;
}

}  // namespace polystep::solvers::portfolio
