// A training of some dozens of steps on all rows at once, for losses that cost no solve: Adam with a short
// memory of squares, at a rate that falls.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct QuickTraining {
  std::size_t steps = 100;
  double rate = 0.02;       // Adam's first, in units of the parameters
  double final_rate = 0.1;  // share of it at the end
};

// Adds to gradient [outputs] what the loss of one row has by its prediction [outputs]. `place` counts the
// rows of the training from 0, `row` is the number in their split.
using RowLoss = std::function<void(std::size_t step, std::size_t place, std::size_t row,
                                   const double* prediction, double* gradient)>;

// Parameters after training from `start`.
std::vector<double> train_quickly(const Predictor& predictor, const TiledRows& rows,
                                  std::vector<double> start, const QuickTraining& setting,
                                  const RowLoss& loss);

}  // namespace polystep
