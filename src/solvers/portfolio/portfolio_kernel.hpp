// The portfolio in lanes: the steps of the plain solver, with the assets of all lanes passed over together.
//
// A lane that has arrived keeps its dual point, so every later pass finds the same residual for it; the last
// pass therefore holds the decisions of all lanes.
#pragma once

#include <limits>

#include "polystep/tile.hpp"
#include "simd/lane_transpose.hpp"
#include "solvers/portfolio/portfolio_newton.hpp"
#include "solvers/portfolio/portfolio_plain.hpp"

namespace polystep::solvers::portfolio {

template <class Lanes>
struct LaneSolver {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  static constexpr std::size_t kWidth = Lanes::kWidth;
  static constexpr std::size_t kChunk = PortfolioTables::kChunk;
  static constexpr std::size_t kSums = PortfolioTables::kSums;

  const PortfolioTables& tables;
  Real risk;
  Real largest{};
  Word idle;                                                              // no value is positive
  Word broken;                                                            // a value is not finite
  alignas(64) double below[PortfolioTables::kMostAssets][kWidth];         // c [chunks * kChunk]
  alignas(64) double z[PortfolioTables::kMostAssets][kWidth];             // [chunks * kChunk]
  alignas(64) std::int64_t subset[PortfolioTables::kMostChunks][kWidth];  // [chunks] a bit per asset
  Word changed;  // of any chunk, since the pass before

  POLYSTEP_INLINE explicit LaneSolver(const PortfolioTables& given)
      : tables(given), risk(Lanes::all(given.risk)) {}

  // As the constructor of Instance.
  POLYSTEP_INLINE void read(const double* values) {
    Real undefined{};
    for (std::size_t asset = 0; asset < tables.assets; ++asset) {
      const Real value = load<Lanes>(values + asset * kLanes);
      largest = Lanes::larger(value, largest);
      undefined += value - value;
    }
    broken = ~(undefined == 0.0);
    idle = largest <= 0.0;
    const Word exponent = kTwiceExponentBias - ((Word)largest >> kExponentShift);
    const Real scale = (Real)((exponent < 1 ? Word{} + 1 : exponent) << kExponentShift);
    const Real top = largest;
    largest = top * scale;
    for (std::size_t asset = 0; asset < tables.assets; ++asset) {
      store(below[asset], (load<Lanes>(values + asset * kLanes) - top) * scale);
    }
    for (std::size_t asset = tables.assets; asset < tables.chunks * kChunk; ++asset) {
      store(below[asset], Lanes::all(-std::numeric_limits<double>::infinity()));
    }
    for (std::size_t chunk = 0; chunk < tables.chunks; ++chunk) store(subset[chunk], Word{});
  }

  POLYSTEP_INLINE bool all_idle() const { return !any(~idle | broken); }

  POLYSTEP_INLINE Real start_tau() const {
    Real total{}, squares{};
    for (std::size_t asset = 0; asset < tables.assets; ++asset) {
      const Real at = Lanes::larger(load<Lanes>(below[asset]), -largest);
      total += at;
      squares += at * at;
    }
    Real count = Lanes::all(static_cast<double>(tables.assets));
    Real tau = meet_risk(Real{}, count, total, squares, risk, largest);
    const Real zero{}, one = Lanes::all(1.0);
    for (int step = 0; step < kStartSteps; ++step) {
      count = total = squares = Real{};
      for (std::size_t asset = 0; asset < tables.assets; ++asset) {
        const Real left = load<Lanes>(below[asset]) + tau;
        const Real z_here = Lanes::larger(left, Real{});
        count = left > zero ? count + one : count;
        total += z_here;
        squares += z_here * z_here;
      }
      tau = meet_risk(tau, count, total, squares, risk, largest);
    }
    return tau;
  }

  // As Holdings::evaluate.
  POLYSTEP_INLINE Residual<Real> evaluate(const DualPoint<Real>& at) {
    Residual<Real> residual;
    const Real zero{};
    changed = Word{};
    for (std::size_t chunk = 0; chunk < tables.chunks; ++chunk) {
      Word held{};
#pragma GCC unroll 5
      for (std::size_t k = 0; k < kChunk; ++k) {
        const std::size_t asset = chunk * kChunk + k;
        const double* const lane_loading = tables.lane_loading(asset);
        Real loading[kFactors];
#pragma GCC unroll 4
        for (std::size_t j = 0; j < kFactors; ++j) loading[j] = load<Lanes>(lane_loading + j * kLanes);
        const Real left = (load<Lanes>(below[asset]) + at.tau) - dot(loading, at.q);
        const Real z_here = Lanes::larger(left, Real{});
        store(z[asset], z_here);
        held = left > zero ? held | (Word{} + (std::int64_t{1} << k)) : held;
        residual.total += z_here;
        residual.squares += z_here * z_here;
#pragma GCC unroll 4
        for (std::size_t j = 0; j < kFactors; ++j) residual.exposure[j] += loading[j] * z_here;
      }
      changed |= held ^ load<Lanes>(subset[chunk]);
      store(subset[chunk], held);
    }
    return residual;
  }

  // As Holdings::sums; each lane adds up rows of its own, which then become columns.
  POLYSTEP_INLINE HeldSums<Real> sums() const {
    constexpr std::size_t kParts = kSums / kWidth;
    Real rows[kParts][kWidth];
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      Real sum[kParts]{};
      for (std::size_t chunk = 0; chunk < tables.chunks; ++chunk) {
        const double* const row = tables.sums(chunk, static_cast<std::size_t>(subset[chunk][lane]));
#pragma GCC unroll 4
        for (std::size_t part = 0; part < kParts; ++part) sum[part] += load<Lanes>(row + part * kWidth);
      }
#pragma GCC unroll 4
      for (std::size_t part = 0; part < kParts; ++part) rows[part][lane] = sum[part];
    }
    HeldSums<Real> held;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      Real columns[kWidth];
      transpose(rows[part], columns);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kWidth; ++k) held.row[part * kWidth + k] = columns[k];
    }
    return held;
  }

  // Newton's method. Returns the scale of each lane's decision, and which lanes did not arrive.
  POLYSTEP_INLINE Real iterate(Word& open) {
    DualPoint<Real> at{start_tau(), {}};
    open = ~(idle | broken);
    Real scale{};
    for (int step = 0; step < kNewtonSteps && any(open); ++step) {
      const Residual<Real> residual = evaluate(at);
      const Word same = (changed == 0) & open;
      if (any(same)) {
        const Certificate<Real> found = certify(at, residual, risk, largest);
        const Word arrived = (found.bound - found.value <= found.bound * kNewtonGap) & same;
        scale = arrived ? found.scale : scale;
        open &= ~arrived;
        if (!any(open)) break;
      }
      const DualPoint<Real> next = newton_step(at, residual, sums(), risk, largest);
      at.tau = open ? next.tau : at.tau;
      for (std::size_t k = 0; k < kFactors; ++k) at.q[k] = open ? next.q[k] : at.q[k];
    }
    return scale;
  }

  static POLYSTEP_INLINE bool any(Word mask) {
    std::int64_t seen = 0;
    for (std::size_t lane = 0; lane < kWidth; ++lane) seen |= mask[lane];
    return seen != 0;
  }

  POLYSTEP_INLINE void report(Real scale, const double* truth, double* realised,
                              std::uint64_t* signature) const {
    Real value{};
    Word hash{};
    for (std::size_t asset = 0; asset < tables.assets; ++asset) {
      const Real held = load<Lanes>(z[asset]) * scale;
      value += load<Lanes>(truth + asset * kLanes) * held;
      hash = (hash << 7 | (hash >> 57 & 127)) ^ (Word)held;
    }
    store(realised, value);
    store(signature, hash);
  }
};

// Solves as many lanes as the vector type has; returns a bit for each lane left to the scalar path.
template <class Lanes>
POLYSTEP_INLINE std::uint32_t solve_lanes(const PortfolioTables& tables, const double* predicted,
                                          const double* truth, double* realised, std::uint64_t* signature) {
  using Word = typename Lanes::Word;
  LaneSolver<Lanes> solver(tables);
  solver.read(predicted);
  if (solver.all_idle()) {
    store(realised, typename Lanes::Real{});
    store(signature, Word{});
    return 0;
  }
  Word open;
  const typename Lanes::Real scale = solver.iterate(open);
  open |= solver.broken;
  solver.report(scale, truth, realised, signature);
  std::uint32_t left_over = 0;
  for (std::size_t lane = 0; lane < Lanes::kWidth; ++lane) {
    left_over |= static_cast<std::uint32_t>(open[lane] != 0) << lane;
  }
  return left_over;
}

}  // namespace polystep::solvers::portfolio
