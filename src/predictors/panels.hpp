// A matrix in panels of a few columns, each of them [rows × kPanelWidth] in one piece: what the products of
// row_products.hpp read and write without leaving the innermost caches. Columns that fill up the last panel
// are 0.
#pragma once

#include <algorithm>
#include <cstddef>

#include "polystep/aligned.hpp"
#include "simd/row_products.hpp"

namespace polystep {

inline constexpr std::size_t kPanelWidth = 64;
static_assert(kPanelWidth % kUnitsAtOnce == 0);

class Panels {
 public:
  void resize(std::size_t rows, std::size_t columns) {
    rows_ = rows;
    columns_ = columns;
    values_.resize(count() * rows * kPanelWidth);
  }
  void clear() { std::fill(values_.begin(), values_.end(), 0.0f); }

  std::size_t rows() const { return rows_; }
  std::size_t count() const { return (columns_ + kPanelWidth - 1) / kPanelWidth; }
  float* panel(std::size_t number) { return values_.data() + number * rows_ * kPanelWidth; }
  const float* panel(std::size_t number) const { return values_.data() + number * rows_ * kPanelWidth; }

  // From and to a matrix [rows × columns] that lies row by row.
  void take(const float* matrix) {
    for_each_piece([&](float* here, std::size_t row, std::size_t first, std::size_t width) {
      std::copy_n(matrix + row * columns_ + first, width, here);
      std::fill(here + width, here + kPanelWidth, 0.0f);
    });
  }
  void give(float* matrix) {
    for_each_piece([&](float* here, std::size_t row, std::size_t first, std::size_t width) {
      std::copy_n(here, width, matrix + row * columns_ + first);
    });
  }
  // From a matrix [columns × rows].
  void take_transposed(const float* matrix) {
    for_each_piece([&](float* here, std::size_t row, std::size_t first, std::size_t width) {
      for (std::size_t c = 0; c < width; ++c) here[c] = matrix[(first + c) * rows_ + row];
      std::fill(here + width, here + kPanelWidth, 0.0f);
    });
  }

 private:
  template <class Piece>
  void for_each_piece(const Piece& piece) {
    for (std::size_t p = 0; p < count(); ++p)
      for (std::size_t row = 0; row < rows_; ++row)
        piece(panel(p) + row * kPanelWidth, row, p * kPanelWidth,
              std::min(kPanelWidth, columns_ - p * kPanelWidth));
  }

  std::size_t rows_ = 0, columns_ = 0;
  AlignedFloats values_;
};

}  // namespace polystep
