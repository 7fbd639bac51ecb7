#include "solvers/portfolio/portfolio_variants.hpp"

#include "polystep/tile.hpp"
#include "solvers/portfolio/portfolio_kernel.hpp"

namespace polystep::solvers {
namespace {

std::uint32_t solve_baseline(const PortfolioTables& tables, const double* predicted, const double* truth,
                             double* realised, std::uint64_t* signature) {
  std::uint32_t left_over = 0;
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    left_over |= portfolio::solve_lanes<FourLanes>(tables, predicted + lane, truth + lane, realised + lane,
                                                   signature + lane)
                 << lane;
  }
  return left_over;
}

POLYSTEP_AVX512 std::uint32_t solve_avx512(const PortfolioTables& tables, const double* predicted,
                                           const double* truth, double* realised, std::uint64_t* signature) {
  return portfolio::solve_lanes<EightLanes>(tables, predicted, truth, realised, signature);
}

}  // namespace

PortfolioSolve portfolio_solve_variant(InstructionSet set) {
  return set == InstructionSet::kAvx512 ? solve_avx512 : solve_baseline;
}

}  // namespace polystep::solvers
