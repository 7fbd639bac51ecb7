// Where training starts: a fit of the prepared rows, or random parameters.
//
// On rows whose true parameters were divided by their mean magnitude, least squares fits what matters to
// decisions, the ratios within an instance. Perceptrons are fitted by gradients (network_fit.hpp); networks
// that score pairs have a fit of their own (common_features_start.hpp); any other predictor without a closed
// form starts from the cheapest of several random draws.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/starts/prepared_data.hpp"
#include "methods/starts/prior_start.hpp"
#include "polystep/predictor.hpp"
#include "polystep/preparation.hpp"

namespace polystep {

// Least squares on the given rows of a split; none where the predictor or the data do not admit it.
std::optional<std::vector<double>> least_squares_start(const Predictor& predictor, const Split& split,
                                                       std::span<const std::size_t> rows);

// The predictor's own kind of fit to the given rows of a split: least squares, or what pairs have in common.
// `seed` and `generator`: of a network's parameters before its fit.
std::optional<std::vector<double>> fitted_start(const Predictor& predictor, const Split& split,
                                                std::span<const std::size_t> rows, std::uint64_t seed = 0,
                                                InitialDraw generator = InitialDraw::kStreams);

bool has_truth_per_output(const Predictor& predictor, const Split& split);

struct RandomStart {
  std::vector<double> theta;
  SolveCounts solves;
};

// The random draw with the lowest mean cost on `rows`; the first is the one of `seed` itself.
RandomStart cheapest_random_start(Evaluator& evaluator, const TiledRows& rows, std::size_t draws,
                                  std::uint64_t seed, InitialDraw generator);

// How both polystepor methods start.
struct StartSetting {
  bool fit = true;                     // the predictor's own kind of fit, where it has one
  std::optional<PriorFit> prior = {};  // instead: fitted to what the problem itself would predict
  bool margin = false;                 // moved by the common safety margin that costs least
  std::size_t draws = 1;  // random starts to choose from by validation cost, where there is no fit
  std::uint64_t seed = 0;
  InitialDraw generator = InitialDraw::kStreams;
};

// The start on the given training rows. `plain`: these rows with true parameters only, where `data` charges
// them otherwise.
Found find_start(Evaluator& evaluator, const PreparedData& data, const Split* plain,
                 std::span<const std::size_t> rows, const StartSetting& setting);

// Sets the failure cost of an evaluator of prepared rows, by what random parameters decide.
SolveCounts prepare_failure_cost(Evaluator& evaluator, const Split& rows, std::uint64_t seed,
                                 Preparation& preparation);

// Mean absolute prediction over the given rows: the unit in which probes are commensurate with predictions. 1
// where the predictor puts its outputs into fixed units.
double prediction_size(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows);

}  // namespace polystep
