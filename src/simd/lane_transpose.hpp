// Turns the rows of a square block of lanes into its columns.
//
// Written as instructions for eight lanes: kernels are compiled before they become part of an AVX-512
// function, and g++ 12 would by then have taken a shuffle of eight lanes apart.
#pragma once

#include "simd/lanes.hpp"

namespace polystep::simd {

#if POLYSTEP_HAS_AVX512_VARIANT

// Even or odd lanes of two rows, alternating.
template <bool odd>
POLYSTEP_INLINE EightLanes::Real interleave(EightLanes::Real a, EightLanes::Real b) {
  EightLanes::Real lanes;
  if constexpr (odd) {
    asm("vunpckhpd %2, %1, %0" : "=v"(lanes) : "v"(a), "v"(b));
  } else {
    asm("vunpcklpd %2, %1, %0" : "=v"(lanes) : "v"(a), "v"(b));
  }
  return lanes;
}

// Even or odd pairs of lanes of a, then those of b.
template <bool odd>
POLYSTEP_INLINE EightLanes::Real pairs(EightLanes::Real a, EightLanes::Real b) {
  EightLanes::Real lanes;
  if constexpr (odd) {
    asm("vshuff64x2 $0xdd, %2, %1, %0" : "=v"(lanes) : "v"(a), "v"(b));
  } else {
    asm("vshuff64x2 $0x88, %2, %1, %0" : "=v"(lanes) : "v"(a), "v"(b));
  }
  return lanes;
}

// Columns of one parity: block[first], block[first + 2], ...
template <bool odd>
POLYSTEP_INLINE void parity_columns(const EightLanes::Real (&row)[8], EightLanes::Real (&column)[8]) {
  const auto ab = interleave<odd>(row[0], row[1]), cd = interleave<odd>(row[2], row[3]);
  const auto ef = interleave<odd>(row[4], row[5]), gh = interleave<odd>(row[6], row[7]);
  const auto low = pairs<false>(ab, cd), high = pairs<true>(ab, cd);
  const auto low_end = pairs<false>(ef, gh), high_end = pairs<true>(ef, gh);
  constexpr std::size_t first = odd ? 1 : 0;
  column[first] = pairs<false>(low, low_end);
  column[first + 2] = pairs<false>(high, high_end);
  column[first + 4] = pairs<true>(low, low_end);
  column[first + 6] = pairs<true>(high, high_end);
}

POLYSTEP_INLINE void transpose(const EightLanes::Real (&row)[8], EightLanes::Real (&column)[8]) {
  parity_columns<false>(row, column);
  parity_columns<true>(row, column);
}

#endif

POLYSTEP_INLINE void transpose(const FourLanes::Real (&row)[4], FourLanes::Real (&column)[4]) {
  const auto even = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6),
             odd = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7),
             even_end = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6),
             odd_end = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
  column[0] = __builtin_shufflevector(even, even_end, 0, 1, 4, 5);
  column[1] = __builtin_shufflevector(odd, odd_end, 0, 1, 4, 5);
  column[2] = __builtin_shufflevector(even, even_end, 2, 3, 6, 7);
  column[3] = __builtin_shufflevector(odd, odd_end, 2, 3, 6, 7);
}

template <class Real, std::size_t width>
POLYSTEP_INLINE void transpose(const Real (&row)[width], Real (&column)[width]) {
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t lane = 0; lane < width; ++lane) column[k][lane] = row[lane][k];
  }
}

}  // namespace polystep::simd
