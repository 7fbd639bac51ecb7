// Predictions of probes for predictors in two stages, without ever building a probe's parameters.
//
// A search coordinate moves every instance's state along a line. Where the search basis stays and memory
// allows, these changes are computed once, for all training rows; else at every step, for the rows of its
// minibatch. A probe then costs a few scaled sums of states and one pass through the head.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"
#include "polystep/probes.hpp"
#include "polystep/team.hpp"

namespace polystep {

// Changes of states that may be kept at a time, over all search coordinates: 2 GiB.
inline constexpr std::size_t kMostKeptEntries = std::size_t{1} << 29;

class StagedProbes {
 public:
  struct Scratch {
    Direction moved;                 // of one coordinate
    AlignedFloats changes;           // [block size × state size], of coordinates quick to project
    AlignedFloats tile_changes;      // [block size × kLanes × state size], of others that are not kept
    AlignedFloats direction;         // [state size]
    AlignedFloats state;             // [state size]
    AlignedFloats head;              // what the predictor asks for
    std::vector<float> predictions;  // [kLanes × probes of the block × outputs]
    std::vector<double> head_direction, head_parameters;
  };

  StagedProbes(const StagedPredictor& predictor, const Split& training,
               std::size_t most_kept = kMostKeptEntries);

  // Gets ready for probes around `theta` on the given training rows.
  void prepare(const Probes& probes, std::span<const double> theta, std::span<const std::size_t> rows,
               Team& team);

  // Predictions of all probes of a block for one tile of the rows, [probes of the block × outputs × kLanes];
  // lanes beyond the last row repeat it. Safe to call from several threads, each with its own scratch.
  void predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
               double* predictions) const;

 private:
  enum class Change : std::uint8_t {
    kKept,    // in changes_
    kQuick,   // so few parameters move that it is projected whenever it is needed
    kTooBig,  // projected tile by tile: slower, but it fits
  };

  void project(const SearchSpace& space, std::span<const double> features, Team& team);
  void project_tile(const Probes& probes, std::size_t block, std::size_t tile, std::size_t lanes,
                    Scratch& scratch) const;
  void predict_row(const Probes& probes, std::size_t block, std::size_t slot, Scratch& scratch,
                   float* predictions) const;  // [probes of the block × outputs]
  const float* coordinate_change(const Probes& probes, std::size_t block, std::size_t c, std::size_t slot,
                                 Scratch& scratch) const;                  // of the block's coordinate c
  std::size_t coordinates(const Probes& probes, std::size_t block) const;  // of a block, without padding
  std::span<const double> chosen_rows(std::size_t slot, std::size_t count) const {
    return std::span(chosen_).subspan(slot * training_.feature_columns, count * training_.feature_columns);
  }

  const StagedPredictor& predictor_;
  const Split& training_;
  std::size_t state_size_;
  std::size_t head_size_;
  std::size_t most_kept_;
  bool projected_ = false;
  bool by_row_ = false;                 // changes_ are those of all training rows
  std::vector<AlignedFloats> changes_;  // [coordinates], each [training rows or slots × state size] or empty
  std::vector<Change> kinds_;           // [coordinates]
  std::vector<double> head_changes_;    // [coordinates × head size]
  std::vector<std::size_t> rows_;       // of the present step, a slot each
  std::vector<double> chosen_;          // [slots × feature columns], their features
  AlignedFloats states_;                // [rows × state size]
  std::vector<double> head_;            // [head size], of the present step
};

}  // namespace polystep
