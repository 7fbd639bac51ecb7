#include "methods/constraints/safety_margin.hpp"

#include <cmath>

namespace polystep {
namespace {

constexpr int kGridHalf = 10;  // steps to either side
constexpr double kGridStep = 0.4;
constexpr int kRefinements = 4;  // each halves the step

}  // namespace

bool has_output_biases(const Predictor& predictor) { return predictor.facts().has_output_rows(); }

std::vector<double> residual_deviations(const Predictor& predictor, std::span<const double> theta,
                                        const Split& split) {
  const std::size_t outputs = predictor.outputs();
  const OutputScaling* units = predictor.output_scaling();
  const TiledRows rows(split);
  AlignedDoubles prediction(outputs * kLanes);
  std::vector<double> deviations(outputs, 0.0);
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    const Tile& tile = rows.tile(number);
    predictor.predict(theta, tile, prediction.data());
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const double residual = prediction[o * kLanes + lane] - tile.truth[o * kLanes + lane];
        deviations[o] += residual * residual / static_cast<double>(split.rows);
      }
  }
  for (std::size_t o = 0; o < outputs; ++o)
    deviations[o] = std::sqrt(deviations[o]) / (units == nullptr ? 1 : units->deviation_of(o));
  return deviations;
}

std::vector<double> with_margin(const Predictor& predictor, std::span<const double> theta,
                                std::span<const double> deviations, double margin) {
  std::vector<double> moved(theta.begin(), theta.end());
  const std::size_t biases = moved.size() - predictor.outputs();
  for (std::size_t o = 0; o < predictor.outputs(); ++o) moved[biases + o] += margin * deviations[o];
  return moved;
}

double best_margin(const std::function<double(double)>& objective) {
  double best = 0, lowest = objective(0);
  const auto try_margin = [&](double margin) {
    if (const double found = objective(margin); found < lowest) {
      lowest = found;
      best = margin;
    }
  };
  for (int k = 1; k <= kGridHalf; ++k)
    for (const int sign : {-1, 1}) try_margin(sign * k * kGridStep);
  double step = kGridStep;
  for (int refinement = 0; refinement < kRefinements; ++refinement) {
    step /= 2;
    const double centre = best;
    try_margin(centre - step);
    try_margin(centre + step);
  }
  return best;
}

FitWithMargin add_best_margin(Evaluator& evaluator, std::vector<double> fit, const Split& plain,
                              const Split& charged, std::span<const std::size_t> rows) {
  const Predictor& predictor = *evaluator.task().predictor;
  const ProblemFacts facts = evaluator.task().problem->facts();
  if (!(facts.has_recourse || facts.predicts_constraints) || !has_output_biases(predictor))
    return {std::move(fit), {}};
  const std::vector<double> deviations = residual_deviations(predictor, fit, plain);
  TiledRows tiles;
  tiles.gather(charged, rows);
  FitWithMargin result;
  const double margin = best_margin([&](double candidate) {
    const Evaluation evaluation =
        evaluator.evaluate(with_margin(predictor, fit, deviations, candidate), tiles);
    result.solves += evaluation.solves;
    return evaluation.mean_cost;
  });
  result.theta = with_margin(predictor, fit, deviations, margin);
  return result;
}

}  // namespace polystep
