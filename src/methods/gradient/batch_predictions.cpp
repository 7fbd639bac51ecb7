#include "methods/gradient/batch_predictions.hpp"

#include <algorithm>

#include "polystep/aligned.hpp"

namespace polystep {

void BatchPredictions::predict(const Split& split, std::span<const std::size_t> rows,
                               std::span<const double> theta) {
  tiles_.gather(split, rows);
  const std::size_t outputs = predictor_.outputs();
  AlignedDoubles tile_predictions(outputs * kLanes);
  predictions_.resize(rows.size() * outputs);
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile tile = tiles_.tile(number);
    predictor_.predict(theta, tile.features, tile_predictions.data());
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      for (std::size_t o = 0; o < outputs; ++o)
        predictions_[(number * kLanes + lane) * outputs + o] = tile_predictions[o * kLanes + lane];
  }
}

void BatchPredictions::pull_back(std::span<const double> theta, std::span<const double> prediction_gradient,
                                 std::span<double> gradient) const {
  const std::size_t outputs = predictor_.outputs();
  AlignedDoubles tile_gradient(outputs * kLanes);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
    const Tile tile = tiles_.tile(number);
    std::fill(tile_gradient.begin(), tile_gradient.end(), 0.0);  // unused lanes have no gradient
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      for (std::size_t o = 0; o < outputs; ++o)
        tile_gradient[o * kLanes + lane] = prediction_gradient[(number * kLanes + lane) * outputs + o];
    predictor_.add_gradient(theta, tile.features, tile_gradient.data(), gradient);
  }
}

}  // namespace polystep
