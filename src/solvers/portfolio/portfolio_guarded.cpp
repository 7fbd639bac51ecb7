#include "solvers/portfolio/portfolio_guarded.hpp"

#include <cmath>

namespace polystep::solvers::portfolio {
namespace {

constexpr int kMostInnerSteps = 200;
constexpr int kMostHalvings = 50;
constexpr double kEnergyNoise = 1e-13;  // by which rounding may raise the energy, as a share
constexpr double kSufficient = 1e-4;    // share of the predicted decrease that a step must bring
constexpr double kSmallestTau =
    0x1p-70;  // of the largest value: what is lost by not going lower is below rounding

double energy(const Holdings& holdings, const DualPoint<double>& at) {
  return 0.5 * (holdings.residual.squares + dot(at.q, at.q));
}

struct Mismatch {
  double part[kFactors];  // l' z - q

  Mismatch(const Holdings& holdings, const DualPoint<double>& at) {
    for (std::size_t k = 0; k < kFactors; ++k) part[k] = holdings.residual.exposure[k] - at.q[k];
  }
  double square() const { return dot(part, part); }
};

// Brings q to l' z at a fixed tau. A step must lower the energy as Armijo asks; close to the minimum, where
// the energy no longer shows a difference, it must halve the mismatch instead.
void settle_exposures(const PortfolioTables& tables, const Instance& instance, DualPoint<double>& at,
                      Holdings& holdings) {
  holdings.evaluate(tables, instance, at);
  for (int step = 0; step < kMostInnerSteps; ++step) {
    const double before = energy(holdings, at);
    const Mismatch mismatch(holdings, at);
    double direction[kFactors];
    FactorMatrix<double>(holdings.sums(tables)).solve(mismatch.part, direction);
    const double slope = dot(mismatch.part, direction);
    const DualPoint<double> from = at;
    bool moved = false;
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings && !moved; ++halving, length *= 0.5) {
      for (std::size_t k = 0; k < kFactors; ++k) at.q[k] = from.q[k] + length * direction[k];
      holdings.evaluate(tables, instance, at);
      const double after = energy(holdings, at);
      moved = after < before && after <= before - kSufficient * length * slope;
      moved = moved || (after <= before * (1.0 + kEnergyNoise) &&
                        Mismatch(holdings, at).square() <= 0.25 * mismatch.square());
    }
    if (!moved || mismatch.square() == 0.0) {  // nothing is left to gain but rounding
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
