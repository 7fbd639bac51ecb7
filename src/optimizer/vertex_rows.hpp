// The shape of per-vertex arrays: one row per block, one column per vertex. Only the last row may be shorter.
#pragma once

#include <cstddef>
#include <span>

namespace polystep {

struct VertexRows {
  std::size_t rows = 0;
  std::size_t width = 0;
  std::size_t last_width = 0;

  std::size_t size() const { return (rows - 1) * width + last_width; }
  bool ragged() const { return width != last_width; }
  std::size_t row_width(std::size_t row) const { return row + 1 < rows ? width : last_width; }

  template <class T>
  std::span<T> row(std::span<T> all, std::size_t row) const {
    return all.subspan(row * width, row_width(row));
  }
};

}  // namespace polystep
