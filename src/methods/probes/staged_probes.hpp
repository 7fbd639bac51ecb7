// Predictions of probes for predictors in two stages, without ever building a probe's parameters.
//
// A search coordinate moves every instance's state along a line. These changes are computed once, for all
// training rows, and kept as long as the search basis stays: a probe then costs a few scaled sums of states
// and one pass through the head. Where the basis moves with every step, they are those of the step's rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/executor.hpp"
#include "polystep/predictor.hpp"
#include "polystep/probes.hpp"

namespace polystep {

class StagedProbes {
 public:
  struct Scratch {
    AlignedFloats changes;           // [block size × state size], of coordinates that are not kept
    AlignedFloats direction;         // [state size]
    AlignedFloats state;             // [state size]
    AlignedFloats head;              // what the predictor asks for
    std::vector<float> predictions;  // [kLanes × probes of the block × outputs]
    std::vector<double> head_direction, head_parameters;
  };

  StagedProbes(const StagedPredictor& predictor, const Split& training);

  // Gets ready for probes around `theta` on the given training rows.
  void prepare(const Probes& probes, std::span<const double> theta, std::span<const std::size_t> rows,
               Executor& executor);

  // Predictions of all probes of a block for one tile of the rows, [probes of the block × outputs × kLanes];
  // lanes beyond the last row repeat it. Safe to call from several threads, each with its own scratch.
  void predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
               double* predictions) const;

 private:
  void project(const SearchSpace& space, std::span<const double> features, Executor& executor);
  void predict_row(const Probes& probes, std::size_t block, std::size_t slot, Scratch& scratch,
                   float* predictions) const;  // [probes of the block × outputs]
  const float* coordinate_change(const SearchSpace& space, std::size_t coordinate, std::size_t slot,
                                 float* scratch) const;
  std::span<const double> features(std::size_t row) const { return training_.feature_row(row); }

  const StagedPredictor& predictor_;
  const Split& training_;
  std::size_t state_size_;
  std::size_t head_size_;
  bool by_slot_ = false;                // changes are those of the present step's rows
  std::vector<AlignedFloats> changes_;  // [coordinates], each [rows × state size] or empty; rows of training,
                                        // or of the step
  std::vector<double> head_changes_;  // [coordinates × head size]
  std::vector<std::size_t> rows_;     // of the present step
  AlignedFloats states_;              // [rows × state size]
  std::vector<double> head_;          // [head size], of the present step
};

}  // namespace polystep
