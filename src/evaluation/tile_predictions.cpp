#include "evaluation/tile_predictions.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/batch_pass.hpp"

namespace polystep {
namespace {

constexpr std::size_t kTilesTogether = 8;

}  // namespace

TilePredictions::TilePredictions(const Predictor& predictor, std::span<const double> theta,
                                 const TiledRows& rows, const ParallelFor& parallel)
    : begin_(1, 0) {
  for (std::size_t number = 0; number < rows.tiles(); ++number)
    begin_.push_back(begin_.back() + predictor.outputs_of(rows.tile(number)) * rows.width());
  values_.resize(begin_.back());
  if (const std::unique_ptr<BatchPass> pass = make_batch_pass(predictor, parallel)) {
    for (std::size_t first = 0; first < rows.tiles(); first += kTilesTogether)
      pass->predict(theta, rows.tiles(first, std::min(rows.tiles(), first + kTilesTogether)),
                    values_.data() + begin_[first]);
    return;
  }
  for_each_slot(parallel, rows.tiles(), [&](std::size_t number) {
    predictor.predict(theta, rows.tile(number), values_.data() + begin_[number]);
  });
}

PredictionFigures prediction_figures(const Predictor& predictor, std::span<const double> theta,
                                     const TiledRows& rows, const ParallelFor& parallel) {
  const TilePredictions predictions(predictor, theta, rows, parallel);
  // entry(prediction, place in the tile) for every one in use.
  const auto each = [&](const auto& entry) {
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      for (std::size_t lane = 0; lane < tile.lanes; ++lane)
        for (std::size_t i = lane; i < predictions.size(number); i += tile.width)
          entry(predictions.tile(number)[i], tile, i);
    }
  };
  double sum = 0, entries = 0, squares = 0, error = 0;
  bool has_truth = true;
  for (std::size_t number = 0; number < rows.tiles(); ++number)
    has_truth &= rows.tile(number).shape.truth * rows.width() == predictions.size(number);
  each([&](double prediction, const Tile&, std::size_t) { sum += prediction, entries += 1; });
  if (entries == 0) return {};
  each([&](double prediction, const Tile& tile, std::size_t i) {
    squares += (prediction - sum / entries) * (prediction - sum / entries);
    if (has_truth) error += (prediction - tile.truth[i]) * (prediction - tile.truth[i]);
  });
  PredictionFigures figures;
  figures.deviation = std::sqrt(squares / entries);
  if (has_truth) figures.squared_error = error / entries;
  return figures;
}

}  // namespace polystep
