#include "polystep/predictor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "predictors/tiles.hpp"

namespace polystep {
namespace {

class EachPredictor : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Predictor> predictor = make_predictor({GetParam(), 5, 7});
  std::vector<double> theta = normals(predictor->parameters(), 1);
  std::vector<double> features = normals(predictor->feature_columns() * kLanes, 2);
};

// A direction with about `count` random entries.
Direction random_direction(std::size_t parameters, std::size_t count, std::uint64_t index) {
  RandomStream stream(2, Purpose::kTest, index);
  Direction direction;
  for (std::uint32_t i = 0; i < parameters; ++i) {
    if (stream.below(parameters) >= count) continue;
    direction.add(i, stream.normal());
  }
  return direction;
}

TEST_P(EachPredictor, ChangesOnlyTheTouchedOutputsAndByWhatAFullPredictionSays) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Direction direction = random_direction(theta.size(), 1 + trial % 12, trial);
    const double radius = 0.1 + static_cast<double>(trial % 5);
    const auto touched = predictor->touched_outputs(direction.parameters(), predictor->outputs());
    std::vector<double> change(touched.size() * kLanes);
    predictor->predict_change(direction, touched, 1, tile_of(features), change.data());
    std::vector<double> moved = theta;
    for (std::size_t n = 0; n < direction.size(); ++n)
      moved[direction.index()[n]] += radius * direction.value()[n];
    const std::vector<double> before = predict(*predictor, theta, tile_of(features));
    const std::vector<double> after = predict(*predictor, moved, tile_of(features));
    for (std::uint32_t o = 0; o < predictor->outputs(); ++o) {
      const auto slot = std::find(touched.begin(), touched.end(), o);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = o * kLanes + lane;
        if (slot == touched.end()) {
          EXPECT_EQ(before[at], after[at]);
        } else {
          const auto row = static_cast<std::size_t>(slot - touched.begin());
          EXPECT_NEAR(before[at] + radius * change[row * kLanes + lane], after[at], 1e-12);
        }
      }
    }
  }
}

TEST_P(EachPredictor, ChangesAlongADenseDirectionAsAlongTheSameSparseOne) {
  // All parameters, and a range that begins and ends within rows of weights.
  for (const std::size_t first : {std::size_t{0}, theta.size() / 3}) {
    Direction sparse, dense;
    const std::vector<double> values = normals(theta.size() - 2 * first, 7);
    std::copy(values.begin(), values.end(), dense.make_dense(first, values.size()).begin());
    for (std::size_t n = 0; n < values.size(); ++n)
      sparse.add(static_cast<std::uint32_t>(first + n), values[n]);
    ASSERT_EQ(dense.parameters(), sparse.parameters());
    const auto touched = predictor->touched_outputs(dense.parameters(), predictor->outputs());
    std::vector<double> expected(touched.size() * kLanes), found(expected.size());
    predictor->predict_change(sparse, touched, 1, tile_of(features), expected.data());
    predictor->predict_change(dense, touched, 1, tile_of(features), found.data());
    EXPECT_EQ(found, expected);
  }
}

TEST_P(EachPredictor, ChangesSeveralTilesLikeEachAlone) {
  constexpr std::size_t kTiles = 3;
  const std::size_t columns = predictor->feature_columns() * kLanes;
  const std::vector<double> many = normals(kTiles * columns, 4);
  const Direction direction = random_direction(theta.size(), 9, 5);
  const auto touched = predictor->touched_outputs(direction.parameters(), predictor->outputs());
  const std::size_t rows = touched.size() * kLanes;
  std::vector<double> together(kTiles * rows), alone(rows);
  Tile one = tile_of(features);
  one.features = many.data();
  predictor->predict_change(direction, touched, kTiles, one, together.data());
  for (std::size_t tile = 0; tile < kTiles; ++tile, one.features += columns) {
    predictor->predict_change(direction, touched, 1, one, alone.data());
    for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(together[tile * rows + i], alone[i]);
  }
}

TEST_P(EachPredictor, PullsGradientsBackLikeFiniteDifferences) {
  const std::vector<double> output_gradient = normals(predictor->outputs() * kLanes, 3);
  std::vector<double> gradient(theta.size(), 0.0);
  predictor->add_gradient(theta, tile_of(features), output_gradient.data(), gradient);
  const auto value = [&](const std::vector<double>& at) {
    const std::vector<double> prediction = predict(*predictor, at, tile_of(features));
    double sum = 0;
    for (std::size_t i = 0; i < prediction.size(); ++i) sum += prediction[i] * output_gradient[i];
    return sum;
  };
  for (std::size_t i = 0; i < theta.size(); ++i) {
    std::vector<double> up = theta, down = theta;
    up[i] += 1e-3;
    down[i] -= 1e-3;
    EXPECT_NEAR(gradient[i], (value(up) - value(down)) / 2e-3, 1e-9);
  }
}

TEST_P(EachPredictor, StartsUniformlyWithinTheFanInBound) {
  const double bound = 1 / std::sqrt(5.0);
  const auto first = predictor->initial_parameters(3);
  ASSERT_EQ(first.size(), predictor->parameters());
  EXPECT_EQ(first, predictor->initial_parameters(3));
  EXPECT_NE(first, predictor->initial_parameters(4));
  for (const double value : first) EXPECT_LE(std::abs(value), bound);
  EXPECT_GT(*std::max_element(first.begin(), first.end()), 0.0);
  EXPECT_LT(*std::min_element(first.begin(), first.end()), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachPredictor, testing::Values("linear", "shared-linear"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Predictor, PredictsByHand) {
  const auto linear = make_linear(2, 2);
  std::vector<double> features(2 * kLanes, 0.0), prediction(2 * kLanes);
  features[0 * kLanes + 3] = 2;  // z = (2, 5) in lane 3
  features[1 * kLanes + 3] = 5;
  linear->predict(std::vector<double>{1, 10, 100, 1000, 0.5, 0.25}, tile_of(features), prediction.data());
  EXPECT_EQ(prediction[0 * kLanes + 3], 52.5);
  EXPECT_EQ(prediction[1 * kLanes + 3], 5200.25);
  EXPECT_EQ(prediction[0 * kLanes], 0.5);

  const auto shared = make_shared_linear(2, 2);
  std::vector<double> slots(4 * kLanes, 0.0);
  for (std::size_t f = 0; f < 4; ++f)
    slots[f * kLanes] = static_cast<double>(f + 1);  // slot features (1, 2), (3, 4)
  shared->predict(std::vector<double>{1, 10, 0.5}, tile_of(slots), prediction.data());
  EXPECT_EQ(prediction[0], 21.5);
  EXPECT_EQ(prediction[kLanes], 43.5);
}

TEST(Predictor, RefusesUnknownKinds) {
  EXPECT_THROW(make_predictor({"forest", 1, 1}), InputError);
  const std::string sentence = input_error([] { find_predictor("shared-mpl", "here"); });
  EXPECT_TRUE(sentence.ends_with("did you mean 'shared-mlp'?")) << sentence;
}

// Scaling changes units and nothing else: predictions, changes and gradients agree with the raw ones.
TEST(ScaledOutputs, ArePredictionsInOtherUnits) {
  const OutputScaling units{{5, -2, 100}, {2, 0.5, 30}};
  const auto raw = make_linear(4, 3);
  const auto scaled = make_scaled(make_linear(4, 3), units);
  EXPECT_EQ(scaled->kind(), "linear");
  const std::vector<double> theta = normals(15, 11), features = normals(4 * kLanes, 12);
  std::vector<double> expected(3 * kLanes), found(3 * kLanes), moved(3 * kLanes), change(3 * kLanes);
  raw->predict(theta, tile_of(features), expected.data());
  scaled->predict(theta, tile_of(features), found.data());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_DOUBLE_EQ(found[k], expected[k] * units.deviation[k / kLanes] + units.mean[k / kLanes]);
  const Direction direction{{1, 6, 14}, {0.3, -1, 2}};
  std::vector<double> further = theta;
  for (std::size_t n = 0; n < 3; ++n) further[direction.index()[n]] += direction.value()[n];
  scaled->predict(further, tile_of(features), moved.data());
  const std::vector<std::uint32_t> touched = {0, 1, 2};
  scaled->predict_change(direction, touched, 1, tile_of(features), change.data());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(moved[k] - found[k], change[k], 1e-12);
  // Along a direction, the gradient pulled back is the gradient of predictions times their change.
  const std::vector<double> output_gradient = normals(3 * kLanes, 13);
  std::vector<double> gradient(15);
  scaled->add_gradient(theta, tile_of(features), output_gradient.data(), gradient);
  double pulled = 0, direct = 0;
  for (std::size_t n = 0; n < 3; ++n) pulled += gradient[direction.index()[n]] * direction.value()[n];
  for (std::size_t k = 0; k < change.size(); ++k) direct += output_gradient[k] * change[k];
  EXPECT_NEAR(pulled, direct, 1e-10);
}

TEST(ScaledOutputs, NeedUnitsForEveryOutput) {
  EXPECT_THROW(make_scaled(make_linear(4, 3), {{1, 2}, {1, 2}}), InputError);
  EXPECT_THROW(make_scaled(make_linear(4, 1), {{1}, {0}}), InputError);
  EXPECT_THROW(make_scaled(make_linear(4, 3), {{1}, {1, 2, 3}}), InputError);
  EXPECT_THROW(make_scaled(make_shared_linear(4, 0), {{}, {}}), InputError);
}

}  // namespace
}  // namespace polystep
