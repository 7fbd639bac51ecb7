// The portfolio with a risk limit, exactly: maximise v.x with x >= 0, sum x <= 1 and x' Sigma x <= gamma,
// where Sigma = L L' + s I has up to four factors and one specific variance s > 0.
//
// Values may be any finite numbers; if none is positive the answer is x = 0. The method is Newton's on the
// five-variable dual (portfolio_newton.hpp); an instance on which it does not arrive in a few steps goes to
// nested bisection (portfolio_guarded.hpp). What is guaranteed:
//   - every decision is feasible up to the last digits, and its value within 1e-9 of an upper bound that is
//     computed along with it (within 1e-12 where Newton's method arrived);
//   - solve and solve_tile give the same decisions, bit for bit, with any instruction set, and they depend on
//     nothing but the values;
//   - values multiplied by a power of two give the same decision, bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "simd/lanes.hpp"
#include "solvers/portfolio/portfolio_tables.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

class Portfolio {
 public:
  // loadings: L [assets × factors], 0 to 4 factors
  Portfolio(std::span<const double> loadings, std::size_t assets, double specific_variance, double risk_limit,
            InstructionSet set = best_instruction_set());

  std::size_t assets() const { return tables_->assets; }

  // The best decision. False, and x = 0, where a value is not finite or the bound was not met, which takes
  // loadings thousands of times the specific deviation. values, decision: [assets]
  bool solve(std::span<const double> values, std::span<double> decision) const;

  // Decides eight lanes by predicted values and reports what the decisions are worth under the true ones,
  // added up asset by asset. Returns a bit for each lane that solve would answer with false.
  // predicted, truth: [assets × kLanes]; realised, signature: [kLanes]
  std::uint32_t solve_tile(const double* predicted, const double* truth, double* realised,
                           std::uint64_t* signature) const;

  // A hash of the decision's bits.
  static std::uint64_t signature(std::span<const double> decision);

 private:
  using SolveKernel = std::uint32_t (*)(const PortfolioTables&, const double*, const double*, double*,
                                        std::uint64_t*);

  std::shared_ptr<const PortfolioTables> tables_;
  SolveKernel solve_kernel_;
};

}  // namespace polystep::solvers
