// A minibatch on its way through a predictor and back, for predictors whose parameters are too many to be
// read for every tile.
#pragma once

#include <memory>
#include <span>

#include "polystep/parallel_for.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"

namespace polystep {

// Keeps what the way back needs, so that nothing is computed twice. Not for several threads at once.
class BatchPass {
 public:
  virtual ~BatchPass() = default;

  // Predictions of all tiles, one after the other, each [outputs × width]. They do not depend on the tiles
  // beside.
  virtual void predict(std::span<const double> theta, std::span<const Tile> tiles, double* predictions) = 0;

  // From gradients with respect to the predictions just made, in the same order, to the gradient of the
  // parameters, which is overwritten. theta and tiles are those of predict(); unused lanes must have no
  // gradient.
  virtual void pull_back(std::span<const double> theta, std::span<const Tile> tiles,
                         const double* output_gradient, std::span<double> gradient) = 0;
};

// A predictor derives from this besides, where it may have such a pass.
class HasBatchPass {
 public:
  virtual ~HasBatchPass() = default;

  // nullptr: tile by tile is as quick. It must not outlive the predictor; `parallel` lends it threads, and
  // its bits are the same with and without.
  virtual std::unique_ptr<BatchPass> batch_pass(ParallelFor parallel) const = 0;
};

inline std::unique_ptr<BatchPass> make_batch_pass(const Predictor& predictor, ParallelFor parallel = {}) {
  const auto* has = dynamic_cast<const HasBatchPass*>(&predictor);
  return has == nullptr ? nullptr : has->batch_pass(std::move(parallel));
}

}  // namespace polystep
