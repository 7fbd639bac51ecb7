#include "optimizer/principal_directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace polystep {
namespace {

constexpr double kTinySquaredNorm = 1e-20;
constexpr double kRelativeRank =
    1e-12;  // squared singular values below this share of the largest are rounding noise
constexpr int kMostSweeps = 60;

// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi rotations.
struct SymmetricEigen {
  std::size_t n;
  std::vector<double> matrix;  // [n × n]; ends diagonal
  std::vector<double> vector;  // [n × n], eigenvectors in columns

  explicit SymmetricEigen(std::size_t size, std::vector<double> symmetric)
      : n(size), matrix(std::move(symmetric)), vector(size * size, 0.0) {
    for (std::size_t i = 0; i < n; ++i) vector[i * n + i] = 1;
    for (int sweep = 0; sweep < kMostSweeps && off_diagonal() > 0; ++sweep)
      for (std::size_t p = 0; p + 1 < n; ++p)
        for (std::size_t q = p + 1; q < n; ++q) eliminate(p, q);
  }

  double off_diagonal() const {
    double largest = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) largest = std::max(largest, std::abs(matrix[p * n + q]));
    return largest;
  }

  void eliminate(std::size_t p, std::size_t q) {
    const double coupling = matrix[p * n + q];
    if (coupling == 0) return;
    const double ratio = (matrix[q * n + q] - matrix[p * n + p]) / (2 * coupling);
    const double tangent = (ratio < 0 ? -1.0 : 1.0) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
    const double cosine = 1 / std::sqrt(tangent * tangent + 1);
    const double sine = tangent * cosine;
    for (std::size_t k = 0; k < n; ++k) turn(matrix[k * n + p], matrix[k * n + q], cosine, sine);
    for (std::size_t k = 0; k < n; ++k) turn(matrix[p * n + k], matrix[q * n + k], cosine, sine);
    for (std::size_t k = 0; k < n; ++k) turn(vector[k * n + p], vector[k * n + q], cosine, sine);
    matrix[p * n + q] = matrix[q * n + p] = 0;
  }

  static void turn(double& a, double& b, double cosine, double sine) {
    const double old_a = a;
    a = cosine * old_a - sine * b;
    b = sine * old_a + cosine * b;
  }
};

template <class Real>
double inner_product(std::span<const Real> a, std::span<const Real> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  return sum;
}

// outputs[k] = sum over i of factors[k][i] * vectors[i], added in that order for every entry. What a slot
// reads stays in a cache for all outputs.
template <class Real>
void combine(std::span<const std::span<const Real>> vectors, const std::vector<std::vector<double>>& factors,
             std::span<const std::span<Real>> outputs, const ParallelFor& parallel) {
  constexpr std::size_t kSlot = 4096;
  const std::size_t size = vectors.front().size();
  for_each_slot(parallel, (size + kSlot - 1) / kSlot, [&](std::size_t slot) {
    const std::size_t first = slot * kSlot, count = std::min(kSlot, size - first);
    std::array<double, kSlot> sum;
    for (std::size_t out = 0; out < factors.size(); ++out) {
      std::fill_n(sum.begin(), count, 0.0);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        const double factor = factors[out][i];
        const Real* from = vectors[i].data() + first;
        for (std::size_t k = 0; k < count; ++k) sum[k] += factor * from[k];
      }
      for (std::size_t k = 0; k < count; ++k) outputs[out][first + k] = static_cast<Real>(sum[k]);
    }
  });
}

}  // namespace

template <class Real>
std::size_t principal_directions(std::span<const std::span<const Real>> vectors,
                                 std::span<const std::span<Real>> outputs, const ParallelFor& parallel) {
  const std::size_t n = vectors.size();
  std::vector<double> gram(n * n);
  for_each_slot(parallel, n * n, [&](std::size_t slot) {
    const std::size_t i = slot / n, j = slot % n;
    if (i <= j) gram[i * n + j] = gram[j * n + i] = inner_product(vectors[i], vectors[j]);
  });
  return principal_directions<Real>(vectors, std::move(gram), outputs, parallel);
}

template <class Real>
std::size_t principal_directions(std::span<const std::span<const Real>> vectors, std::vector<double> gram,
                                 std::span<const std::span<Real>> outputs, const ParallelFor& parallel) {
  const std::size_t n = vectors.size();
  double squared_norm = 0;
  for (std::size_t i = 0; i < n; ++i) squared_norm += gram[i * n + i];
  if (!std::isfinite(squared_norm) || squared_norm < kTinySquaredNorm) return 0;

  const SymmetricEigen eigen(n, std::move(gram));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return eigen.matrix[a * n + a] > eigen.matrix[b * n + b];
  });
  const double largest = eigen.matrix[order[0] * n + order[0]];
  std::vector<std::vector<double>> factors;  // [directions × vectors]
  while (factors.size() < std::min(outputs.size(), n)) {
    const std::size_t pick = order[factors.size()];
    const double square = eigen.matrix[pick * n + pick];  // of the singular value
    if (square <= kRelativeRank * largest) break;
    factors.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) factors.back()[i] = eigen.vector[i * n + pick] / std::sqrt(square);
  }
  combine<Real>(vectors, factors, outputs, parallel);
  return factors.size();
}

template std::size_t principal_directions(std::span<const std::span<const double>>,
                                          std::span<const std::span<double>>, const ParallelFor&);
template std::size_t principal_directions(std::span<const std::span<const float>>,
                                          std::span<const std::span<float>>, const ParallelFor&);
template std::size_t principal_directions(std::span<const std::span<const float>>, std::vector<double>,
                                          std::span<const std::span<float>>, const ParallelFor&);

}  // namespace polystep
