#include "methods/starts/initial_fit.hpp"

#include <cmath>

#include "data/split_rows.hpp"
#include "methods/starts/common_features_start.hpp"
#include "methods/starts/least_squares.hpp"
#include "polystep/random.hpp"

namespace polystep {

std::optional<std::vector<double>> least_squares_start(const Predictor& predictor, const Split& split,
                                                       std::span<const std::size_t> rows) {
  if (split.truth_columns != predictor.outputs()) return std::nullopt;
  Split taken = take_rows(split, rows);
  if (const OutputScaling* units = predictor.output_scaling())  // fit what is trained: raw outputs
    for (std::size_t k = 0; k < taken.truth.size(); ++k) {
      const std::size_t o = k % taken.truth_columns;
      taken.truth[k] = (taken.truth[k] - units->mean[o]) / units->deviation[o];
    }
  if (predictor.kind() == "linear") return least_squares_linear(taken);
  if (predictor.kind() == "shared-linear") return least_squares_shared(taken);
  return std::nullopt;
}

std::optional<std::vector<double>> fitted_start(const Predictor& predictor, const Split& split,
                                                std::span<const std::size_t> rows) {
  if (predictor.kind() == "pair-network")
    return common_features_start(predictor.shape(), take_rows(split, rows));
  return least_squares_start(predictor, split, rows);
}

RandomStart cheapest_random_start(Evaluator& evaluator, const TiledRows& rows, std::size_t draws,
                                  std::uint64_t seed, InitialDraw generator) {
  const Predictor& predictor = *evaluator.task().predictor;
  RandomStart best{predictor.initial_parameters(seed, generator), {}};
  if (draws < 2) return best;
  double lowest = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const std::uint64_t own_seed =
        draw == 0 ? seed : RandomStream(seed, Purpose::kInitialParameters, ~0ull, draw).bits();
    std::vector<double> theta = predictor.initial_parameters(own_seed, generator);
    const Evaluation evaluation = evaluator.evaluate(theta, rows);
    best.solves += evaluation.solves;
    if (draw != 0 && !(evaluation.mean_cost < lowest)) continue;
    lowest = evaluation.mean_cost;
    best.theta = std::move(theta);
  }
  return best;
}

double prediction_size(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows) {
  if (predictor.output_scaling() != nullptr) return 1;  // what is trained is in units of the truth's spread
  AlignedDoubles prediction(predictor.outputs() * kLanes);
  double sum = 0;
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    const Tile tile = rows.tile(number);
    predictor.predict(theta, tile.features, prediction.data());
    for (std::size_t o = 0; o < predictor.outputs(); ++o)
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) sum += std::abs(prediction[o * kLanes + lane]);
  }
  return sum / static_cast<double>(rows.rows() * predictor.outputs());
}

}  // namespace polystep
