#include "evaluation/tiled_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace polystep {

TiledRows::TiledRows(const Split& split) {
  std::vector<std::size_t> rows(split.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  gather(split, rows);
}

void TiledRows::gather(const Split& split, std::span<const std::size_t> rows) {
  rows_ = rows.size();
  row_numbers_.assign(rows.begin(), rows.end());
  width_ = split.ragged() ? 1 : kLanes;
  tiles_.resize((rows_ + width_ - 1) / width_);
  if (split.ragged())
    gather_ragged(split);
  else
    gather_uniform(split);
}

void TiledRows::gather_uniform(const Split& split) {
  const RowShape shape{split.feature_columns, split.truth_columns};
  features_.resize(tiles_.size() * shape.features * kLanes);
  truth_.resize(tiles_.size() * shape.truth * kLanes);
  for (std::size_t number = 0; number < tiles_.size(); ++number) {
    Tile& tile = tiles_[number];
    double* const features = features_.data() + number * shape.features * kLanes;
    double* const truth = truth_.data() + number * shape.truth * kLanes;
    tile.features = features;
    tile.truth = truth;
    tile.shape = shape;
    tile.width = kLanes;
    tile.lanes = std::min(kLanes, rows_ - number * kLanes);
    std::array<const double*, kLanes> rows;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t row = row_numbers_[number * kLanes + std::min(lane, tile.lanes - 1)];
      rows[lane] = split.feature_row(row).data();
      const auto truth_row = split.truth_row(row);
      for (std::size_t m = 0; m < shape.truth; ++m) truth[m * kLanes + lane] = truth_row[m];
      tile.instance[lane] = split.instance(row);
    }
    // All lanes of a few features at a time: a row may be far longer than a cache.
    for (std::size_t f = 0; f < shape.features; ++f)
      for (std::size_t lane = 0; lane < kLanes; ++lane) features[f * kLanes + lane] = rows[lane][f];
  }
}

void TiledRows::gather_ragged(const Split& split) {
  features_.clear();
  truth_.clear();
  for (const std::size_t row : row_numbers_) {
    const auto features = split.feature_row(row);
    const auto truth = split.truth_row(row);
    features_.insert(features_.end(), features.begin(), features.end());
    truth_.insert(truth_.end(), truth.begin(), truth.end());
  }
  const double* features = features_.data();  // only now: the values above may have moved as they grew
  const double* truth = truth_.data();
  for (std::size_t number = 0; number < tiles_.size(); ++number) {
    const std::size_t row = row_numbers_[number];
    Tile& tile = tiles_[number];
    tile.features = features;
    tile.truth = truth;
    tile.shape = split.shape(row);
    tile.width = 1;
    tile.lanes = 1;
    tile.instance.fill(split.instance(row));
    features += tile.shape.features;
    truth += tile.shape.truth;
  }
}

}  // namespace polystep
