// Predictions of all rows at once against tile by tile, and what they are like.
#include "evaluation/tile_predictions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"
#include "polystep/team.hpp"

namespace polystep {
namespace {

Split some_rows(std::size_t rows, std::size_t features, std::size_t outputs) {
  Split split{.rows = rows,
              .feature_columns = features,
              .truth_columns = outputs,
              .features = {},
              .truth = {},
              .instances = {}};
  RandomStream stream(3, Purpose::kTest);
  for (std::size_t i = 0; i < rows * features; ++i) split.features.push_back(stream.normal());
  for (std::size_t i = 0; i < rows * outputs; ++i) split.truth.push_back(stream.normal());
  return split;
}

TEST(TilePredictions, AreThoseOfEveryTile) {
  ThreadTeam team(3);
  // The second is large enough for several tiles at a time, in single precision.
  for (const std::size_t features : {std::size_t{5}, std::size_t{1024}}) {
    const std::unique_ptr<Predictor> predictor = make_mlp(features, {1024}, 3);
    const Split split = some_rows(75, features, 3);
    const TiledRows rows(split);
    const std::vector<double> theta = predictor->initial_parameters(4);
    const TilePredictions all(*predictor, theta, rows, threads_of(team)), alone(*predictor, theta, rows);
    double sum = 0, squares = 0, error = 0;
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      AlignedDoubles expected(3 * tile.width);
      predictor->predict(theta, tile, expected.data());
      ASSERT_EQ(all.size(number), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(all.tile(number)[i], expected[i], 1e-4);
        EXPECT_EQ(all.tile(number)[i], alone.tile(number)[i]);
        if (i % tile.width >= tile.lanes) continue;
        sum += all.tile(number)[i];
        squares += all.tile(number)[i] * all.tile(number)[i];
        error += std::pow(all.tile(number)[i] - tile.truth[i], 2);
      }
    }
    const PredictionFigures figures = prediction_figures(*predictor, theta, rows);
    const double entries = 75 * 3;
    EXPECT_NEAR(figures.deviation, std::sqrt(squares / entries - sum * sum / entries / entries), 1e-9);
    EXPECT_NEAR(figures.squared_error.value(), error / entries, 1e-9);
  }
}

TEST(PredictionFigures, AConstantDoesNotDeviateAndSomeDataHaveNoTruth) {
  const std::unique_ptr<Predictor> predictor = make_mlp(5, {4}, 3);
  std::vector<double> theta(predictor->parameters(), 0.0);
  for (std::size_t o = 0; o < 3; ++o) theta[theta.size() - 3 + o] = 28.9;
  EXPECT_LT(prediction_figures(*predictor, theta, TiledRows(some_rows(20, 5, 3))).deviation, 1e-12);
  EXPECT_EQ(prediction_figures(*predictor, theta, TiledRows(some_rows(20, 5, 2))).squared_error,
            std::nullopt);
}

}  // namespace
}  // namespace polystep
