// A mini-batch of training rows with its predictions row by row, and gradients of predictions pulled back to
// the predictor's parameters.
#pragma once

#include <span>
#include <vector>

#include "evaluation/row_layout.hpp"
#include "evaluation/tiled_rows.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

class BatchPredictions {
 public:
  explicit BatchPredictions(const Predictor& predictor) : predictor_(predictor) {}

  // Takes the given rows of a split and predicts them.
  void predict(const Split& split, std::span<const std::size_t> rows, std::span<const double> theta);

  const TiledRows& tiles() const { return tiles_; }
  const std::vector<double>& predictions() const { return predictions_; }  // [rows × outputs]
  const RowLayout& layout() const { return layout_; }                      // of the rows in it

  // From gradients of predictions [rows × outputs] to the gradient of parameters, which is overwritten.
  void pull_back(std::span<const double> theta, std::span<const double> prediction_gradient,
                 std::span<double> gradient) const;

 private:
  const Predictor& predictor_;
  TiledRows tiles_;
  RowLayout layout_;
  std::vector<double> predictions_;  // [rows × outputs]
};

}  // namespace polystep
