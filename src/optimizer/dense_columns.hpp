// A tall matrix of basis columns, kept column after column, with random and orthonormal fillings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep {

class DenseColumns {
 public:
  DenseColumns() = default;
  DenseColumns(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), value_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::span<double> column(std::size_t j) { return std::span(value_).subspan(j * rows_, rows_); }
  std::span<const double> column(std::size_t j) const { return std::span(value_).subspan(j * rows_, rows_); }

  // out += sum over i of coefficients[i] * column(first + i), added in that order for every row.
  void add_to(std::size_t first, std::span<const double> coefficients, std::span<double> out) const;

  // Standard normal entries in columns `first` and up. Each column has a stream of its own, named by `index`
  // and its number, so that it does not depend on the others.
  void draw_gaussian(std::uint64_t seed, std::uint64_t index, std::size_t first = 0);

  // Replaces the columns by the Q of their QR factorisation with positive diagonal R. Columns must be
  // independent.
  void orthonormalize();

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> value_;  // [columns × rows]
};

}  // namespace polystep
