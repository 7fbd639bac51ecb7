#include "solvers/grid/grid_path_variants.hpp"

#include "solvers/grid/grid_margins_kernel.hpp"
#include "solvers/grid/grid_path_kernel.hpp"

namespace polystep::solvers {
namespace {

constexpr int kBenchmarkSide = 5;  // unrolled completely: the row lives in registers
constexpr int kAnySide = 0;

template <int Side>
void solve_baseline(int side, const double* predicted, const double* truth, double* realised,
                    std::uint64_t* signature) {
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    grid_solve<FourLanes, Side>(side, predicted + lane, truth + lane, realised + lane, signature + lane);
  }
}

template <int Side>
POLYSTEP_AVX512 void solve_avx512(int side, const double* predicted, const double* truth, double* realised,
                                  std::uint64_t* signature) {
  grid_solve<EightLanes, Side>(side, predicted, truth, realised, signature);
}

template <int Side>
bool margins_baseline(int side, const double* predicted, double* margin) {
  bool finite = true;
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    finite &= grid_margins<FourLanes, Side>(Side != 0 ? Side : side, predicted + lane, margin + lane);
  }
  return finite;
}

template <int Side>
POLYSTEP_AVX512 bool margins_avx512(int side, const double* predicted, double* margin) {
  return grid_margins<EightLanes, Side>(Side != 0 ? Side : side, predicted, margin);
}

}  // namespace

GridSolve grid_solve_variant(int side, InstructionSet set) {
  const bool wide = set == InstructionSet::kAvx512;
  if (side == kBenchmarkSide) return wide ? solve_avx512<kBenchmarkSide> : solve_baseline<kBenchmarkSide>;
  return wide ? solve_avx512<kAnySide> : solve_baseline<kAnySide>;
}

GridMargins grid_margins_variant(int side, InstructionSet set) {
  const bool wide = set == InstructionSet::kAvx512;
  if (side == kBenchmarkSide) return wide ? margins_avx512<kBenchmarkSide> : margins_baseline<kBenchmarkSide>;
  return wide ? margins_avx512<kAnySide> : margins_baseline<kAnySide>;
}

}  // namespace polystep::solvers
