#include "methods/starts/initial_fit.hpp"

#include <cmath>

#include "data/tables/split_rows.hpp"
#include "methods/constraints/safety_margin.hpp"
#include "methods/starts/common_features_start.hpp"
#include "methods/starts/least_squares.hpp"
#include "methods/starts/network_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {

bool has_truth_per_output(const Predictor& predictor, const Split& split) {
  for (std::size_t row = 0; row < split.rows; ++row) {
    const RowShape shape = split.shape(row);
    if (shape.truth != predictor.outputs_of(shape, split.instance(row))) return false;
    if (!split.ragged()) break;
  }
  return true;
}

std::optional<std::vector<double>> least_squares_start(const Predictor& predictor, const Split& split,
                                                       std::span<const std::size_t> rows) {
  const PredictorFacts facts = predictor.facts();
  if (!facts.affine() || !has_truth_per_output(predictor, split)) return std::nullopt;
  Split taken = take_rows(split, rows);
  if (const OutputScaling* units = predictor.output_scaling())  // fit what is trained: raw outputs
    for (std::size_t row = 0; row < taken.rows; ++row) {
      const std::span<double> truth = taken.truth_row(row);
      for (std::size_t o = 0; o < truth.size(); ++o)
        truth[o] = (truth[o] - units->mean_of(o)) / units->deviation_of(o);
    }
  if (facts.entry == FeatureEntry::kWhole) return least_squares_linear(taken);
  if (facts.entry == FeatureEntry::kPerOutput) return least_squares_shared(taken);
  return std::nullopt;
}

std::optional<std::vector<double>> fitted_start(const Predictor& predictor, const Split& split,
                                                std::span<const std::size_t> rows, std::uint64_t seed,
                                                InitialDraw generator) {
  if (has_network_fit(predictor, split)) return network_fit(predictor, split, rows, seed, generator);
  if (predictor.facts().entry == FeatureEntry::kPairs)
    return common_features_start(predictor, take_rows(split, rows));
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

Found find_start(Evaluator& evaluator, const PreparedData& data, const Split* plain,
                 std::span<const std::size_t> rows, const StartSetting& setting) {
  if (setting.prior)
    return {prior_start(evaluator, data.training, rows, *setting.prior, setting.seed, setting.generator), {}};
  const Split& fitted = plain != nullptr ? *plain : data.training;
  if (setting.fit)
    if (auto theta =
            fitted_start(*evaluator.task().predictor, fitted, rows, setting.seed, setting.generator)) {
      if (!setting.margin) return {std::move(*theta), {}};
      FitWithMargin fit = add_best_margin(evaluator, std::move(*theta), fitted, data.training, rows);
      return {std::move(fit.theta), fit.solves};
    }
  RandomStart start = cheapest_random_start(evaluator, TiledRows(data.validation), setting.draws,
                                            setting.seed, setting.generator);
  return {std::move(start.theta), start.solves};
}

SolveCounts prepare_failure_cost(Evaluator& evaluator, const Split& rows, std::uint64_t seed,
                                 Preparation& preparation) {
  const Found& found = preparation.part("the failure cost of prepared rows", [&]() -> Found {
    const std::vector<double> theta = evaluator.task().predictor->initial_parameters(seed);
    const SolveCounts solves = evaluator.calibrate_failure_cost(theta, rows);
    return {{evaluator.failure_cost()}, solves};
  });
  evaluator.set_failure_cost(found.numbers.front());
  return found.solves;
}

double prediction_size(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows) {
  if (predictor.output_scaling() != nullptr) return 1;  // what is trained is in units of the truth's spread
  AlignedDoubles prediction;
  double sum = 0;
  std::size_t entries = 0;
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    const Tile& tile = rows.tile(number);
    const std::size_t outputs = predictor.outputs_of(tile);
    prediction.resize(outputs * tile.width);
    predictor.predict(theta, tile, prediction.data());
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t lane = 0; lane < tile.lanes; ++lane)
        sum += std::abs(prediction[o * tile.width + lane]);
    entries += outputs * tile.lanes;
  }
  return sum / static_cast<double>(entries);
}

}  // namespace polystep
