// A network's inputs reduced to the directions that data prove, and the way back to an ordinary network.
//
// A network of thousands of inputs and a few thousand rows learns mostly noise. Where the targets are known,
// the inputs become the directions along which class means differ (class_means.hpp), and those principal
// components above the noise (principal_inputs.hpp) whose scores, or their squares, tell classes apart and
// which the former do not cover. Where targets are not to be looked at, they become all components above the
// noise. Where data prove nothing there is a single input that is always 0: a network of it predicts a
// constant, which is then all that can be learned.
//
// A network trained on the scores becomes one of the whole inputs by multiplying the directions into its
// first layer: the same predictions, up to rounding, from the data's own features.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"
#include "polystep/team.hpp"

namespace polystep {

// True where the first layer takes rows of plain features, which a projection can be multiplied into.
bool can_reduce_inputs(const Predictor& predictor);

class InputReduction {
 public:
  // Looks for directions in the training rows; `use_truth`: targets may be looked at.
  static InputReduction find(const Predictor& predictor, const Split& training, bool use_truth, Team& team);

  std::size_t inputs() const { return directions_.size() / scaling_.mean.size(); }
  std::size_t proven() const { return proven_; }  // of them, those that are not always 0
  bool proves_nothing() const { return proven_ == 0; }
  std::size_t spikes() const { return spikes_; }            // components above the noise
  std::size_t class_means() const { return class_means_; }  // directions kept for their class means

  // Scores of the training rows as fresh rows would have them, and of any other rows.
  Split training(const Split& training) const;
  Split fresh(const Split& rows, Team& team) const;

  // The same network with these few inputs.
  std::unique_ptr<Predictor> small_predictor(const Predictor& predictor) const;

  // Parameters of the whole predictor that predict what `theta`, of the small one, does.
  std::vector<double> fold(const Predictor& predictor, std::span<const double> theta) const;

  // As plain numbers, for checkpoints.
  std::vector<double> numbers() const;
  static InputReduction from_numbers(std::span<const double> numbers);

 private:
  void add_input(std::span<const double> direction, std::span<const double> scores, double shrink);

  FeatureScaling scaling_;          // [columns]
  std::vector<double> directions_;  // [inputs × columns], of (raw - mean) / deviation
  std::vector<double> scores_;      // [table rows × inputs], of the training rows
  std::size_t proven_ = 0;          // inputs that are not the constant 0
  std::size_t spikes_ = 0;
  std::size_t class_means_ = 0;
};

}  // namespace polystep
