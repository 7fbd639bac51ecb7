// The tile kernel of the portfolio, compiled for each instruction set.
#pragma once

#include <cstdint>

#include "simd/lanes.hpp"
#include "solvers/portfolio/portfolio_tables.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

// Decides eight lanes by Newton's method. A bit of the result is set for each lane on which it did not arrive
// or whose values are not finite; such a lane is left to the scalar path.
using PortfolioSolve = std::uint32_t (*)(const PortfolioTables& tables, const double* predicted,
                                         const double* truth, double* realised, std::uint64_t* signature);

PortfolioSolve portfolio_solve_variant(InstructionSet set);

}  // namespace polystep::solvers
