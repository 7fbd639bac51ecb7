#include "optimizer/tile_products.hpp"

#include "simd/lane_transpose.hpp"

namespace polystep {
namespace {

static_assert(kTileRows % kStripRows == 0);

// Inner products of Left with Right columns; their running sums stay in registers.
template <class Lanes, std::size_t Left, std::size_t Right>
POLYSTEP_INLINE void multiply_group(const double* left, const double* right, double* gram,
                                    std::size_t columns) {
  using Real = typename Lanes::Real;
  static_assert(Left == Lanes::kWidth);
  Real total[Right] = {};  // a lane per left column
  for (std::size_t lane = 0; lane < kStripRows; lane += Lanes::kWidth) {
    Real running[Right][Left] = {};
    for (std::size_t row = lane; row < kTileRows; row += kStripRows) {
      Real b[Right];
      for (std::size_t j = 0; j < Right; ++j) b[j] = simd::load<Lanes>(right + j * kTileRows + row);
      for (std::size_t i = 0; i < Left; ++i) {
        const Real a = simd::load<Lanes>(left + i * kTileRows + row);
        for (std::size_t j = 0; j < Right; ++j) running[j][i] += a * b[j];
      }
    }
    for (std::size_t j = 0; j < Right; ++j) {
      Real in_order[Lanes::kWidth];
      simd::transpose(running[j], in_order);
      for (const Real& sum : in_order) total[j] += sum;
    }
  }
  for (std::size_t j = 0; j < Right; ++j)
    for (std::size_t i = 0; i < Left; ++i) gram[i * columns + j] = total[j][i];
}

template <class Lanes, std::size_t Left, std::size_t Right>
POLYSTEP_INLINE void gram_of_tile(const double* tile, std::size_t rows, std::size_t columns, double* gram) {
  if (rows % kStripRows != 0) {  // the last tile
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t j = i; j < columns; ++j)
        gram[i * columns + j] = tile_dot(tile + i * kTileRows, tile + j * kTileRows, rows);
    return;
  }
  for (std::size_t i = 0; i < columns; i += Left)
    for (std::size_t j = i / Right * Right; j < columns; j += Right)
      multiply_group<Lanes, Left, Right>(tile + i * kTileRows, tile + j * kTileRows, gram + i * columns + j,
                                         columns);
}

// Group columns at once: each of the columns before them is loaded once and taken off all of them, in
// ascending order as for one column alone.
template <class Lanes, std::size_t Group>
POLYSTEP_INLINE void divide_group(double* strip, std::size_t first, const double* r, std::size_t stride) {
  using Real = typename Lanes::Real;
  constexpr std::size_t kParts = kStripRows / Lanes::kWidth;
  double* target = strip + first * kStripRows;
  Real x[Group][kParts];
  for (std::size_t j = 0; j < Group; ++j)
    for (std::size_t part = 0; part < kParts; ++part)
      x[j][part] = simd::load<Lanes>(target + j * kStripRows + part * Lanes::kWidth);
  for (std::size_t i = 0; i < first; ++i) {
    const double* factor = r + i * stride + first;
    Real source[kParts];
    for (std::size_t part = 0; part < kParts; ++part)
      source[part] = simd::load<Lanes>(strip + i * kStripRows + part * Lanes::kWidth);
    for (std::size_t j = 0; j < Group; ++j) {
      const Real factors = Lanes::all(factor[j]);
      for (std::size_t part = 0; part < kParts; ++part) x[j][part] -= factors * source[part];
    }
  }
  for (std::size_t j = 0; j < Group; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const Real factors = Lanes::all(r[(first + i) * stride + first + j]);
      for (std::size_t part = 0; part < kParts; ++part) x[j][part] -= factors * x[i][part];
    }
    const Real diagonal = Lanes::all(r[(first + j) * stride + first + j]);
    for (std::size_t part = 0; part < kParts; ++part) {
      x[j][part] /= diagonal;
      simd::store(target + j * kStripRows + part * Lanes::kWidth, x[j][part]);
    }
  }
}

template <class Lanes>
POLYSTEP_INLINE void divide_strip(double* strip, std::size_t columns, const double* r, std::size_t stride) {
  constexpr std::size_t kGroup = 4;
  std::size_t first = 0;
  for (; first + kGroup <= columns; first += kGroup) divide_group<Lanes, kGroup>(strip, first, r, stride);
  for (; first < columns; ++first) divide_group<Lanes, 1>(strip, first, r, stride);
}

// As many running sums as the registers hold beside what is being multiplied.
void gram_baseline(const double* tile, std::size_t rows, std::size_t columns, double* gram) {
  gram_of_tile<simd::FourLanes, 4, 3>(tile, rows, columns, gram);
}
POLYSTEP_AVX512 void gram_avx512(const double* tile, std::size_t rows, std::size_t columns, double* gram) {
  gram_of_tile<simd::EightLanes, 8, 2>(tile, rows, columns, gram);
}
void divide_baseline(double* strip, std::size_t columns, const double* r, std::size_t stride) {
  divide_strip<simd::FourLanes>(strip, columns, r, stride);
}
POLYSTEP_AVX512 void divide_avx512(double* strip, std::size_t columns, const double* r, std::size_t stride) {
  divide_strip<simd::EightLanes>(strip, columns, r, stride);
}

}  // namespace

double tile_dot(const double* a, const double* b, std::size_t count) {
  double sum[kStripRows] = {};
  std::size_t i = 0;
  for (; i + kStripRows <= count; i += kStripRows)
    for (std::size_t lane = 0; lane < kStripRows; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  double total = 0;
  for (; i < count; ++i) total += a[i] * b[i];
  for (const double part : sum) total += part;
  return total;
}

TileProducts tile_products(simd::InstructionSet set) {
  simd::require_supported(set, "search space");
  if (set == simd::InstructionSet::kAvx512) return {8, gram_avx512, divide_avx512};
  return {12, gram_baseline, divide_baseline};
}

}  // namespace polystep
