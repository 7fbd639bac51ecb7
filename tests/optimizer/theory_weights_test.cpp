// The theory of one cost row: what softmax weights are optimal for, and what leaves them and the direction
// unchanged.
#include <gtest/gtest.h>

#include <cmath>

#include "black_box.hpp"
#include "optimizer/polytope.hpp"
#include "optimizer/rotation.hpp"
#include "optimizer/weights.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

std::vector<double> softmax(const std::vector<double>& costs, double temperature) {
  std::vector<double> weights(costs.size());
  softmax_weights(costs, temperature, weights);
  return weights;
}

std::vector<double> random_numbers(std::size_t count, std::uint64_t index) {
  std::vector<double> numbers(count);
  RandomStream(21, Purpose::kTest, index).fill_normal(numbers);
  return numbers;
}

std::vector<double> random_rotation(std::size_t q, std::uint64_t index) {
  std::vector<double> rotation(q * q), reflector;
  RandomStream random(22, Purpose::kTest, index);
  draw_rotation(random, q, rotation, reflector);
  return rotation;
}

// D of one block for given costs, through the polytope the optimizer uses.
std::vector<double> direction(const Polytope& polytope, const std::vector<double>& rotated,
                              const std::vector<double>& weights) {
  const std::size_t q = polytope.dimension();
  std::vector<double> d(q, 0.0);
  for (std::size_t v = 0; v < polytope.vertices(); ++v)
    for (std::size_t i = 0; i < q; ++i) d[i] += weights[v] * rotated[v * q + i];
  return d;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(Theory, SoftmaxIsTheRowOptimumAndTheGapIsARelativeEntropy) {
  const double temperature = 0.7;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const auto costs = random_numbers(6, trial);
    const auto p = softmax(costs, temperature);
    const auto w = softmax(random_numbers(6, 100 + trial), 1);  // any other weights
    const auto objective = [&](const std::vector<double>& x) {
      double sum = 0;
      for (std::size_t v = 0; v < 6; ++v) sum += costs[v] * x[v] + temperature * x[v] * std::log(x[v]);
      return sum;
    };
    double divergence = 0;
    for (std::size_t v = 0; v < 6; ++v) divergence += w[v] * std::log(w[v] / p[v]);
    EXPECT_NEAR(objective(w) - objective(p), temperature * divergence, 1e-12);
    EXPECT_GT(divergence, 0);
  }
}

TEST(Theory, RowShiftAndCommonScaleLeaveWeightsUnchanged) {
  const auto costs = random_numbers(6, 1);
  auto shifted = costs, scaled = costs;
  for (double& cost : shifted) cost += 17.5;
  for (double& cost : scaled) cost *= 3;
  const auto expected = softmax(costs, 0.7), after_shift = softmax(shifted, 0.7),
             after_scale = softmax(scaled, 2.1);
  for (std::size_t v = 0; v < 6; ++v) {
    EXPECT_NEAR(after_shift[v], expected[v], 1e-13);
    EXPECT_NEAR(after_scale[v], expected[v], 1e-13);
  }
}

// Which of two predictors is better can depend on how regret is measured; each measure moves the optimizer
// its way.
TEST(Theory, MeanAndRelativeRegretCanPreferOppositePredictors) {
  const double optima[] = {1, 100}, a[] = {1, 110}, b[] = {2, 100};
  const auto mean_regret = [&](const double* cost, bool relative) {
    double sum = 0;
    for (int i = 0; i < 2; ++i) sum += (cost[i] - optima[i]) / (relative ? optima[i] : 1) / 2;
    return sum;
  };
  EXPECT_DOUBLE_EQ(mean_regret(a, false), 5);
  EXPECT_DOUBLE_EQ(mean_regret(b, false), 0.5);
  EXPECT_DOUBLE_EQ(mean_regret(a, true), 1.0 / 20);
  EXPECT_DOUBLE_EQ(mean_regret(b, true), 1.0 / 2);
  for (const bool relative : {false, true}) {
    PolyStep optimizer = at_origin(1, plain_options(1, 1, 1));
    optimizer.tell(
        std::vector<double>{mean_regret(a, relative), mean_regret(b, relative)});  // A is up, B is down
    EXPECT_EQ(optimizer.parameters()[0] > 0, relative);
  }
}

// Standardising a batch of per-instance costs changes them beyond a shift once references are subtracted.
TEST(Theory, BatchStandardisationIsNotShiftSafe) {
  const std::vector<double> costs = {2, 4}, references = {1, 4};
  const auto centred = [](std::vector<double> x) {
    const double mean = (x[0] + x[1]) / 2;
    return std::vector<double>{x[0] - mean, x[1] - mean};
  };
  const std::vector<double> regrets = {costs[0] - references[0], costs[1] - references[1]};
  EXPECT_EQ(regrets, (std::vector<double>{1, 0}));
  EXPECT_EQ(centred(costs), (std::vector<double>{-1, 1}));
  EXPECT_EQ(centred(regrets), (std::vector<double>{0.5, -0.5}));
  EXPECT_EQ(dot(centred(costs), centred(costs)) / 2, 1);
  EXPECT_EQ(dot(centred(regrets), centred(regrets)) / 2, 0.25);
  // As cost rows the two move a point in opposite directions, whereas a common shift moves it the same way.
  const auto move = [](std::vector<double> row) {
    PolyStep optimizer = at_origin(1, plain_options(1, 1, 1));
    optimizer.tell(row);
    return optimizer.parameters()[0];
  };
  EXPECT_LT(move(centred(costs)) * move(centred(regrets)), 0);
  EXPECT_EQ(move(costs), move(centred(costs)));
}

TEST(Theory, SimplexDirectionLengthMeasuresUnevenness) {
  for (const std::size_t q : {1u, 2u, 5u, 8u}) {
    const Polytope simplex(PolytopeKind::kSimplex, q);
    const std::size_t vertices = simplex.vertices();
    std::vector<double> rotated(vertices * q);
    simplex.rotate(random_rotation(q, q), rotated);
    const auto weights = softmax(random_numbers(vertices, q), 1);
    const auto d = direction(simplex, rotated, weights);
    const double n = static_cast<double>(vertices);
    double spread = 0;
    for (const double w : weights) spread += (w - 1 / n) * (w - 1 / n);
    EXPECT_NEAR(dot(d, d), n / (n - 1) * spread, 1e-14);
    EXPECT_GT(dot(d, d), 0);
    EXPECT_NEAR(norm(direction(simplex, rotated, std::vector<double>(vertices, 1 / n))), 0, 1e-15);
  }
}

TEST(Theory, OrthoplexIsBlindToBalancedPairs) {
  for (const double temperature : {0.1, 1.0, 30.0}) {
    PolyStep optimizer = at_origin(2, plain_options(2, 1, temperature));
    optimizer.tell(std::vector<double>{0, 1, 0, 1});  // +e1, +e2, -e1, -e2
    EXPECT_EQ(copy(optimizer.last_direction()), (std::vector<double>{0, 0}));
    EXPECT_EQ(optimizer.report().flat_blocks, 0u);
  }
  const auto weights = softmax({0, 0, 1, 1}, 1);
  EXPECT_NEAR(weights[0], 0.36553, 5e-6);
  EXPECT_NEAR(weights[2], 0.13447, 5e-6);
}

TEST(Theory, OrthoplexDirectionIsASumOfHyperbolicTangents) {
  const std::size_t q = 5;
  const double temperature = 0.6;
  PolyStepOptions options = plain_options(q, 1, temperature);
  options.rotation = RotationKind::kHaar;
  PolyStep optimizer = at_origin(q, options);
  const auto costs = random_numbers(2 * q, 3);
  const auto weights = softmax(costs, temperature);
  std::vector<double> expected(q, 0.0);
  for (std::size_t r = 0; r < q; ++r) {
    const double mass = weights[r] + weights[r + q];
    const double slope = std::tanh((costs[r] - costs[r + q]) / (2 * temperature));
    const auto axis = optimizer.ask().block_direction(0, r);
    for (std::size_t i = 0; i < q; ++i) expected[i] -= mass * slope * axis[i];
  }
  optimizer.tell(costs);
  for (std::size_t i = 0; i < q; ++i) EXPECT_NEAR(optimizer.last_direction()[i], expected[i], 1e-14);
}

TEST(Theory, DirectionIsStableUnderCostErrors) {
  const Polytope polytope(PolytopeKind::kOrthoplex, 4);
  std::vector<double> rotated(8 * 4);
  polytope.rotate(random_rotation(4, 7), rotated);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const double temperature = 0.2 + 0.01 * static_cast<double>(trial), beta = 0.5;
    const auto costs = random_numbers(8, trial);
    auto perturbed = costs;
    RandomStream random(23, Purpose::kTest, trial);
    for (double& cost : perturbed) cost += 4 + random.uniform(-beta, beta);  // a common shift is free
    const double change = distance(direction(polytope, rotated, softmax(costs, temperature)),
                                   direction(polytope, rotated, softmax(perturbed, temperature)));
    const double bound = 2 * std::tanh(beta / (2 * temperature));
    EXPECT_LE(change, bound);
    EXPECT_LE(bound, std::min(2.0, beta / temperature));
  }
}

TEST(Theory, StabilityBoundIsSharp) {
  const double beta = 0.7, temperature = 0.4;
  const auto d = [&](double cost) {
    const auto w = softmax({-cost, cost}, temperature);
    return w[0] - w[1];
  };
  EXPECT_NEAR(d(beta / 2) - d(-beta / 2), 1.4078112, 5e-8);
  EXPECT_NEAR(2 * std::tanh(beta / (2 * temperature)), d(beta / 2) - d(-beta / 2), 1e-14);
}

TEST(Theory, DirectionIsNearlyLinearInSmallCosts) {
  for (const auto& [name, kind] : kPolytopeKinds) {
    const Polytope polytope(kind, 4);
    const std::size_t vertices = polytope.vertices();
    std::vector<double> rotated(vertices * 4);
    polytope.rotate(random_rotation(4, 9), rotated);
    for (const double size : {0.01, 0.1, 1.0, 5.0}) {
      auto costs = random_numbers(vertices, 5);
      for (double& cost : costs) cost *= size;
      const double temperature = 0.8;
      auto error = direction(polytope, rotated, softmax(costs, temperature));
      for (std::size_t v = 0; v < vertices; ++v)
        for (std::size_t i = 0; i < 4; ++i)
          error[i] += costs[v] * rotated[v * 4 + i] / (static_cast<double>(vertices) * temperature);
      const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
      EXPECT_LE(norm(error), std::pow((*high - *low) / (2 * temperature), 2)) << name;
    }
  }
}

TEST(Theory, LinearisedDirectionIsTheGradientTimesAKnownConstant) {
  const std::size_t q = 6;
  const double temperature = 1.3, radius = 0.9;
  const double gamma = radius / (static_cast<double>(q) * temperature);
  const auto gradient = random_numbers(q, 31);
  for (const PolytopeKind kind : {PolytopeKind::kOrthoplex, PolytopeKind::kSimplex, PolytopeKind::kCube}) {
    const Polytope polytope(kind, q);
    std::vector<double> rotated(polytope.vertices() * q), sum(q, 0.0);
    polytope.rotate(random_rotation(q, 31), rotated);
    for (std::size_t v = 0; v < polytope.vertices(); ++v) {
      const std::span<const double> u = std::span(rotated).subspan(v * q, q);
      const double cost = radius * dot(gradient, u);
      for (std::size_t i = 0; i < q; ++i)
        sum[i] -= cost * u[i] / (static_cast<double>(polytope.vertices()) * temperature);
    }
    for (std::size_t i = 0; i < q; ++i) EXPECT_NEAR(sum[i], -gamma * gradient[i], 1e-14);
  }
}

}  // namespace
}  // namespace polystep
