// A tall matrix of basis columns, kept column after column, with random and orthonormal fillings.
//
// Entries are stored in double or single precision; sums over rows or columns are taken in double precision
// either way. Work is cut into slots of rows or columns that do not depend on the threads that are lent, and
// sums over slots run in order, so results have the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/parallel_for.hpp"

namespace polystep {

template <class Real>
class ColumnsOf {
 public:
  ColumnsOf() = default;
  ColumnsOf(std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::span<Real> column(std::size_t j) { return {value_.data() + j * stride_, rows_}; }
  std::span<const Real> column(std::size_t j) const { return {value_.data() + j * stride_, rows_}; }

  // out += sum over i of coefficients[i] * column(first + i), added in that order for every row.
  void add_to(std::size_t first, std::span<const double> coefficients, std::span<double> out,
              const ParallelFor& parallel = {}) const;

  // The same sum from 0 on, into out, whatever was in it.
  void combine(std::size_t first, std::span<const double> coefficients, std::span<double> out,
               const ParallelFor& parallel = {}) const;

  // Standard normal entries in columns `first` and up. Each column has a stream of its own, named by `index`
  // and its number, so that it does not depend on the others.
  void draw_gaussian(std::uint64_t seed, std::uint64_t index, std::size_t first = 0,
                     const ParallelFor& parallel = {});

  // Replaces the columns by the Q of their QR factorisation with positive diagonal R. Columns must be
  // independent.
  void orthonormalize(const ParallelFor& parallel = {});

 private:
  void gram_matrix(std::vector<double>& gram, const ParallelFor& parallel) const;
  void divide_by(const std::vector<double>& r, const ParallelFor& parallel);
  void add_rows(std::size_t first, std::span<const double> coefficients, std::size_t slot,
                std::span<double> out) const;

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;                             // entries from one column to the next
  std::vector<Real, CacheLineAllocator<Real>> value_;  // [columns × stride]
};

using DenseColumns = ColumnsOf<double>;
using SingleColumns = ColumnsOf<float>;

extern template class ColumnsOf<double>;
extern template class ColumnsOf<float>;

}  // namespace polystep
