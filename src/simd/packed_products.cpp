#include "simd/packed_products.hpp"

#include <cstring>

#include "simd/float_lanes.hpp"

namespace polystep {
namespace {

struct Block {
  const float* values;  // [depth × kPackedRows]
  const float* panel;   // [depth × width]
  std::size_t depth, width;
  float* sums;  // [rows × width]
  std::size_t stride, rows;
  bool first;  // sums start here; else they go on
};

template <class Lanes, std::size_t Rows, std::size_t Vectors>
POLYSTEP_INLINE void multiply_block(const Block& is, std::size_t column) {
  using Real = typename Lanes::Real;
  Real sums[Rows][Vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v) sums[r][v] = Real{};
  if (!is.first)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < Vectors; ++v)
        std::memcpy(&sums[r][v], is.sums + r * is.stride + column + v * Lanes::kWidth, sizeof(Real));
  const float* values = is.values;
  const float* panel = is.panel + column;
  for (std::size_t i = 0; i < is.depth; ++i, values += kPackedRows, panel += is.width) {
    Real columns[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v)
      std::memcpy(&columns[v], panel + v * Lanes::kWidth, sizeof(Real));
    for (std::size_t r = 0; r < Rows; ++r) {
      const Real value = Lanes::all(values + r);
      for (std::size_t v = 0; v < Vectors; ++v) Lanes::add_product(value, columns[v], sums[r][v]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v)
      std::memcpy(is.sums + r * is.stride + column + v * Lanes::kWidth, &sums[r][v], sizeof(Real));
}

template <class Lanes, std::size_t Rows>
POLYSTEP_INLINE void multiply_columns(const Block& is) {
  constexpr std::size_t kWide = Lanes::kVectors * Lanes::kWidth;
  std::size_t column = 0;
  for (; column + kWide <= is.width; column += kWide)
    multiply_block<Lanes, Rows, Lanes::kVectors>(is, column);
  for (; column < is.width; column += Lanes::kWidth) multiply_block<Lanes, Rows, 1>(is, column);
}

// The rows that are left of a last block.
template <class Lanes, std::size_t Rows>
POLYSTEP_INLINE void multiply_last(const Block& is) {
  if constexpr (Rows > 0) {
    if (is.rows == Rows) return multiply_columns<Lanes, Rows>(is);
    multiply_last<Lanes, Rows - 1>(is);
  }
}

template <class Lanes>
POLYSTEP_INLINE void multiply_all(const PackedRows& rows, const float* panel, std::size_t width, float* sums,
                                  std::size_t stride) {
  // A piece of the panel stays in the innermost cache for all rows.
  for (std::size_t first = 0; first < rows.inputs(); first += kPackedDepth)
    for (std::size_t block = 0; block < rows.blocks(); ++block) {
      const Block is{.values = rows.values(block, first),
                     .panel = panel + first * width,
                     .depth = rows.depth(block, first),
                     .width = width,
                     .sums = sums + block * kPackedRows * stride,
                     .stride = stride,
                     .rows = std::min(kPackedRows, rows.rows() - block * kPackedRows),
                     .first = first == 0};
      if (is.depth == 0) continue;
      if (is.rows == kPackedRows)
        multiply_columns<Lanes, kPackedRows>(is);
      else
        multiply_last<Lanes, kPackedRows - 1>(is);
    }
}

void multiply_baseline(const PackedRows& rows, const float* panel, std::size_t width, float* sums,
                       std::size_t stride) {
  multiply_all<EightFloats>(rows, panel, width, sums, stride);
}

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 void multiply_avx512(const PackedRows& rows, const float* panel, std::size_t width,
                                     float* sums, std::size_t stride) {
  multiply_all<SixteenFloats>(rows, panel, width, sums, stride);
}
#endif

}  // namespace

void multiply_packed(const PackedRows& rows, const float* panel, std::size_t width, float* sums,
                     std::size_t stride, simd::InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return multiply_avx512(rows, panel, width, sums, stride);
#endif
  (void)set;
  multiply_baseline(rows, panel, width, sums, stride);
}

}  // namespace polystep
