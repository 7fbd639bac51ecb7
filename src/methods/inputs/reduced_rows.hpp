// A task's network on reduced inputs, for methods that train it there and hand over one of the whole inputs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/inputs/input_reduction.hpp"
#include "polystep/preparation.hpp"
#include "polystep/task.hpp"
#include "polystep/team.hpp"

namespace polystep {

class ReducedRows {
 public:
  // Throws InputError where the predictor's inputs cannot be reduced; finds nothing yet.
  explicit ReducedRows(const Task& task);

  // Directions by the training rows and their truth, as a part of the preparation.
  void prepare(Preparation& preparation, Team& team);

  const Predictor& predictor() const { return *predictor_; }  // the same network on few inputs
  const Split& training() const { return training_; }         // the training rows, of these inputs

  // Starting parameters whose predictions are around the mean of the truth.
  std::vector<double> centred(std::span<const double> theta) const;

  // Parameters of the task's predictor that predict what `theta` does.
  std::vector<double> fold(std::span<const double> theta) const;

 private:
  const Task& task_;
  InputReduction reduction_;
  std::unique_ptr<Predictor> predictor_;
  Split training_;
};

}  // namespace polystep
