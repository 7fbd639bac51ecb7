// A mini-batch of training rows with its predictions row by row, and gradients of predictions pulled back to
// the predictor's parameters.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evaluation/row_layout.hpp"
#include "evaluation/tiled_rows.hpp"
#include "polystep/aligned.hpp"
#include "polystep/batch_pass.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

class BatchPredictions {
 public:
  explicit BatchPredictions(const Predictor& predictor)
      : predictor_(predictor), pass_(make_batch_pass(predictor)) {}

  // Takes the given rows of a split and predicts them.
  void predict(const Split& split, std::span<const std::size_t> rows, std::span<const double> theta);

  const TiledRows& tiles() const { return tiles_; }
  const std::vector<double>& predictions() const { return predictions_; }  // [rows × outputs]
  const RowLayout& layout() const { return layout_; }                      // of the rows in it

  // From gradients of predictions [rows × outputs] to the gradient of parameters, which is overwritten.
  void pull_back(std::span<const double> theta, std::span<const double> prediction_gradient,
                 std::span<double> gradient);

 private:
  template <class Entry>
  void for_each_entry(const Entry& entry) const;

  const Predictor& predictor_;
  std::unique_ptr<BatchPass> pass_;  // nullptr: tile by tile
  TiledRows tiles_;
  RowLayout layout_;
  AlignedDoubles tile_values_;  // predictions or their gradients, tile after tile, [outputs × width] each
  std::vector<double> predictions_;  // [rows × outputs]
};

}  // namespace polystep
