// Predictors put together: against a plain evaluation by definition, of instances alike and of any size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "input_error.hpp"
#include "polystep/instances.hpp"
#include "predictors/tiles.hpp"

namespace polystep {
namespace {

using Row = std::vector<double>;

// One row through layers of the given widths, straight from the definition.
double network(const std::vector<std::size_t>& widths, const std::vector<double>& theta, Row inputs,
               bool logistic = false) {
  std::size_t at = 0;
  for (std::size_t layer = 1; layer < widths.size(); ++layer) {
    Row units(widths[layer]);
    const std::size_t bias = at + widths[layer] * widths[layer - 1];
    for (std::size_t u = 0; u < units.size(); ++u) {
      units[u] = theta[bias + u];
      for (std::size_t i = 0; i < inputs.size(); ++i)
        units[u] += theta[at + u * inputs.size() + i] * inputs[i];
      if (layer + 1 < widths.size()) units[u] = std::max(units[u], 0.0);
    }
    at = bias + units.size();
    inputs = units;
  }
  return logistic ? 1 / (1 + std::exp(-inputs[0])) : inputs[0];
}

Row row_of(const std::vector<double>& table, std::size_t row, std::size_t features) {
  const auto first = table.begin() + static_cast<std::ptrdiff_t>(row * features);
  return {first, first + static_cast<std::ptrdiff_t>(features)};
}

Row joined(Row left, const Row& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t o = 0; o < found.size(); ++o)
    EXPECT_NEAR(found[o], expected[o], 1e-10 * (1 + std::abs(expected[o]))) << o;
}

// By lanes of a full tile, and alone; `plain` predicts one instance.
void expect_plain(const Predictor& predictor, const std::vector<double>& theta,
                  const std::function<std::vector<double>(const std::vector<double>&)>& plain) {
  const std::vector<double> features = normals(predictor.feature_columns() * kLanes, 2);
  const std::vector<double> together = predict(predictor, theta, tile_of(features));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<double> own = lane_of(features, lane);
    const std::vector<double> expected = plain(own);
    expect_near(lane_of(together, lane), expected);
    expect_near(predict(predictor, theta, tile_of(own, 1)), expected);
  }
}

TEST(SharedMlp, IsOneNetworkForEveryOutput) {
  // 90 outputs of 8 lanes are more rows than pass the layers together.
  for (const std::size_t outputs : {1u, 7u, 90u}) {
    const auto predictor = make_shared_mlp(5, {6, 4}, outputs);
    const std::vector<double> theta = normals(predictor->parameters(), 1);
    expect_plain(*predictor, theta, [&](const std::vector<double>& table) {
      std::vector<double> all;
      for (std::size_t o = 0; o < outputs; ++o)
        all.push_back(network({5, 6, 4, 1}, theta, row_of(table, o, 5)));
      return all;
    });
  }
}

TEST(PairMlp, ScoresEveryPair) {
  constexpr std::size_t kLeft = 9, kRight = 11;
  const auto predictor = make_pair_mlp(4, kLeft, kRight, {6, 3});
  const std::vector<double> theta = normals(predictor->parameters(), 1);
  expect_plain(*predictor, theta, [&](const std::vector<double>& table) {
    std::vector<double> all;
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t j = 0; j < kRight; ++j)
        all.push_back(
            network({8, 6, 3, 1}, theta, joined(row_of(table, i, 4), row_of(table, kLeft + j, 4)), true));
    return all;
  });
}

TEST(PairMlp, OfOneLayerIsThePairNetwork) {
  const auto network = make_pair_network(4, 3, 5, 6), composed = make_pair_mlp(4, 3, 5, {6});
  ASSERT_EQ(network->parameters(), composed->parameters());
  const std::vector<double> theta = normals(network->parameters(), 1);
  const std::vector<double> features = normals(network->feature_columns() * kLanes, 2);
  const std::vector<double> single = predict(*network, theta, tile_of(features));
  const std::vector<double> found = predict(*composed, theta, tile_of(features));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], single[i], 1e-5);
}

// Two graphs of different size.
std::shared_ptr<const Instances> two_graphs() {
  auto instances = std::make_shared<Instances>(std::vector<InstanceShape>{{3, 3}, {5, 5}});
  instances->set_edges({{{0, 1}, {1, 2}, {2, 2}}, {{0, 3}, {3, 1}, {2, 1}, {1, 0}, {3, 3}}});
  return instances;
}

TEST(EdgeMlp, ReadsTheTwoEndsOfEveryEdge) {
  const auto instances = two_graphs();
  for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{}, {6}, {6, 4}}) {
    const auto predictor = make_edge_mlp(4, hidden, instances, 0);
    EXPECT_EQ(predictor->affine(), hidden.empty());
    EXPECT_EQ(predictor->staged(), nullptr);  // instances differ
    EXPECT_EQ(predictor->outputs(), 0u);
    EXPECT_EQ(predictor->feature_columns(), 0u);
    const std::vector<double> theta = normals(predictor->parameters(), 1);
    std::vector<std::size_t> widths = {8};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(1);
    for (std::size_t instance = 0; instance < 2; ++instance) {
      const std::size_t nodes = instance == 0 ? 3 : 4;
      const std::vector<double> table = normals(nodes * 4, 10 + instance);
      Tile tile = tile_of(table, 1);
      tile.instance[0] = instance;
      ASSERT_EQ(predictor->outputs_of(tile), instances->shape(instance).outputs);
      std::vector<double> expected;
      for (const GraphEdge& edge : instances->edges(instance))
        expected.push_back(
            network(widths, theta, joined(row_of(table, edge.from, 4), row_of(table, edge.to, 4))));
      expect_near(predict(*predictor, theta, tile), expected);
    }
    EXPECT_EQ(predictor->outputs_of({.features = 4 * 4 + 1, .truth = 0}, 1), 0u);
    EXPECT_EQ(predictor->outputs_of({.features = 3 * 4, .truth = 0}, 1), 0u);  // an edge has no such node
  }
}

TEST(EdgeMlp, GradientsOfInstancesThatDifferMatchFiniteDifferences) {
  const auto predictor = make_scaled(make_edge_mlp(4, {6, 3}, two_graphs(), 0), {{3}, {0.5}});
  std::vector<double> theta = normals(predictor->parameters(), 1);
  const std::vector<double> table = normals(4 * 4, 2), weights = normals(5, 3);
  Tile tile = tile_of(table, 1);
  tile.instance[0] = 1;
  std::vector<double> gradient(theta.size());
  predictor->add_gradient(theta, tile, weights.data(), gradient);
  const auto value = [&] {
    const std::vector<double> prediction = predict(*predictor, theta, tile);
    double sum = 0;
    for (std::size_t o = 0; o < prediction.size(); ++o) sum += weights[o] * prediction[o];
    return sum;
  };
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double kept = theta[p];
    theta[p] = kept + 1e-6;
    const double above = value();
    theta[p] = kept - 1e-6;
    const double slope = (above - value()) / 2e-6;
    theta[p] = kept;
    EXPECT_NEAR(gradient[p], slope, 1e-6 * (1 + std::abs(slope))) << p;
  }
}

TEST(EdgeMlp, HasParametersButNoPredictionsWithoutItsGraphs) {
  const auto alone = make_predictor(make_edge_mlp(4, {6}, two_graphs(), 0)->shape());
  EXPECT_EQ(alone->parameters(), 6u * 8 + 6 + 6 + 1);
  const std::vector<double> theta(alone->parameters()), table(12);
  double prediction[3];
  EXPECT_EQ(
      input_error([&] { alone->predict(theta, tile_of(table, 1), prediction); }),
      "edge-mlp predictor: found no graph to predict the edges of, expected the instances it was made for");
}

// A predictor for any size against one made for the size at hand.
TEST(AnySize, PredictsLikeOneMadeForTheSize) {
  const auto any_linear = make_shared_linear(4, 0), any_mlp = make_shared_mlp(4, {5, 3}, 0);
  for (const std::size_t rows : {1u, 3u, 700u}) {  // the last in two blocks
    const std::vector<double> table = normals(rows * 4, rows);
    for (const Predictor* any : {any_linear.get(), any_mlp.get()}) {
      PredictorShape shape = any->shape();
      EXPECT_EQ(shape.outputs, 0u);
      shape.outputs = rows;
      const auto fixed = make_predictor(shape);
      const std::vector<double> theta = normals(any->parameters(), 1), weights = normals(rows, 9);
      EXPECT_EQ(any->outputs_of(tile_of(table, 1)), rows);
      EXPECT_EQ(predict(*any, theta, tile_of(table, 1)), predict(*fixed, theta, tile_of(table, 1)));
      std::vector<double> one(theta.size()), other(theta.size());
      any->add_gradient(theta, tile_of(table, 1), weights.data(), one);
      fixed->add_gradient(theta, tile_of(table, 1), weights.data(), other);
      EXPECT_EQ(one, other);
    }
  }
  EXPECT_EQ(any_mlp->outputs_of({.features = 10, .truth = 0}, 0), 0u);
  EXPECT_EQ(any_mlp->staged(), nullptr);
}

TEST(AnySize, OneUnitServesEveryOutput) {
  const OutputScaling units{{3}, {0.5}};
  const std::vector<double> table = normals(6 * 4, 1), weights = normals(6, 2);
  const auto raw = make_shared_mlp(4, {5}, 0);
  const auto scaled = make_scaled(make_shared_mlp(4, {5}, 0), units);
  const std::vector<double> theta = normals(raw->parameters(), 3);
  const std::vector<double> expected = predict(*raw, theta, tile_of(table, 1));
  const std::vector<double> found = predict(*scaled, theta, tile_of(table, 1));
  ASSERT_EQ(found.size(), 6u);
  for (std::size_t o = 0; o < 6; ++o) EXPECT_DOUBLE_EQ(found[o], expected[o] * 0.5 + 3);
  std::vector<double> gradient(theta.size()), scaled_gradient(theta.size());
  raw->add_gradient(theta, tile_of(table, 1), weights.data(), gradient);
  scaled->add_gradient(theta, tile_of(table, 1), weights.data(), scaled_gradient);
  for (std::size_t p = 0; p < theta.size(); ++p) EXPECT_NEAR(scaled_gradient[p], gradient[p] * 0.5, 1e-12);
}

TEST(Composed, RefusesPartsThatDoNotFit) {
  EXPECT_EQ(input_error([] { make_shared_mlp(3, {}, 2); }),
            "shared-mlp predictor: found no hidden layer or one without units, expected at least one unit in "
            "each");
  EXPECT_EQ(input_error([] {
              make_edge_mlp(3, {4, 0}, nullptr, 0);
            }),
            "edge-mlp predictor: found a hidden layer without units, expected at least one unit in each");
  EXPECT_EQ(input_error([] {
              make_predictor({"pair-mlp", 3, 7, 0, 2, {4}});
            }),
            "pair-mlp predictor: found 7 outputs and 2 left rows, expected a multiple of the left rows");
  EXPECT_EQ(input_error([] { make_shared_mlp(0, {4}, 2); }),
            "shared-mlp predictor: found rows without features, expected at least one");
}

}  // namespace
}  // namespace polystep
