#include "optimizer/dense_columns.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/tile_products.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// What rounding to the stored precision leaves of orthonormality, with room to spare.
template <class Real>
constexpr double kOrthonormalTolerance = sizeof(Real) == sizeof(double) ? 1e-13 : 2e-7;
constexpr int kMostPasses = 6;
constexpr std::size_t kSlotRows = 2048;         // of sums of columns: one slot's share stays in a cache
constexpr std::size_t kStripsPerSlot = 16;      // where strips do not depend on each other
constexpr std::size_t kWaveEntries = 1u << 24;  // of tiles' products that wait to be added up in order

std::size_t slots_of(std::size_t count, std::size_t per_slot) { return (count + per_slot - 1) / per_slot; }

double distance_from_identity(const std::vector<double>& gram, std::size_t columns) {
  double largest = 0;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = i; j < columns; ++j)
      largest = std::max(largest, std::abs(gram[i * columns + j] - (i == j ? 1.0 : 0.0)));
  return largest;
}

// gram = R^T R in place, R upper triangular with a positive diagonal. False if gram is not positive definite.
bool cholesky(std::vector<double>& gram, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = gram.data() + i * n;
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = gram[k * n + i];
      for (std::size_t j = i; j < n; ++j) row[j] -= factor * gram[k * n + j];
    }
    if (!(row[i] > 0)) return false;
    const double diagonal = std::sqrt(row[i]);
    for (std::size_t j = i; j < n; ++j) row[j] /= diagonal;
  }
  return true;
}

// Whether the columns behind R are so nearly orthogonal and of one length that dividing by R loses nothing
// worth a second pass; random columns of many rows always are.
bool is_nearly_orthogonal(const std::vector<double>& r, std::size_t columns) {
  double shortest = r[0], longest = 0, aslant = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    shortest = std::min(shortest, r[i * columns + i]);
    longest = std::max(longest, r[i * columns + i]);
    double sum = 0;
    for (std::size_t j = i + 1; j < columns; ++j) sum += std::abs(r[i * columns + j]);
    aslant = std::max(aslant, sum);
  }
  return longest < 2 * shortest && aslant < shortest;
}

// Columns start on cache lines, an odd number of lines apart: a power of two would put the same row of all
// columns into the same few places of a cache.
template <class Real>
std::size_t stride_for(std::size_t rows) {
  constexpr std::size_t kPerLine = 64 / sizeof(Real);
  return ((rows + kPerLine - 1) / kPerLine | 1) * kPerLine;
}

}  // namespace

template <class Real>
ColumnsOf<Real>::ColumnsOf(std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), stride_(stride_for<Real>(rows)), value_(stride_ * columns) {}

// One slot's rows of the sum.
template <class Real>
void ColumnsOf<Real>::add_rows(std::size_t first, std::span<const double> coefficients, std::size_t slot,
                               std::span<double> out) const {
  const std::size_t top = slot * kSlotRows;
  const std::size_t height = std::min(kSlotRows, rows_ - top);
  double* target = out.data() + top;
  for (std::size_t c = 0; c < coefficients.size(); ++c) {
    const double factor = coefficients[c];
    const Real* source = value_.data() + (first + c) * stride_ + top;
    for (std::size_t i = 0; i < height; ++i) target[i] += factor * source[i];
  }
}

template <class Real>
void ColumnsOf<Real>::add_to(std::size_t first, std::span<const double> coefficients, std::span<double> out,
                             const ParallelFor& parallel) const {
  for_each_slot(parallel, slots_of(rows_, kSlotRows),
                [&](std::size_t slot) { add_rows(first, coefficients, slot, out); });
}

template <class Real>
void ColumnsOf<Real>::combine(std::size_t first, std::span<const double> coefficients, std::span<double> out,
                              const ParallelFor& parallel) const {
  for_each_slot(parallel, slots_of(rows_, kSlotRows), [&](std::size_t slot) {
    const std::size_t top = slot * kSlotRows;
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(top), std::min(kSlotRows, rows_ - top), 0.0);
    add_rows(first, coefficients, slot, out);
  });
}

template <class Real>
void ColumnsOf<Real>::draw_gaussian(std::uint64_t seed, std::uint64_t index, std::size_t first,
                                    const ParallelFor& parallel) {
  for_each_slot(parallel, columns_ - first, [&](std::size_t slot) {
    RandomStream(seed, Purpose::kBasis, index, first + slot).fill_normal(column(first + slot));
  });
}

// X^T X, its upper triangle, [columns × columns]. The products of a number of tiles are found side by side
// and then added tile after tile, so that every entry is summed in the order of rows.
template <class Real>
void ColumnsOf<Real>::gram_matrix(std::vector<double>& gram, const ParallelFor& parallel) const {
  const TileProducts products = tile_products();
  const std::size_t padded = slots_of(columns_, products.column_group) * products.column_group;
  const std::size_t tiles = slots_of(rows_, kTileRows);
  const std::size_t wave = std::clamp<std::size_t>(kWaveEntries / (padded * padded), 4, 64);
  std::vector<double> waiting(std::min(wave, tiles) * padded *
                              padded);  // [tiles of a wave × padded × padded]
  gram.assign(columns_ * columns_, 0.0);
  for (std::size_t begin = 0; begin < tiles; begin += wave) {
    const std::size_t count = std::min(wave, tiles - begin);
    for_each_slot(parallel, count, [&](std::size_t slot) {
      static thread_local AlignedDoubles tile;
      tile.resize(padded * kTileRows);
      const std::size_t top = (begin + slot) * kTileRows, height = std::min(kTileRows, rows_ - top);
      for (std::size_t j = 0; j < columns_; ++j) {
        double* packed = tile.data() + j * kTileRows;
        std::copy_n(value_.data() + j * stride_ + top, height, packed);
        std::fill(packed + height, packed + kTileRows, 0.0);
      }
      std::fill(tile.data() + columns_ * kTileRows, tile.data() + tile.size(), 0.0);
      products.gram(tile.data(), height, padded, waiting.data() + slot * padded * padded);
    });
    for_each_slot(parallel, columns_, [&](std::size_t i) {
      for (std::size_t slot = 0; slot < count; ++slot) {
        const double* found = waiting.data() + (slot * padded + i) * padded;
        for (std::size_t j = i; j < columns_; ++j) gram[i * columns_ + j] += found[j];
      }
    });
  }
}

// X = X R^-1.
template <class Real>
void ColumnsOf<Real>::divide_by(const std::vector<double>& r, const ParallelFor& parallel) {
  const TileProducts products = tile_products();
  constexpr std::size_t kRows = kStripsPerSlot * kStripRows;
  for_each_slot(parallel, slots_of(rows_, kRows), [&](std::size_t slot) {
    static thread_local AlignedDoubles strips;  // [strips × columns × kStripRows]
    strips.resize(kRows * columns_);
    const std::size_t top = slot * kRows, height = std::min(kRows, rows_ - top);
    if (height % kStripRows != 0) std::fill(strips.begin(), strips.end(), 0.0);
    const auto entry = [&](std::size_t row, std::size_t j) {
      return strips.data() + (row / kStripRows * columns_ + j) * kStripRows + row % kStripRows;
    };
    for (std::size_t j = 0; j < columns_; ++j) {
      const Real* column = value_.data() + j * stride_ + top;
      for (std::size_t row = 0; row < height; row += kStripRows)
        std::copy_n(column + row, std::min(kStripRows, height - row), entry(row, j));
    }
    for (std::size_t row = 0; row < height; row += kStripRows)
      products.divide(entry(row, 0), columns_, r.data(), columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      Real* column = value_.data() + j * stride_ + top;
      for (std::size_t row = 0; row < height; row += kStripRows)
        std::transform(entry(row, j), entry(row, j) + std::min(kStripRows, height - row), column + row,
                       [](double x) { return static_cast<Real>(x); });
    }
  });
}

// Cholesky QR, repeated until the columns are orthonormal: it reads the matrix in cache-sized tiles, which a
// Householder factorisation of half a million rows cannot. One pass leaves an error of the squared condition
// number times rounding; a second removes it. A matrix too ill-conditioned for the first pass gets its
// diagonal lifted, which a later pass undoes.
template <class Real>
void ColumnsOf<Real>::orthonormalize(const ParallelFor& parallel) {
  std::vector<double> gram;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    gram_matrix(gram, parallel);
    if (distance_from_identity(gram, columns_) < kOrthonormalTolerance<Real>) return;
    std::vector<double> factor = gram;
    double trace = 0;
    for (std::size_t i = 0; i < columns_; ++i) trace += gram[i * columns_ + i];
    for (double lift = 1e-13 * trace; !cholesky(factor, columns_); lift *= 100) {
      if (!(lift <= trace))
        throw InputError("search space: basis columns are not finite, expected finite numbers");
      factor = gram;
      for (std::size_t i = 0; i < columns_; ++i) factor[i * columns_ + i] += lift;
    }
    divide_by(factor, parallel);
    if (is_nearly_orthogonal(factor, columns_)) return;
  }
}

template class ColumnsOf<double>;
template class ColumnsOf<float>;

}  // namespace polystep
