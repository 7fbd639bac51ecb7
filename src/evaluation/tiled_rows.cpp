#include "evaluation/tiled_rows.hpp"

#include <algorithm>
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
  feature_columns_ = split.feature_columns;
  truth_columns_ = split.truth_columns;
  const std::size_t slots = tiles() * kLanes;
  features_.resize(slots * feature_columns_);
  truth_.resize(slots * truth_columns_);
  instances_.resize(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::size_t row = rows[std::min(slot, rows_ - 1)];  // unused lanes repeat the last row
    const std::size_t tile = slot / kLanes;
    const std::size_t lane = slot % kLanes;
    const auto features = split.feature_row(row);
    for (std::size_t f = 0; f < feature_columns_; ++f)
      features_[(tile * feature_columns_ + f) * kLanes + lane] = features[f];
    const auto truth = split.truth_row(row);
    for (std::size_t m = 0; m < truth_columns_; ++m)
      truth_[(tile * truth_columns_ + m) * kLanes + lane] = truth[m];
    instances_[slot] = split.instance(row);
  }
}

Tile TiledRows::tile(std::size_t number) const {
  Tile tile;
  tile.features = features_.data() + number * feature_columns_ * kLanes;
  tile.truth = truth_.data() + number * truth_columns_ * kLanes;
  tile.truth_columns = truth_columns_;
  std::copy_n(instances_.begin() + static_cast<std::ptrdiff_t>(number * kLanes), kLanes,
              tile.instance.begin());
  tile.lanes = std::min(kLanes, rows_ - number * kLanes);
  return tile;
}

}  // namespace polystep
