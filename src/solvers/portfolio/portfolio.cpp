#include "solvers/portfolio/portfolio.hpp"

#include <algorithm>
#include <bit>

#include "polystep/tile.hpp"
#include "solvers/portfolio/portfolio_guarded.hpp"
#include "solvers/portfolio/portfolio_plain.hpp"
#include "solvers/portfolio/portfolio_variants.hpp"

namespace polystep::solvers {
namespace {

using namespace portfolio;

constexpr double kAcceptedGap = 1e-9;  // of the guarded method

// A tau to begin with: a few steps of the same method for assets without common factors, the first of them
// with all assets held. Assets of negative value count as worth nothing there.
double start_tau(const PortfolioTables& tables, const Instance& instance) {
  const double all = static_cast<double>(tables.assets);
  double total = 0, squares = 0;
  for (std::size_t asset = 0; asset < tables.assets; ++asset) {
    const double below = larger_of(instance.below[asset], -instance.largest);
    total += below;
    squares += below * below;
  }
  double tau = meet_risk(0.0, all, total, squares, tables.risk, instance.largest);
  for (int step = 0; step < kStartSteps; ++step) {
    double count = 0;
    total = squares = 0;
    for (std::size_t asset = 0; asset < tables.assets; ++asset) {
      const double left = instance.below[asset] + tau;
      const double z = left > 0.0 ? left : 0.0;
      count += left > 0.0 ? 1.0 : 0.0;
      total += z;
      squares += z * z;
    }
    tau = meet_risk(tau, count, total, squares, tables.risk, instance.largest);
  }
  return tau;
}

// Newton's method. True where it arrived.
bool solve_by_newton(const PortfolioTables& tables, const Instance& instance, Holdings& holdings,
                     Certificate<double>& found) {
  DualPoint<double> at{start_tau(tables, instance), {}};
  for (int step = 0; step < kNewtonSteps; ++step) {
    holdings.evaluate(tables, instance, at);
    if (!holdings.changed) {
      found = certify(at, holdings.residual, tables.risk, instance.largest);
      if (found.bound - found.value <= kNewtonGap * found.bound) return true;
    }
    at = newton_step(at, holdings.residual, holdings.sums(tables), tables.risk, instance.largest);
  }
  return false;
}

}  // namespace

Portfolio::Portfolio(std::span<const double> loadings, std::size_t assets, double specific_variance,
                     double risk_limit, InstructionSet set)
    : tables_(std::make_shared<PortfolioTables>(loadings, assets, specific_variance, risk_limit)),
      solve_kernel_(portfolio_solve_variant(set)) {
  require_supported(set, "portfolio");
}

bool Portfolio::solve(std::span<const double> values, std::span<double> decision) const {
  std::fill(decision.begin(), decision.end(), 0.0);
  const Instance instance(*tables_, values);
  if (!instance.finite) return false;
  if (!(instance.largest > 0.0)) return true;
  Holdings holdings;
  Certificate<double> found{};
  if (!solve_by_newton(*tables_, instance, holdings, found)) {
    found = solve_guarded(*tables_, instance, holdings);
    if (!(found.bound - found.value <= kAcceptedGap * found.bound)) return false;
  }
  for (std::size_t asset = 0; asset < decision.size(); ++asset) {
    decision[asset] = holdings.z[asset] * found.scale;
  }
  return true;
}

std::uint32_t Portfolio::solve_tile(const double* predicted, const double* truth, double* realised,
                                    std::uint64_t* signatures) const {
  const std::uint32_t left_over = solve_kernel_(*tables_, predicted, truth, realised, signatures);
  if (left_over == 0) return 0;
  std::uint32_t failed = 0;
  double values[PortfolioTables::kMostAssets], decision[PortfolioTables::kMostAssets];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((left_over >> lane & 1) == 0) continue;
    for (std::size_t asset = 0; asset < assets(); ++asset) values[asset] = predicted[asset * kLanes + lane];
    const std::span<double> held(decision, assets());
    if (!solve({values, assets()}, held)) failed |= 1u << lane;
    realised[lane] = 0.0;
    for (std::size_t asset = 0; asset < assets(); ++asset) {
      realised[lane] += truth[asset * kLanes + lane] * held[asset];
    }
    signatures[lane] = signature(held);
  }
  return failed;
}

std::uint64_t Portfolio::signature(std::span<const double> decision) {
  std::uint64_t word = 0;
  for (const double held : decision) word = std::rotl(word, 7) ^ std::bit_cast<std::uint64_t>(held);
  return word;
}

}  // namespace polystep::solvers
