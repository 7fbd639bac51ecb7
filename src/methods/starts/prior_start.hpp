// A start from what a problem would predict without learning (Problem::prior), such as minus the length of an
// edge: the predictor is fitted to it by least squares.
//
// Priors have no unit. They are standardised over all outputs of the given rows, to mean 0 and a deviation of
// `size`, which sets how large the predictions are that training starts from. Adam on minibatches, the rate
// falling to 0 by half a cosine wave. Nothing is solved.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/options.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct PriorFit {
  std::size_t steps = 400;
  std::size_t batch = 10;  // rows per step
  double rate = 3e-3;      // Adam's first
  double size = 3;         // deviation of the outputs that are fitted
};

// Adds prior-steps, prior-batch, prior-rate and prior-size, with the defaults above.
void add_prior_options(OptionTable& table);
PriorFit prior_fit(const Options& options);

// Throws InputError where the problem states no prior; `option` names what asked for it ("fit").
void check_prior(const Task& task, const std::string& option);

// Parameters fitted to the priors of the given training rows, from the random ones of `seed` and `generator`.
std::vector<double> prior_start(Evaluator& evaluator, const Split& training,
                                std::span<const std::size_t> rows, const PriorFit& fit, std::uint64_t seed,
                                InitialDraw generator);

}  // namespace polystep
