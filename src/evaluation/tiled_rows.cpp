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
  width_ = split.ragged() ? 1 : kLanes;
  instances_.resize(tiles() * width_);
  if (split.ragged())
    gather_ragged(split);
  else
    gather_uniform(split);
}

void TiledRows::gather_uniform(const Split& split) {
  shape_ = {split.feature_columns, split.truth_columns};
  const std::size_t slots = tiles() * kLanes;
  features_.resize(slots * shape_.features);
  truth_.resize(slots * shape_.truth);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::size_t row = row_numbers_[std::min(slot, rows_ - 1)];  // unused lanes repeat the last row
    const std::size_t tile = slot / kLanes;
    const std::size_t lane = slot % kLanes;
    const auto features = split.feature_row(row);
    for (std::size_t f = 0; f < shape_.features; ++f)
      features_[(tile * shape_.features + f) * kLanes + lane] = features[f];
    const auto truth = split.truth_row(row);
    for (std::size_t m = 0; m < shape_.truth; ++m)
      truth_[(tile * shape_.truth + m) * kLanes + lane] = truth[m];
    instances_[slot] = split.instance(row);
  }
}

void TiledRows::gather_ragged(const Split& split) {
  features_.clear();
  truth_.clear();
  feature_begin_.assign(1, 0);
  truth_begin_.assign(1, 0);
  for (std::size_t slot = 0; slot < rows_; ++slot) {
    const auto features = split.feature_row(row_numbers_[slot]);
    const auto truth = split.truth_row(row_numbers_[slot]);
    features_.insert(features_.end(), features.begin(), features.end());
    truth_.insert(truth_.end(), truth.begin(), truth.end());
    feature_begin_.push_back(features_.size());
    truth_begin_.push_back(truth_.size());
    instances_[slot] = split.instance(row_numbers_[slot]);
  }
}

}  // namespace polystep
