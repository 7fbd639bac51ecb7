#include "methods/gradient/batch_predictions.hpp"

#include <algorithm>

#include "polystep/aligned.hpp"

namespace polystep {

void BatchPredictions::predict(const Split& split, std::span<const std::size_t> rows,
                               std::span<const double> theta) {
  tiles_.gather(split, rows);
  layout_ = RowLayout(predictor_, split, rows);
  AlignedDoubles tile_predictions;
  predictions_.resize(layout_.total());
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile& tile = tiles_.tile(number);
    tile_predictions.resize(layout_.size(number * tile.width) * tile.width);
    predictor_.predict(theta, tile, tile_predictions.data());
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const std::span<double> row = layout_.row(predictions_, number * tile.width + lane);
      for (std::size_t o = 0; o < row.size(); ++o) row[o] = tile_predictions[o * tile.width + lane];
    }
  }
}

void BatchPredictions::pull_back(std::span<const double> theta, std::span<const double> prediction_gradient,
                                 std::span<double> gradient) const {
  AlignedDoubles tile_gradient;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile& tile = tiles_.tile(number);
    tile_gradient.assign(layout_.size(number * tile.width) * tile.width,
                         0.0);  // unused lanes have no gradient
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const std::span<const double> row = layout_.row(prediction_gradient, number * tile.width + lane);
      for (std::size_t o = 0; o < row.size(); ++o) tile_gradient[o * tile.width + lane] = row[o];
    }
    predictor_.add_gradient(theta, tile, tile_gradient.data(), gradient);
  }
}

}  // namespace polystep
