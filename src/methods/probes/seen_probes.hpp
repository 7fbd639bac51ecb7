// Predictions of probes along columns that are drawn as they are seen (SeenColumns): for networks whose first
// layer is too large to draw a basis for.
//
// The states of the minibatch, and what every coordinate does to them, are found once per step. A probe is
// then a few scaled sums of states and one pass through a rectified layer, both signs and all radii together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"
#include "polystep/probes.hpp"
#include "polystep/team.hpp"

namespace polystep {

class SeenProbes {
 public:
  struct Scratch {
    AlignedFloats change;             // [state size]
    std::vector<float> first_bias;    // [directions × units], its change
    std::vector<double> head_change;  // [directions × head size]
    std::vector<double> steps;        // radii, then minus radii
    std::vector<float> along;         // [steps × outputs]
  };

  // Whether the predictor's states are plain products.
  static bool serves(const Predictor& predictor);

  SeenProbes(const StagedPredictor& predictor, const Split& training);

  // Shows the rows to the space and draws all of its coordinates.
  void prepare(const Probes& probes, std::span<const double> theta, std::span<const std::size_t> rows,
               Team& team);

  // Predictions of the current parameters for one tile of the rows, [outputs × kLanes].
  void predict_incumbent(std::size_t tile, double* prediction) const;

  // Predictions of all probes of a block for one tile of the rows, [probes of the block × outputs × kLanes];
  // lanes beyond the last row repeat it. Safe to call from several threads, each with its own scratch.
  void predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
               double* predictions) const;

 private:
  // What every direction of a block does to the parameters behind the first layer's weights.
  void move_rest(const Probes& probes, std::size_t block, std::size_t coordinates, std::size_t directions,
                 Scratch& scratch) const;

  const StagedPredictor& predictor_;
  const Split& training_;
  std::size_t units_, head_size_;
  std::size_t rows_ = 0;        // of the minibatch
  std::vector<double> chosen_;  // [rows × feature columns], their features
  AlignedFloats shown_;         // the same in single precision
  AlignedFloats states_;        // [rows × state size]
  std::vector<double> head_;    // [head size], of the present step
};

}  // namespace polystep
