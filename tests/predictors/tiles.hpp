// Tiles of numbers for tests of predictors.
#pragma once

#include <vector>

#include "polystep/predictor.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep {

inline std::vector<double> normals(std::size_t count, std::uint64_t index) {
  std::vector<double> values(count);
  RandomStream(1, Purpose::kTest, index).fill_normal(values);
  return values;
}

// `features`, [columns × width], must outlive the tile.
inline Tile tile_of(const std::vector<double>& features, std::size_t width = kLanes) {
  Tile tile;
  tile.features = features.data();
  tile.shape.features = features.size() / width;
  tile.width = width;
  tile.lanes = width;
  return tile;
}

inline std::vector<double> predict(const Predictor& predictor, const std::vector<double>& theta,
                                   const Tile& tile) {
  std::vector<double> prediction(predictor.outputs_of(tile) * tile.width);
  predictor.predict(theta, tile, prediction.data());
  return prediction;
}

// The features of one lane.
inline std::vector<double> lane_of(const std::vector<double>& features, std::size_t lane) {
  std::vector<double> own(features.size() / kLanes);
  for (std::size_t f = 0; f < own.size(); ++f) own[f] = features[f * kLanes + lane];
  return own;
}

}  // namespace polystep
