// A safety margin on predictions: the same number of standard deviations on every output.
//
// Where predictions enter constraints, being wrong on one side costs far more than on the other, and a fit
// that is right on average is a bad start. Moving every bias by a common multiple of its output's residual
// deviation is a search along one line: cheap, exact in realised costs, and in either direction.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"

namespace polystep {

// True where every output has a bias of its own, so that margins can be added to it.
bool has_output_biases(const Predictor& predictor);

// Residual deviation of every output over the rows of a split, in the units of the biases.
std::vector<double> residual_deviations(const Predictor& predictor, std::span<const double> theta,
                                        const Split& split);

// Parameters whose biases are `margin` deviations higher.
std::vector<double> with_margin(const Predictor& predictor, std::span<const double> theta,
                                std::span<const double> deviations, double margin);

// The margin of the lowest objective: a grid around 0, then finer and finer around the best.
double best_margin(const std::function<double(double margin)>& objective);

// A fit with the common margin whose decisions cost least on the given rows of `charged`, the split that the
// evaluator's problem charges; `plain` has the same rows with true parameters only.
struct FitWithMargin {
  std::vector<double> theta;
  SolveCounts solves;
};
FitWithMargin add_best_margin(Evaluator& evaluator, std::vector<double> fit, const Split& plain,
                              const Split& charged, std::span<const std::size_t> rows);

}  // namespace polystep
