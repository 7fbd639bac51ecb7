#include "optimizer/dense_columns.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kTileRows = 128;  // a tile of a few hundred columns stays in the second-level cache
constexpr std::size_t kAccumulators = 8;
constexpr double kOrthonormalTolerance = 1e-13;
constexpr int kMostPasses = 6;

// Eight running sums let the compiler use vector instructions without changing the order of additions.
double dot(const double* a, const double* b, std::size_t count) {
  double sum[kAccumulators] = {};
  std::size_t i = 0;
  for (; i + kAccumulators <= count; i += kAccumulators)
    for (std::size_t lane = 0; lane < kAccumulators; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  double total = 0;
  for (; i < count; ++i) total += a[i] * b[i];
  for (const double part : sum) total += part;
  return total;
}

// X^T X, its upper triangle, [columns × columns]; summed tile by tile so that X is read once.
void gram_matrix(const double* x, std::size_t rows, std::size_t columns, std::vector<double>& gram) {
  gram.assign(columns * columns, 0.0);
  for (std::size_t top = 0; top < rows; top += kTileRows) {
    const std::size_t height = std::min(kTileRows, rows - top);
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t j = i; j < columns; ++j)
        gram[i * columns + j] += dot(x + i * rows + top, x + j * rows + top, height);
  }
}

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

// X = X R^-1.
void solve_right(double* x, std::size_t rows, std::size_t columns, const std::vector<double>& r) {
  for (std::size_t top = 0; top < rows; top += kTileRows) {
    const std::size_t height = std::min(kTileRows, rows - top);
    for (std::size_t j = 0; j < columns; ++j) {
      double* target = x + j * rows + top;
      for (std::size_t i = 0; i < j; ++i) {
        const double factor = r[i * columns + j];
        const double* source = x + i * rows + top;
        for (std::size_t k = 0; k < height; ++k) target[k] -= factor * source[k];
      }
      for (std::size_t k = 0; k < height; ++k) target[k] /= r[j * columns + j];
    }
  }
}

}  // namespace

void DenseColumns::add_to(std::size_t first, std::span<const double> coefficients,
                          std::span<double> out) const {
  constexpr std::size_t kRows = 2048;
  for (std::size_t top = 0; top < rows_; top += kRows) {
    const std::size_t height = std::min(kRows, rows_ - top);
    for (std::size_t c = 0; c < coefficients.size(); ++c) {
      const double factor = coefficients[c];
      const double* source = value_.data() + (first + c) * rows_ + top;
      double* target = out.data() + top;
      for (std::size_t i = 0; i < height; ++i) target[i] += factor * source[i];
    }
  }
}

void DenseColumns::draw_gaussian(std::uint64_t seed, std::uint64_t index, std::size_t first) {
  for (std::size_t j = first; j < columns_; ++j)
    RandomStream(seed, Purpose::kBasis, index, j).fill_normal(column(j));
}

// Cholesky QR, repeated until the columns are orthonormal: it reads the matrix in cache-sized tiles, which a
// Householder factorisation of half a million rows cannot. One pass leaves an error of the squared condition
// number times rounding; a second removes it. A matrix too ill-conditioned for the first pass gets its
// diagonal lifted, which a later pass undoes.
void DenseColumns::orthonormalize() {
  std::vector<double> gram;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    gram_matrix(value_.data(), rows_, columns_, gram);
    if (distance_from_identity(gram, columns_) < kOrthonormalTolerance) return;
    std::vector<double> factor = gram;
    double trace = 0;
    for (std::size_t i = 0; i < columns_; ++i) trace += gram[i * columns_ + i];
    for (double lift = 1e-13 * trace; !cholesky(factor, columns_); lift *= 100) {
      if (!(lift <= trace))
        throw InputError("search space: basis columns are not finite, expected finite numbers");
      factor = gram;
      for (std::size_t i = 0; i < columns_; ++i) factor[i * columns_ + i] += lift;
    }
    solve_right(value_.data(), rows_, columns_, factor);
    if (is_nearly_orthogonal(factor, columns_)) return;
  }
}

}  // namespace polystep
