// The network that estimates numbers for sets of nodes: its size, its gradient, and estimates that compute
// only what a set changes.
#include "predictors/set_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

// A ring with some chords.
SetNetwork::Graph ring(std::size_t nodes, std::size_t numbers, std::uint64_t seed) {
  SetNetwork::Graph graph;
  graph.nodes = nodes;
  RandomStream random(seed, Purpose::kTest);
  for (std::size_t k = 0; k < nodes * numbers; ++k)
    graph.numbers.push_back(static_cast<float>(random.normal()));
  for (std::uint32_t k = 0; k < nodes; ++k) {
    graph.neighbours.emplace_back(k, (k + 1) % nodes);
    if (k % 5 == 0 && k + 3 < nodes) graph.neighbours.emplace_back(k, k + 3);
  }
  return graph;
}

TEST(SetNetwork, HasThePublishedSize) { EXPECT_EQ(SetNetwork(8).parameters(), 252'297u); }

TEST(SetNetwork, StartsTheSameForTheSameSeed) {
  const SetNetwork network(4);
  EXPECT_EQ(network.initial_parameters(3), network.initial_parameters(3));
  EXPECT_NE(network.initial_parameters(3), network.initial_parameters(4));
}

TEST(SetNetwork, EstimatesASetAlikeAloneAndByWhatItChanges) {
  const SetNetwork network(4);
  const std::vector<float> theta = network.initial_parameters(1);
  const std::vector<SetNetwork::Graph> graphs = {ring(40, 3, 1), ring(7, 3, 2), ring(1, 3, 3)};
  RandomStream random(5, Purpose::kTest);
  for (std::uint32_t g = 0; g < graphs.size(); ++g) {
    SetNetwork::Estimator estimator(network, theta, graphs[g]);
    SetNetwork::Estimator copy(estimator);
    for (int attempt = 0; attempt < 40; ++attempt) {
      SetNetwork::Sample sample{g, {}, 0};
      for (std::uint32_t node = 0; node < graphs[g].nodes; ++node)
        if (random.below(graphs[g].nodes) < 3) sample.nodes.push_back(node);
      const double estimate = estimator.estimate(sample.nodes);
      EXPECT_EQ(copy.estimate(sample.nodes), estimate);
      // The error against 0 is the estimate's size; against a number far below it, the estimate itself.
      sample.target = -1000;
      EXPECT_NEAR(network.error(theta, graphs, std::span(&sample, 1), {}) - 1000, estimate,
                  1e-4 * (1 + std::abs(estimate)));
    }
  }
}

TEST(SetNetwork, GradientIsThatOfTheError) {
  const SetNetwork network(3);
  std::vector<float> theta = network.initial_parameters(2);
  RandomStream random(7, Purpose::kTest);
  const std::vector<SetNetwork::Graph> graphs = {ring(6, 2, 1), ring(9, 2, 2)};
  const std::vector<SetNetwork::Sample> samples = {
      {0, {0, 1, 2}, -5}, {1, {4, 5}, 40}, {1, {0, 8}, -3}, {0, {3}, 30}};
  std::vector<float> gradient(network.parameters());
  network.error(theta, graphs, samples, gradient);
  // Along random directions, since single parameters are lost in single precision.
  for (int attempt = 0; attempt < 6; ++attempt) {
    std::vector<float> direction(theta.size());
    double slope = 0;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      direction[k] = static_cast<float>(random.normal());
      slope += static_cast<double>(direction[k]) * static_cast<double>(gradient[k]);
    }
    constexpr float kStep = 2e-5f;
    std::vector<float> ahead = theta, behind = theta;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      ahead[k] += kStep * direction[k];
      behind[k] -= kStep * direction[k];
    }
    const double difference =
        (network.error(ahead, graphs, samples, {}) - network.error(behind, graphs, samples, {})) /
        (2 * static_cast<double>(kStep));
    EXPECT_NEAR(difference, slope, 0.03 * std::abs(slope) + 0.05);
  }
}

}  // namespace
}  // namespace polystep
