// First layers of a million weights: against double precision, there and back, alone and in company.
#include "predictors/large_layer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/batch_pass.hpp"
#include "polystep/team.hpp"
#include "predictors/tiles.hpp"

namespace polystep {
namespace {

constexpr std::size_t kInputs = 2050, kUnits = 513, kRows = 3;  // nothing is a multiple of anything

struct Network {
  std::unique_ptr<Predictor> predictor = make_shared_mlp(kInputs, {kUnits}, kRows);
  std::vector<double> theta = predictor->initial_parameters(4);
  std::vector<std::vector<double>> features;
  std::vector<Tile> tiles;

  explicit Network(std::size_t count) {
    for (std::size_t t = 0; t < count; ++t) features.push_back(normals(kRows * kInputs * kLanes, 10 + t));
    for (const std::vector<double>& values : features) tiles.push_back(tile_of(values));
  }

  // Sums of the first layer, and what an output is.
  std::vector<double> sums(std::size_t tile, std::size_t row, std::size_t lane) const {
    std::vector<double> all(kUnits);
    for (std::size_t u = 0; u < kUnits; ++u) {
      all[u] = theta[kUnits * kInputs + u];
      for (std::size_t i = 0; i < kInputs; ++i)
        all[u] += theta[u * kInputs + i] * features[tile][(row * kInputs + i) * kLanes + lane];
    }
    return all;
  }
  double head(std::size_t unit) const { return theta[kUnits * (kInputs + 1) + unit]; }
};

TEST(LargeLayer, PredictsAsDefinedAndWhateverIsBeside) {
  ASSERT_TRUE(LargeLayer::serves(kInputs, kUnits));
  const Network network(5);
  const std::size_t size = kRows * kLanes;
  std::vector<double> all(5 * size), alone(size);
  const auto pass = make_batch_pass(*network.predictor);
  ASSERT_NE(pass, nullptr);
  pass->predict(network.theta, network.tiles, all.data());
  for (std::size_t t = 0; t < 5; ++t) {
    network.predictor->predict(network.theta, network.tiles[t], alone.data());
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(all[t * size + i], alone[i]);
  }
  for (const std::size_t t : {0, 4})
    for (std::size_t row = 0; row < kRows; ++row) {
      double expected = network.theta.back();
      const std::vector<double> sums = network.sums(t, row, 5);
      for (std::size_t u = 0; u < kUnits; ++u) expected += network.head(u) * std::max(0.0, sums[u]);
      EXPECT_NEAR(all[t * size + row * kLanes + 5], expected, 1e-4);
    }
  ThreadTeam team(3);
  const auto shared = make_batch_pass(*network.predictor, [&](std::size_t slots, const auto& work) {
    team.for_each(slots, [&](std::size_t slot, std::size_t) { work(slot); });
  });
  std::vector<double> by_three(all.size());
  shared->predict(network.theta, network.tiles, by_three.data());
  EXPECT_EQ(by_three, all);
}

TEST(LargeLayer, PullsGradientsBackAsTilesDo) {
  const Network network(4);
  const std::unique_ptr<Predictor> scaled = make_scaled(network.predictor->clone(), {{25.0}, {6.0}});
  const std::size_t size = kRows * kLanes;
  const std::vector<double> slopes = normals(4 * size, 3);
  for (const Predictor* predictor : {network.predictor.get(), scaled.get()}) {
    std::vector<double> expected(network.theta.size()), gradient(network.theta.size(), 7.0),
        predictions(4 * size);
    for (std::size_t t = 0; t < 4; ++t)
      predictor->add_gradient(network.theta, network.tiles[t], slopes.data() + t * size, expected);
    const auto pass = make_batch_pass(*predictor);
    ASSERT_NE(pass, nullptr);
    pass->predict(network.theta, network.tiles, predictions.data());
    pass->pull_back(network.theta, network.tiles, slopes.data(), gradient);
    double error = 0, length = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      error += (gradient[i] - expected[i]) * (gradient[i] - expected[i]);
      length += expected[i] * expected[i];
    }
    EXPECT_LT(std::sqrt(error / length), 1e-5);
    const double deviation = predictor == scaled.get() ? 6 : 1, mean = predictor == scaled.get() ? 25 : 0;
    double expected_output = network.theta.back();
    const std::vector<double> sums = network.sums(1, 2, 0);
    for (std::size_t u = 0; u < kUnits; ++u) expected_output += network.head(u) * std::max(0.0, sums[u]);
    EXPECT_NEAR(predictions[size + 2 * kLanes], mean + deviation * expected_output, 1e-3);
  }
}

TEST(LargeLayer, StatesAreTheSameSums) {
  const Network network(1);
  const StagedPredictor& staged = *network.predictor->staged();
  const std::vector<double> rows = normals(2 * kRows * kInputs, 8);
  std::vector<float> states(2 * staged.state_size());
  staged.states(network.theta, rows, states.data());
  for (const std::size_t row : {std::size_t{0}, 2 * kRows - 1})
    for (const std::size_t u : {std::size_t{0}, kUnits - 1}) {
      double expected = network.theta[kUnits * kInputs + u];
      for (std::size_t i = 0; i < kInputs; ++i)
        expected += network.theta[u * kInputs + i] * rows[row * kInputs + i];
      EXPECT_NEAR(states[row * kUnits + u], expected, 1e-4);
    }
}

TEST(LargeLayer, IsNotForSmallNetworks) {
  EXPECT_EQ(make_batch_pass(*make_shared_mlp(100, {64}, 3)), nullptr);
  EXPECT_EQ(make_batch_pass(*make_linear(4000, 500)), nullptr);
}

}  // namespace
}  // namespace polystep
