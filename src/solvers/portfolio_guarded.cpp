#include "solvers/portfolio_guarded.hpp"

#include <cmath>

namespace polystep::solvers::portfolio {
namespace {

constexpr int kMostInnerSteps = 200;
constexpr int kMostHalvings = 50;
constexpr double kSufficient = 1e-4;  // share of the predicted decrease that a step must bring
constexpr double kSmallestTau =
    0x1p-70;  // of the largest value: what is lost by not going lower is below rounding

double energy(const Holdings& holdings, const DualPoint<double>& at) {
  return 0.5 * (holdings.residual.squares + dot(at.q, at.q));
}

// Brings q to l' z at a fixed tau.
void settle_exposures(const PortfolioTables& tables, const Instance& instance, DualPoint<double>& at,
                      Holdings& holdings) {
  holdings.evaluate(tables, instance, at);
  for (int step = 0; step < kMostInnerSteps; ++step) {
    const double before = energy(holdings, at);
    double mismatch[kFactors], direction[kFactors];
    for (std::size_t k = 0; k < kFactors; ++k) mismatch[k] = holdings.residual.exposure[k] - at.q[k];
    FactorMatrix<double>(holdings.sums(tables)).solve(mismatch, direction);
    const double slope = dot(mismatch, direction);
    const DualPoint<double> from = at;
    bool moved = false;
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings && !moved; ++halving, length *= 0.5) {
      for (std::size_t k = 0; k < kFactors; ++k) at.q[k] = from.q[k] + length * direction[k];
      holdings.evaluate(tables, instance, at);
      moved = energy(holdings, at) <= before - kSufficient * length * slope;
      if (moved && length == 1.0 && !holdings.changed) return;  // the quadratic piece is solved
    }
    if (!moved) {  // nothing is left to gain but rounding
      at = from;
      holdings.evaluate(tables, instance, at);
      return;
    }
  }
}

// Positive where the portfolio, scaled to the full budget, breaks the risk limit.
double excess_risk(const PortfolioTables& tables, const Holdings& holdings) {
  const Residual<double>& residual = holdings.residual;
  return residual.squares + dot(residual.exposure, residual.exposure) -
         tables.risk * residual.total * residual.total;
}

}  // namespace

Certificate<double> solve_guarded(const PortfolioTables& tables, const Instance& instance,
                                  Holdings& holdings) {
  DualPoint<double> at{instance.largest, {}};
  double low = instance.largest * kSmallestTau, high = instance.largest;
  settle_exposures(tables, instance, at, holdings);
  if (excess_risk(tables, holdings) < 0.0) {
    for (double middle = low; middle < high;) {  // the lowest tau first: it may already bear the risk
      at.tau = middle;
      settle_exposures(tables, instance, at, holdings);
      (excess_risk(tables, holdings) > 0.0 ? low : high) = middle;
      middle = std::sqrt(low) * std::sqrt(high);
      if (!(middle > low)) break;
    }
    at.tau = high;
    settle_exposures(tables, instance, at, holdings);
  }
  return certify(at, holdings.residual, tables.risk, instance.largest);
}

}  // namespace polystep::solvers::portfolio
