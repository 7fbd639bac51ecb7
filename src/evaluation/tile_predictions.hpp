// Predictions of all rows, those of each tile together: tiles of a large network pass it several at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "polystep/aligned.hpp"
#include "polystep/parallel_for.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

class TilePredictions {
 public:
  // The bits do not depend on the threads that `parallel` lends.
  TilePredictions(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows,
                  const ParallelFor& parallel = {});

  const double* tile(std::size_t number) const { return values_.data() + begin_[number]; }
  std::size_t size(std::size_t number) const {
    return begin_[number + 1] - begin_[number];
  }  // outputs × width

 private:
  std::vector<std::size_t> begin_;  // [tiles + 1]
  AlignedDoubles values_;           // tile after tile, [outputs × width] each
};

// What predictions of a set of rows are like.
struct PredictionFigures {
  double deviation = 0;  // of all of them from their mean: 0 where one number is predicted for all
  std::optional<double> squared_error;  // mean over rows and outputs, where data have a truth per output
};

PredictionFigures prediction_figures(const Predictor& predictor, std::span<const double> theta,
                                     const TiledRows& rows, const ParallelFor& parallel = {});

}  // namespace polystep
