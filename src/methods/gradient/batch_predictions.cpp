#include "methods/gradient/batch_predictions.hpp"

#include <algorithm>

namespace polystep {

// entry(place in tile_values_, place in predictions_) for every prediction in use.
template <class Entry>
void BatchPredictions::for_each_entry(const Entry& entry) const {
  std::size_t begin = 0;  // of the tile
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile& tile = tiles_.tile(number);
    const std::size_t first = number * tile.width, outputs = layout_.size(first);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      for (std::size_t o = 0; o < outputs; ++o)
        entry(begin + o * tile.width + lane, layout_.begin(first + lane) + o);
    begin += outputs * tile.width;
  }
}

void BatchPredictions::predict(const Split& split, std::span<const std::size_t> rows,
                               std::span<const double> theta) {
  tiles_.gather(split, rows);
  layout_ = RowLayout(predictor_, split, rows);
  std::size_t entries = 0;
  for (std::size_t number = 0; number < tiles_.tiles(); ++number)
    entries += layout_.size(number * tiles_.width()) * tiles_.width();
  tile_values_.resize(entries);
  predictions_.resize(layout_.total());
  const std::span<const Tile> all = tiles_.tiles(0, tiles_.tiles());
  if (pass_)
    pass_->predict(theta, all, tile_values_.data());
  else
    predictor_.predict_tiles(theta, all, tile_values_.data());
  for_each_entry([&](std::size_t from, std::size_t to) { predictions_[to] = tile_values_[from]; });
}

void BatchPredictions::pull_back(std::span<const double> theta, std::span<const double> prediction_gradient,
                                 std::span<double> gradient) {
  std::ranges::fill(tile_values_, 0.0);  // unused lanes have no gradient
  for_each_entry([&](std::size_t to, std::size_t from) { tile_values_[to] = prediction_gradient[from]; });
  if (pass_) return pass_->pull_back(theta, tiles_.tiles(0, tiles_.tiles()), tile_values_.data(), gradient);
  std::ranges::fill(gradient, 0.0);
  const double* tile_gradient = tile_values_.data();
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile& tile = tiles_.tile(number);
    predictor_.add_gradient(theta, tile, tile_gradient, gradient);
    tile_gradient += layout_.size(number * tile.width) * tile.width;
  }
}

}  // namespace polystep
