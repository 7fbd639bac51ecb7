// Finished fits of networks: they end, near the noise and in the data's own units, and beat a fit that stops.
#include "methods/gradient/finished_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "methods/fits/network_fit.hpp"
#include "methods/fits/output_layer.hpp"
#include "methods/wide_tasks.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

// Two outputs of very different sizes, each a bent function of three features.
Split bent_rows(std::size_t rows, std::uint64_t seed) {
  Split split{
      .rows = rows, .feature_columns = 3, .truth_columns = 2, .features = {}, .truth = {}, .instances = {}};
  RandomStream stream(seed, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = stream.normal(), y = stream.normal(), z = stream.normal();
    for (const double feature : {x, y, z}) split.features.push_back(feature);
    split.truth.push_back(1000 + 50 * std::abs(x) - 20 * y);
    split.truth.push_back(-0.03 + 0.001 * std::max(0.0, x + z));
  }
  return split;
}

TEST(FinishedFit, EndsNearTheTruthInTheUnitsOfTheData) {
  const Split training = bent_rows(600, 1), validation = bent_rows(100, 2), fresh = bent_rows(200, 3);
  const std::unique_ptr<Predictor> predictor = make_mlp(3, {32}, 2);
  ThreadTeam team(1);
  NetworkFit fit(*predictor, training, validation, team, {.epochs = 60, .seed = 5});
  fit.run();
  EXPECT_TRUE(fit.finished());
  const std::vector<double> theta = fit.best();
  // What the fit says of itself, an ordinary predictor with its parameters does.
  EXPECT_NEAR(unexplained_share(*predictor, theta, TiledRows(validation),
                                truth_units(*predictor, training).deviation, team),
              fit.best_error(), 1e-9 * fit.best_error());
  const std::vector<double> predictions = predictions_of(*predictor, theta, TiledRows(fresh), team);
  const OutputScaling spread = truth_units(*predictor, fresh);
  for (std::size_t o = 0; o < 2; ++o) {
    double squares = 0;
    for (std::size_t row = 0; row < fresh.rows; ++row) {
      const double residual = predictions[row * 2 + o] - fresh.truth[row * 2 + o];
      squares += residual * residual / static_cast<double>(fresh.rows);
    }
    EXPECT_LT(squares, 0.02 * spread.deviation[o] * spread.deviation[o]) << "output " << o;
  }
}

TEST(FinishedFit, SameBitsForAnyNumberOfThreadsAndFromASavedState) {
  const Split training = bent_rows(150, 1), validation = bent_rows(40, 2);
  const std::unique_ptr<Predictor> predictor = make_mlp(3, {8}, 2);
  const NetworkFitSettings settings{.epochs = 6, .batch = 32, .patience = 3, .seed = 5};
  ThreadTeam one(1), four(4);
  NetworkFit expected(*predictor, training, validation, one, settings);
  expected.run();
  NetworkFit threaded(*predictor, training, validation, four, settings);
  for (int update = 0; update < 7; ++update) threaded.update();
  ArchiveWriter writer;
  threaded.save(writer);
  NetworkFit resumed(*predictor, training, validation, four, settings);
  ArchiveReader reader(writer.bytes(), "test");
  resumed.load(reader);
  EXPECT_TRUE(reader.exhausted());
  resumed.run();
  EXPECT_EQ(resumed.best(), expected.best());
  EXPECT_EQ(resumed.best_error(), expected.best_error());
}

TEST(OutputLayer, TakesLevelAndSlopeIntoItsWeights) {
  const Split rows = bent_rows(20, 4);
  ThreadTeam team(1);
  const OutputMap map{{2.0, -0.5}, {7.0, 0.25}};
  std::vector<std::unique_ptr<Predictor>> predictors;
  predictors.push_back(make_mlp(3, {5, 4}, 2));
  predictors.push_back(make_linear(3, 2));
  predictors.push_back(make_scaled(make_mlp(3, {5}, 2), {{10, 20}, {3, 4}}));
  for (const auto& predictor : predictors) {
    ASSERT_TRUE(ends_in_affine_layer(*predictor));
    const std::vector<double> theta = predictor->initial_parameters(1);
    const auto before = predictions_of(*predictor, theta, TiledRows(rows), team);
    const auto after =
        predictions_of(*predictor, with_output_map(*predictor, theta, map), TiledRows(rows), team);
    const auto constant = predictions_of(
        *predictor, constant_parameters(*predictor, std::vector<double>{3, -8}), TiledRows(rows), team);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after[i], map.slope[i % 2] * before[i] + map.shift[i % 2], 1e-12);
      EXPECT_NEAR(constant[i], i % 2 == 0 ? 3 : -8, 1e-12);
    }
  }
  EXPECT_FALSE(ends_in_affine_layer(*make_pair_network(2, 2, 3, 4)));  // its outputs are logistic
}

Options mse_options(const char* preset) {
  const MethodEntry& method = find_method("mse", "test");
  Options options(method.options, method.name);
  const Options none{OptionTable{}};
  const PresetContext context{.facts = {}, .published = "", .settings = none};
  for (const auto& [key, value] : method.preset(preset, "test").values(context))
    options.set(key, value, "test");
  return options;
}

TEST(FinishedFit, LearnsWhereTheFitThatStopsHasNotBegun) {
  const Task task = wide_task();
  Options stopped = mse_options("tuned"), finished = mse_options("tuned");
  stopped.set_text("fit", "adam", "test");
  stopped.set_text("epochs", "20", "test");
  stopped.set_text("rates", "1", "test");
  const MethodEntry& mse = find_method("mse", "test");
  const double before = *train(task, mse, stopped, {.seed = 1}).prediction_error;
  const double after = *train(task, mse, finished, {.seed = 1}).prediction_error;
  EXPECT_LT(after, 0.5 * before);
  EXPECT_LT(after, 0.4 * 36.7);  // the variance of the truth
}

TEST(FinishedFit, GoesOnToTheSameBitsFromASavedState) {
  const Task task = wide_task({.columns = 40, .training = 90, .validation = 20, .test = 8}, 6);
  Options options = mse_options("tuned");
  options.set_text("epochs", "4", "test");
  options.set_text("stall", "1", "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const LearnerContext context{evaluator, options, 4};
  FinishedLearner whole(context), first(context), second(context);
  const std::size_t steps = whole.plan().steps;
  ASSERT_EQ(steps, 2u * 4 * 3);
  for (std::size_t step = 0; step < steps; ++step) whole.step();
  for (std::size_t step = 0; step < 15; ++step) first.step();  // in the second rate
  ArchiveWriter writer;
  first.save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  second.load(reader);
  EXPECT_TRUE(reader.exhausted());
  for (std::size_t step = 15; step < steps; ++step) second.step();
  EXPECT_TRUE(std::ranges::equal(second.parameters(), whole.parameters()));
  EXPECT_EQ(second.selection_cost(), whole.selection_cost());
}

}  // namespace
}  // namespace polystep
