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
  TiledRows(TiledRows&&) =
      default;  // tiles point into the values beside them, which move along but would not be copied
  TiledRows& operator=(TiledRows&&) = default;
  explicit TiledRows(const Split& split);  // all rows, in order

  // Takes the given rows (repeats allowed) in the given order, reusing memory.
  void gather(const Split& split, std::span<const std::size_t> rows);

  std::size_t rows() const { return rows_; }
  const std::vector<std::size_t>& row_numbers() const { return row_numbers_; }  // [rows], in the split
  std::size_t tiles() const { return tiles_.size(); }
  // Laid out once, because the innermost loops ask for it. Holds until the next gather.
  const Tile& tile(std::size_t number) const { return tiles_[number]; }
  std::span<const Tile> tiles(std::size_t first, std::size_t last) const {
    return std::span(tiles_).subspan(first, last - first);
  }

  // Lanes of every tile: kLanes, or 1 where rows differ in shape. Row number × width + lane is a tile's lane.
  std::size_t width() const { return width_; }
  bool uniform() const { return width_ == kLanes; }

 private:
  void gather_uniform(const Split& split);
  void gather_ragged(const Split& split);

  std::size_t rows_ = 0;
  std::size_t width_ = kLanes;
  std::vector<std::size_t> row_numbers_;
  AlignedDoubles features_;  // [tiles × features × kLanes], or the rows one after the other
  AlignedDoubles truth_;     // [tiles × truth × kLanes], or likewise
  std::vector<Tile> tiles_;
};

}  // namespace polystep
