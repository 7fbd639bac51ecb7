#include "solvers/cover/cover_component.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "simd/lanes.hpp"

namespace polystep::solvers {
namespace {

constexpr double kTolerance = 1e-9;
constexpr double kMostCandidates = 300000;  // column choices looked at when listing bases

double choices(std::size_t from, std::size_t count) {
  double product = 1;
  for (std::size_t k = 0; k < count; ++k)
    product = product * static_cast<double>(from - k) / static_cast<double>(k + 1);
  return product;
}

// Gauss-Jordan elimination with row exchange: the inverse of a small matrix [size × size]. False: singular.
bool invert(std::vector<double> matrix, std::size_t size, std::vector<double>& inverse) {
  inverse.assign(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) inverse[i * size + i] = 1;
  const auto swap_rows = [size](std::vector<double>& rows, std::size_t a, std::size_t b) {
    for (std::size_t k = 0; k < size; ++k) std::swap(rows[a * size + k], rows[b * size + k]);
  };
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < size; ++row)
      if (std::abs(matrix[row * size + column]) > std::abs(matrix[pivot * size + column])) pivot = row;
    if (std::abs(matrix[pivot * size + column]) < kTolerance) return false;
    if (pivot != column) {
      swap_rows(matrix, pivot, column);
      swap_rows(inverse, pivot, column);
    }
    const double divisor = matrix[column * size + column];
    for (std::size_t row = 0; row < size; ++row) {
      const double factor = matrix[row * size + column] / divisor;
      if (row == column || factor == 0) continue;
      for (std::size_t k = 0; k < size; ++k) {
        matrix[row * size + k] -= factor * matrix[column * size + k];
        inverse[row * size + k] -= factor * inverse[column * size + k];
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      matrix[column * size + k] /= divisor;
      inverse[column * size + k] /= divisor;
    }
  }
  return true;
}

}  // namespace

CoverComponent::CoverComponent(std::vector<double> costs, std::vector<std::uint8_t> contains,
                               std::size_t items)
    : items_(items), costs_(std::move(costs)), contains_(std::move(contains)) {
  if (choices(covers() + items_, items_) <= kMostCandidates) list_bases();
}

// All choices of `items` columns in lexicographic order.
void CoverComponent::list_bases() {
  std::vector<std::uint16_t> columns(items_);
  std::iota(columns.begin(), columns.end(), std::uint16_t{0});
  const std::size_t total = covers() + items_;
  while (true) {
    try_basis(columns);
    std::size_t k = items_;
    while (k > 0 && columns[k - 1] == total - items_ + k - 1) --k;
    if (k == 0) break;
    ++columns[k - 1];
    for (; k < items_; ++k) columns[k] = static_cast<std::uint16_t>(columns[k - 1] + 1);
  }
  listed_ = true;
  if (!bases_.empty()) deal_out_multipliers();
}

// Into blocks of eight bases, item by item; the last block is filled up with its last basis.
void CoverComponent::deal_out_multipliers() {
  std::vector<double> dealt(blocks() * items_ * kBlock);
  for (std::size_t block = 0; block < blocks(); ++block)
    for (std::size_t i = 0; i < items_; ++i)
      for (std::size_t k = 0; k < kBlock; ++k) {
        const std::size_t basis = std::min(block * kBlock + k, bases_.size() - 1);
        dealt[(block * items_ + i) * kBlock + k] = multipliers_[basis * items_ + i];
      }
  multipliers_ = std::move(dealt);
}

// Keeps the basis if it can be optimal for some requirements: multipliers not negative, and no cover worth
// more, by them, than it costs.
void CoverComponent::try_basis(const std::vector<std::uint16_t>& columns) {
  std::vector<double> matrix(items_ * items_);
  for (std::size_t k = 0; k < items_; ++k)
    for (std::size_t i = 0; i < items_; ++i) matrix[i * items_ + k] = column_entry(columns[k], i);
  Basis basis{columns, {}};
  if (!invert(std::move(matrix), items_, basis.inverse)) return;
  std::vector<double> multipliers(items_);
  for (std::size_t k = 0; k < items_; ++k)
    for (std::size_t i = 0; i < items_; ++i)
      if (columns[k] < covers()) multipliers[i] += costs_[columns[k]] * basis.inverse[k * items_ + i];
  for (const double multiplier : multipliers)
    if (multiplier < -kTolerance) return;
  for (std::size_t j = 0; j < covers(); ++j) {
    double worth = 0;
    for (std::size_t i = 0; i < items_; ++i)
      if (contains(j, i)) worth += multipliers[i];
    if (worth > costs_[j] * (1 + kTolerance)) return;
  }
  multipliers_.insert(multipliers_.end(), multipliers.begin(), multipliers.end());
  bases_.push_back(std::move(basis));
}

bool CoverComponent::read_solution(const Basis& basis, std::span<const double> need,
                                   std::span<double> multiples, bool& whole) const {
  whole = true;
  std::fill(multiples.begin(), multiples.end(), 0.0);
  for (std::size_t k = 0; k < items_; ++k) {
    double value = 0;
    for (std::size_t i = 0; i < items_; ++i) value += basis.inverse[k * items_ + i] * need[i];
    const double nearest = std::nearbyint(value);
    if (nearest < 0 || value < -1e-6) return false;
    if (basis.column[k] >= covers()) continue;
    if (std::abs(value - nearest) > 1e-6) whole = false;
    multiples[basis.column[k]] = nearest;
  }
  return true;
}

// Eight bases at a time: their sums and their maxima stay in registers.
double CoverComponent::worth_of_bases(std::span<const double> need, std::vector<double>& values) const {
  using Lanes = simd::FourLanes;
  static_assert(kBlock == 2 * Lanes::kWidth);
  values.resize(blocks() * kBlock);
  Lanes::Real best_low = Lanes::all(-std::numeric_limits<double>::infinity());
  Lanes::Real best_high = best_low;
  const double* row = multipliers_.data();
  for (std::size_t block = 0; block < blocks(); ++block) {
    Lanes::Real low = {}, high = {};
    for (std::size_t i = 0; i < items_; ++i, row += kBlock) {
      low += Lanes::all(need[i]) * simd::load<Lanes>(row);
      high += Lanes::all(need[i]) * simd::load<Lanes>(row + Lanes::kWidth);
    }
    simd::store(values.data() + block * kBlock, low);
    simd::store(values.data() + block * kBlock + Lanes::kWidth, high);
    best_low = Lanes::larger(low, best_low);
    best_high = Lanes::larger(high, best_high);
  }
  const Lanes::Real best = Lanes::larger(best_low, best_high);
  return std::max({best[0], best[1], best[2], best[3]});
}

bool CoverComponent::solve(std::span<const double> need, std::vector<double>& values,
                           std::span<double> multiples) const {
  if (!listed_) return false;
  if (bases_.empty()) return false;
  const double best = worth_of_bases(need, values);
  const double enough = best - kTolerance * (1 + best);
  for (std::size_t b = 0; b < bases_.size(); ++b) {
    bool whole = false;
    if (values[b] < enough || !read_solution(bases_[b], need, multiples, whole)) continue;
    return whole || solve_whole(b, need, multiples);
  }
  return false;
}

}  // namespace polystep::solvers
