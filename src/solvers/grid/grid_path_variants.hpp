// The compiled variants of the grid kernels: by instruction set, and the 5 × 5 grid of the benchmarks apart.
#pragma once

#include <cstdint>

#include "simd/lanes.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

using GridSolve = void (*)(int side, const double* predicted, const double* truth, double* realised,
                           std::uint64_t* signature);
using GridMargins = bool (*)(int side, const double* predicted, double* margin);

GridSolve grid_solve_variant(int side, InstructionSet set);
GridMargins grid_margins_variant(int side, InstructionSet set);

}  // namespace polystep::solvers
