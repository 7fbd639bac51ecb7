// Rows of a split laid out as tiles: the form in which training and evaluation read data.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/tile.hpp"

namespace polystep {

class TiledRows {
 public:
  TiledRows() = default;
  explicit TiledRows(const Split& split);  // all rows, in order

  // Takes the given rows (repeats allowed) in the given order, reusing memory.
  void gather(const Split& split, std::span<const std::size_t> rows);

  std::size_t rows() const { return rows_; }
  const std::vector<std::size_t>& row_numbers() const { return row_numbers_; }  // [rows], in the split
  std::size_t tiles() const { return (rows_ + kLanes - 1) / kLanes; }
  Tile tile(std::size_t number) const;

 private:
  std::size_t rows_ = 0;
  std::size_t feature_columns_ = 0;
  std::size_t truth_columns_ = 0;
  std::vector<std::size_t> row_numbers_;
  AlignedDoubles features_;             // [tiles × feature_columns × kLanes]
  AlignedDoubles truth_;                // [tiles × truth_columns × kLanes]
  std::vector<std::size_t> instances_;  // [tiles × kLanes]
};

}  // namespace polystep
