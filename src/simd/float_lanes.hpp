// Vectors of single-precision numbers for kernels of products, and how large a block of sums registers hold.
#pragma once

#include <cmath>
#include <cstddef>

#include "simd/lanes.hpp"

namespace polystep {

// Fused multiply-adds must be asked for: the program is compiled not to make any of its own accord.
#if POLYSTEP_HAS_AVX512_VARIANT
struct SixteenFloats {
  static constexpr std::size_t kWidth = 16;
  // A block of sums: as many as fit into registers beside the weights.
  static constexpr std::size_t kRows = 5;
  static constexpr std::size_t kVectors = 4;
  typedef float Real __attribute__((vector_size(64)));

  static POLYSTEP_INLINE Real all(const float* x) {
    Real lanes;
    asm("vbroadcastss %1, %0" : "=v"(lanes) : "m"(*x));
    return lanes;
  }
  static POLYSTEP_INLINE void add_product(Real a, Real b, Real& sum) {
    asm("vfmadd231ps %1, %2, %0" : "+v"(sum) : "v"(a), "v"(b));
  }
};
#endif

struct EightFloats {
  static constexpr std::size_t kWidth = 8;
  static constexpr std::size_t kRows = 6;
  static constexpr std::size_t kVectors = 2;
  typedef float Real __attribute__((vector_size(32)));

  static POLYSTEP_INLINE Real all(const float* x) { return Real{*x, *x, *x, *x, *x, *x, *x, *x}; }
  static POLYSTEP_INLINE void add_product(Real a, Real b, Real& sum) {
#if defined(__FMA__)
    asm("vfmadd231ps %1, %2, %0" : "+x"(sum) : "x"(a), "x"(b));
#else
    for (std::size_t i = 0; i < kWidth; ++i) sum[i] = std::fma(a[i], b[i], sum[i]);
#endif
  }
};

}  // namespace polystep
