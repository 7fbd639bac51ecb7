#include "simd/row_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simd/float_lanes.hpp"

namespace polystep {
namespace {

// A block of Rows × Vectors sums, whose first is that of row `row` and unit `unit`.
template <class Lanes, std::size_t Rows, std::size_t Vectors>
POLYSTEP_INLINE void multiply_block(const RowProduct& is, std::size_t row, std::size_t unit) {
  using Real = typename Lanes::Real;
  Real sums[Rows][Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) {
    Real first{};
    if (is.bias != nullptr) std::memcpy(&first, is.bias + unit + v * Lanes::kWidth, sizeof(Real));
    for (std::size_t r = 0; r < Rows; ++r) sums[r][v] = first;
  }
  if (is.goes_on)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < Vectors; ++v)
        std::memcpy(&sums[r][v], is.sums + (row + r) * is.sum_stride + unit + v * Lanes::kWidth,
                    sizeof(Real));
  const float* values = is.values + row * is.value_stride;
  const float* weight = is.weight + unit;
  for (std::size_t i = 0; i < is.inputs; ++i, weight += is.units) {
    Real weights[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v)
      std::memcpy(&weights[v], weight + v * Lanes::kWidth, sizeof(Real));
    for (std::size_t r = 0; r < Rows; ++r) {
      const Real value = Lanes::all(values + r * is.value_stride + i);
      for (std::size_t v = 0; v < Vectors; ++v) Lanes::add_product(value, weights[v], sums[r][v]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v) {
      Real sum = sums[r][v];
      if (is.rectified) sum = sum > Real{} ? sum : Real{};
      std::memcpy(is.sums + (row + r) * is.sum_stride + unit + v * Lanes::kWidth, &sum, sizeof(Real));
    }
}

template <class Lanes, std::size_t Rows, std::size_t Vectors>
POLYSTEP_INLINE void multiply_last_rows(const RowProduct& is, std::size_t row, std::size_t left,
                                        std::size_t unit) {
  if constexpr (Rows > 0) {
    if (left == Rows) return multiply_block<Lanes, Rows, Vectors>(is, row, unit);
    multiply_last_rows<Lanes, Rows - 1, Vectors>(is, row, left, unit);
  }
}

template <class Lanes, std::size_t Vectors>
POLYSTEP_INLINE void multiply_columns(const RowProduct& is, std::size_t unit) {
  std::size_t row = 0;
  for (; row + Lanes::kRows <= is.rows; row += Lanes::kRows)
    multiply_block<Lanes, Lanes::kRows, Vectors>(is, row, unit);
  multiply_last_rows<Lanes, Lanes::kRows - 1, Vectors>(is, row, is.rows - row, unit);
}

template <class Lanes>
POLYSTEP_INLINE void multiply_all(const RowProduct& is) {
  constexpr std::size_t kWide = Lanes::kVectors * Lanes::kWidth;
  std::size_t unit = 0;
  for (; unit + kWide <= is.units; unit += kWide) multiply_columns<Lanes, Lanes::kVectors>(is, unit);
  for (; unit < is.units; unit += Lanes::kWidth) multiply_columns<Lanes, 1>(is, unit);
}

void multiply_baseline(const RowProduct& is) { multiply_all<EightFloats>(is); }

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 void multiply_avx512(const RowProduct& is) { multiply_all<SixteenFloats>(is); }
#endif

}  // namespace

void multiply_rows(const RowProduct& product, simd::InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return multiply_avx512(product);
#endif
  (void)set;
  multiply_baseline(product);
}

void multiply_rows_plainly(const RowProduct& is) {
  for (std::size_t row = 0; row < is.rows; ++row)
    for (std::size_t unit = 0; unit < is.units; ++unit) {
      float sum = is.goes_on           ? is.sums[row * is.sum_stride + unit]
                  : is.bias != nullptr ? is.bias[unit]
                                       : 0.0f;
      for (std::size_t i = 0; i < is.inputs; ++i)
        sum = std::fma(is.values[row * is.value_stride + i], is.weight[i * is.units + unit], sum);
      is.sums[row * is.sum_stride + unit] = is.rectified ? std::max(sum, 0.0f) : sum;
    }
}

}  // namespace polystep
