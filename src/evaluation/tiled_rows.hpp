// Rows of a split laid out as tiles: the form in which training and evaluation read data.
#pragma once

#include <algorithm>
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
  std::size_t tiles() const { return (rows_ + width_ - 1) / width_; }
  Tile tile(std::size_t number) const {  // in the innermost loops, hence here
    Tile tile;
    tile.width = width_;
    if (uniform()) {
      tile.features = features_.data() + number * shape_.features * kLanes;
      tile.truth = truth_.data() + number * shape_.truth * kLanes;
      tile.shape = shape_;
      std::copy_n(instances_.data() + number * kLanes, kLanes, tile.instance.begin());
      tile.lanes = std::min(kLanes, rows_ - number * kLanes);
    } else {
      tile.features = features_.data() + feature_begin_[number];
      tile.truth = truth_.data() + truth_begin_[number];
      tile.shape = {feature_begin_[number + 1] - feature_begin_[number],
                    truth_begin_[number + 1] - truth_begin_[number]};
      tile.instance.fill(instances_[number]);
      tile.lanes = 1;
    }
    return tile;
  }

  // Lanes of every tile: kLanes, or 1 where rows differ in shape. Row number × width + lane is a tile's lane.
  std::size_t width() const { return width_; }
  bool uniform() const { return width_ == kLanes; }

 private:
  void gather_uniform(const Split& split);
  void gather_ragged(const Split& split);

  std::size_t rows_ = 0;
  std::size_t width_ = kLanes;
  RowShape shape_;  // of every row, where they agree
  std::vector<std::size_t> row_numbers_;
  AlignedDoubles features_;             // [tiles × features × kLanes], or the rows one after the other
  AlignedDoubles truth_;                // [tiles × truth × kLanes], or likewise
  std::vector<std::size_t> instances_;  // [tiles × width]
  std::vector<std::size_t> feature_begin_, truth_begin_;  // [rows + 1], where rows differ
};

}  // namespace polystep
