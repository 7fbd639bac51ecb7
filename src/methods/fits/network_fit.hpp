// Least squares for a network, finished: Adam on minibatches until validation rows say that it is enough.
//
// What published fits of large networks leave undone is seldom the network's fault. Here the outputs start at
// the mean of the truth and in units of its spread, so that no step is spent on finding the level; the rate
// falls to 0 by half a cosine wave or stays, as asked; and the epoch that is best on validation rows is the
// result. The units go into the last layer afterwards: the parameters handed out are those of the predictor
// as it was given.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/probes/tile_gradients.hpp"
#include "polystep/batch_pass.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct NetworkFitSettings {
  std::size_t epochs = 100;  // at most
  std::size_t batch = 32;    // rows of the split per update
  double rate = 0.01;        // Adam's first
  bool falls = true;         // the rate goes to 0 over the epochs; else it stays
  std::size_t patience = 0;  // epochs without improvement after which it stops; 0: never
  std::uint64_t seed = 0;    // of the start and the order of rows
};

class NetworkFit {
 public:
  // All must outlive this; every row has a true parameter per output.
  NetworkFit(const Predictor& predictor, const Split& training, const Split& validation, Team& team,
             const NetworkFitSettings& settings);

  std::size_t updates_per_epoch() const;
  bool finished() const { return finished_; }

  // One minibatch; after the last one of an epoch, validation rows are looked at.
  void update();
  void run();  // until it is finished

  // Share of the truth's variance that is left unexplained on validation rows, the mean over the last layer's
  // units: after the last epoch, and of the best one so far.
  double error() const { return error_; }
  double best_error() const { return best_error_; }
  std::vector<double> parameters() const { return unscaled(theta_); }
  std::vector<double> best() const { return unscaled(best_.empty() ? theta_ : best_); }

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  void take_rows();
  void judge();
  std::vector<double> unscaled(std::span<const double> theta) const;

  const Predictor& predictor_;
  const Split& training_;
  Team& team_;
  NetworkFitSettings settings_;
  OutputScaling truth_;                // mean and deviation of what each unit of the last layer predicts
  std::unique_ptr<Predictor> scaled_;  // what is trained: outputs in units of the truth
  TiledRows validation_;
  std::vector<double> theta_, best_, gradient_;
  double error_ = 0, best_error_ = 0;
  std::size_t stalled_ = 0;  // epochs
  bool finished_ = false;
  std::uint64_t update_ = 0;
  std::uint64_t dealt_epoch_ = ~0ull;
  std::vector<std::size_t> order_;  // [training rows], of that epoch
  TiledRows minibatch_;
  Adam adam_;
  TileGradients gradients_;
  std::unique_ptr<BatchPass> pass_;  // nullptr: tile by tile
};

// Mean over rows and outputs of (prediction - truth)^2 / deviation^2, where deviation [last units] is that of
// the truth, by the threads of a team and in one order.
double unexplained_share(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows,
                         std::span<const double> deviation, Team& team);

// Predictions of all rows, those of each row together.
std::vector<double> predictions_of(const Predictor& predictor, std::span<const double> theta,
                                   const TiledRows& rows, Team& team);

}  // namespace polystep
