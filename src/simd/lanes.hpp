// The vector types that tile kernels are written in, and the choice of instruction set at run time.
//
// A kernel is a template over its vector width, forced inline into one function per instruction set: eight
// doubles at once with AVX-512, otherwise four at a time (AVX2, or whatever the compiler makes of it
// elsewhere), the two halves of a tile one after the other. Kernels use only operations that act on each lane
// alone, so every variant gives the same bits. Tiles need no alignment beyond that of double, but should
// start on a 64-byte line where speed counts: off the line every load of eight doubles touches two lines, and
// the AVX-512 kernels run at half their speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "polystep/error.hpp"

// Code that must become part of the function it is called from, and so be compiled for that function's
// instruction set.
#define POLYSTEP_INLINE inline __attribute__((always_inline))

// clang knows no operands of 64 bytes in a function of the baseline, and so has the baseline alone.
#if defined(__x86_64__) && !defined(__clang__)
#define POLYSTEP_HAS_AVX512_VARIANT 1
#define POLYSTEP_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")))
#else
#define POLYSTEP_HAS_AVX512_VARIANT 0
#define POLYSTEP_AVX512
#endif

namespace polystep::simd {

enum class InstructionSet {
  kBaseline,  // what the whole program is compiled for
  kAvx512,
};

inline bool is_supported(InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == InstructionSet::kAvx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  }
#endif
  return set == InstructionSet::kBaseline;
}

inline InstructionSet best_instruction_set() {
  static const InstructionSet best =
      is_supported(InstructionSet::kAvx512) ? InstructionSet::kAvx512 : InstructionSet::kBaseline;
  return best;
}

inline void require_supported(InstructionSet set, std::string_view solver) {
  if (!is_supported(set)) {
    throw InputError(std::string(solver) + ": AVX-512 was asked for, but this processor does not have it");
  }
}

struct EightLanes {
  static constexpr std::size_t kWidth = 8;
  typedef double Real __attribute__((vector_size(64)));
  typedef std::int64_t Word
      __attribute__((vector_size(64)));  // whole numbers, bits, and the result of a comparison

  static POLYSTEP_INLINE Real all(double x) {
#if POLYSTEP_HAS_AVX512_VARIANT  // g++ 12 would assemble the eight lanes one after the other
    Real lanes;
    asm("vbroadcastsd %1, %0" : "=v"(lanes) : "v"(x));
    return lanes;
#else
    return Real{x, x, x, x, x, x, x, x};
#endif
  }
  // The second argument where both are equal or one is not a number, like the processor's own instructions.
  static POLYSTEP_INLINE Real smaller(Real a, Real b) { return a < b ? a : b; }
  static POLYSTEP_INLINE Real larger(Real a, Real b) { return a > b ? a : b; }
};

struct FourLanes {
  static constexpr std::size_t kWidth = 4;
  typedef double Real __attribute__((vector_size(32)));
  typedef std::int64_t Word __attribute__((vector_size(32)));

  static POLYSTEP_INLINE Real all(double x) { return Real{x, x, x, x}; }
#if defined(__AVX__)  // g++ 12 finds these instructions for eight lanes but not for four
  static POLYSTEP_INLINE Real smaller(Real a, Real b) { return __builtin_ia32_minpd256(a, b); }
  static POLYSTEP_INLINE Real larger(Real a, Real b) { return __builtin_ia32_maxpd256(a, b); }
#else
  static POLYSTEP_INLINE Real smaller(Real a, Real b) { return a < b ? a : b; }
  static POLYSTEP_INLINE Real larger(Real a, Real b) { return a > b ? a : b; }
#endif
};

template <class Lanes>
POLYSTEP_INLINE typename Lanes::Real load(const double* from) {
  typename Lanes::Real lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

template <class Lanes>
POLYSTEP_INLINE typename Lanes::Word load(const std::int64_t* from) {
  typename Lanes::Word lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

template <class Vector, class Element>
POLYSTEP_INLINE void store(Element* to, const Vector& lanes) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

}  // namespace polystep::simd
