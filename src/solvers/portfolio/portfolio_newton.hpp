// Newton's method on the dual of the portfolio problem: the algebra, for one instance or for lanes of them.
//
// In the scaled form of portfolio_tables.hpp the problem is: maximise v.x, x >= 0, sum x <= 1,
// |x|^2 + |l' x|^2 <= risk. Its dual has five variables, the price lambda of the budget and a vector q of
// factor exposures. With the residual z = max(0, v - lambda - l q),
//
//     bound(lambda, q) = lambda + sqrt(risk * (|z|^2 + |q|^2)),   lambda >= 0,
//
// is an upper limit on every feasible v.x (Cauchy-Schwarz). The minimum has q = l' z, and the optimal
// decision is z, scaled until the budget or the risk is used up. A scaled z is feasible wherever it was
// computed, so bound minus value tells how far any step is from the optimum.
//
// For a fixed set of held assets (z > 0) everything is linear but one square root: newton_step solves it in
// closed form, through a 4 × 4 system instead of one of the size of the set (Woodbury). The method has
// arrived when the step leaves the set as it was and the bound is met.
//
// lambda is kept as its distance tau below the largest value, and values as their distances c <= 0 from it:
// when only nearly equal assets are held, tau is tiny and keeps its digits.
#pragma once

#include <cmath>

#include "simd/lanes.hpp"
#include "solvers/portfolio/portfolio_tables.hpp"

namespace polystep::solvers::portfolio {

inline constexpr std::size_t kFactors = PortfolioTables::kFactors;
inline constexpr int kStartSteps = 1;               // of the method without factors
inline constexpr int kNewtonSteps = 12;             // then a lane is left to the guarded method
inline constexpr double kNewtonGap = 1e-12;         // bound - value, as a share of the bound
inline constexpr double kSmallestShrink = 0x1p-20;  // of the sum of z in one step, for the digits of z

POLYSTEP_INLINE double square_root(double x) { return std::sqrt(x); }

// g++ 12 would take the root of each lane in turn.
template <class Real>
POLYSTEP_INLINE Real square_root(Real x) {
#if defined(__AVX__)
  Real root;
  asm("vsqrtpd %1, %0" : "=v"(root) : "v"(x));
  return root;
#else
  for (std::size_t lane = 0; lane < sizeof(Real) / sizeof(double); ++lane) x[lane] = std::sqrt(x[lane]);
  return x;
#endif
}

template <class Real>
POLYSTEP_INLINE Real smaller_of(Real a, Real b) {
  return a < b ? a : b;
}
template <class Real>
POLYSTEP_INLINE Real larger_of(Real a, Real b) {
  return a > b ? a : b;
}

template <class Real>
struct DualPoint {
  Real tau;          // largest value - lambda, in (0, largest value]
  Real q[kFactors];  // factor exposures
};

// What a pass over the assets finds at a dual point.
template <class Real>
struct Residual {
  Real total{};               // sum z
  Real squares{};             // sum z^2
  Real exposure[kFactors]{};  // l' z
};

// A row of PortfolioTables::sums, over the held assets.
template <class Real>
struct HeldSums {
  Real row[PortfolioTables::kSums];

  POLYSTEP_INLINE Real count() const { return row[0]; }
  POLYSTEP_INLINE Real loading(std::size_t k) const { return row[1 + k]; }
  POLYSTEP_INLINE Real product(std::size_t k, std::size_t j) const {  // j <= k
    return row[1 + kFactors + k * (k + 1) / 2 + j];
  }
};

template <class Real>
POLYSTEP_INLINE Real dot(const Real* a, const Real* b) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

// I + sum of l l' over the held assets, as the product (unit lower triangle) × diagonal × transpose.
template <class Real>
struct FactorMatrix {
  Real lower[kFactors][kFactors];  // below the diagonal
  Real inverse_diagonal[kFactors];

  POLYSTEP_INLINE explicit FactorMatrix(const HeldSums<Real>& held) {
    Real scaled[kFactors];  // row of lower × diagonal
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kFactors; ++k) {
      Real pivot = held.product(k, k) + 1.0;
#pragma GCC unroll 4
      for (std::size_t j = 0; j < k; ++j) {
        scaled[j] = held.product(k, j);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < j; ++i) scaled[j] -= scaled[i] * lower[j][i];
        lower[k][j] = scaled[j] * inverse_diagonal[j];
        pivot -= scaled[j] * lower[k][j];
      }
      inverse_diagonal[k] = 1.0 / pivot;
    }
  }

  POLYSTEP_INLINE void solve(const Real* right, Real* solution) const {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kFactors; ++k) {
      solution[k] = right[k];
#pragma GCC unroll 4
      for (std::size_t j = 0; j < k; ++j) solution[k] -= lower[k][j] * solution[j];
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kFactors; ++k) solution[k] *= inverse_diagonal[k];
#pragma GCC unroll 4
    for (std::size_t back = 1; back <= kFactors; ++back) {
      const std::size_t k = kFactors - back;
#pragma GCC unroll 4
      for (std::size_t j = k + 1; j < kFactors; ++j) solution[k] -= lower[j][k] * solution[j];
    }
  }
};

// The tau at which a set of held assets uses up budget and risk together. Moving tau by t turns the sum of z
// into total + count t and |z|^2 + |q|^2 into squares + 2 total t + count t^2; sets too small to bear the
// risk at any tau are answered with lambda = 0, where the set is largest.
template <class Real>
POLYSTEP_INLINE Real meet_risk(Real tau, Real count, Real total, Real squares, Real risk, Real largest) {
  const Real spare = risk * count - 1.0;
  const Real spread = squares * count - total * total;
  const Real target =
      larger_of<Real>(square_root(larger_of<Real>(spread, Real{}) / spare), total * kSmallestShrink);
  const Real met = tau + (target - total) / count;
  return spare > 0.0 ? smaller_of<Real>(met, largest) : largest;
}

template <class Real>
POLYSTEP_INLINE DualPoint<Real> newton_step(const DualPoint<Real>& at, const Residual<Real>& residual,
                                            const HeldSums<Real>& held, Real risk, Real largest) {
  const FactorMatrix<Real> matrix(held);
  Real loading[kFactors], mismatch[kFactors], per_tau[kFactors], correction[kFactors];
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kFactors; ++k) {
    loading[k] = held.loading(k);
    mismatch[k] = residual.exposure[k] - at.q[k];
  }
  matrix.solve(loading, per_tau);      // how q follows tau
  matrix.solve(mismatch, correction);  // how q = l' z is restored at this tau
  const Real count = held.count() - dot(loading, per_tau);
  const Real total = residual.total - dot(loading, correction);
  const Real squares = residual.squares + dot(at.q, at.q) - dot(mismatch, correction);

  DualPoint<Real> next;
  next.tau = meet_risk(at.tau, count, total, squares, risk, largest);
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kFactors; ++k) {
    next.q[k] = at.q[k] + correction[k] + (next.tau - at.tau) * per_tau[k];
  }
  return next;
}

// The decision z * scale, its value, and the bound it is held against.
template <class Real>
struct Certificate {
  Real scale;
  Real value;
  Real bound;
};

template <class Real>
POLYSTEP_INLINE Certificate<Real> certify(const DualPoint<Real>& at, const Residual<Real>& residual,
                                          Real risk, Real largest) {
  const Real lambda = largest - at.tau;
  const Real variance = residual.squares + dot(residual.exposure, residual.exposure);
  const Real dual = residual.squares + dot(at.q, at.q);
  Certificate<Real> found;
  found.scale = smaller_of<Real>(1.0 / residual.total, square_root(risk / variance));
  found.value = found.scale * (residual.squares + lambda * residual.total + dot(at.q, residual.exposure));
  found.bound = smaller_of<Real>(lambda + square_root(risk * dual), largest);
  return found;
}

}  // namespace polystep::solvers::portfolio
