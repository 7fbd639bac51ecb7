// The theory of piecewise-constant losses: when probes see a decision change, and where the step then goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "black_box.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

// A linear decision problem: predicted cost of option x is constant[x] + slope[x] . y; the true cost is
// realised.
struct DecisionProblem {
  std::vector<double> constant;
  std::vector<std::vector<double>> slope;
  std::vector<double> truth;

  std::size_t decide(std::span<const double> y) const {
    std::size_t best = 0;
    std::vector<double> predicted(constant);
    for (std::size_t x = 0; x < predicted.size(); ++x) {
      predicted[x] += dot(slope[x], y);
      if (predicted[x] < predicted[best]) best = x;
    }
    return best;
  }
  double operator()(std::span<const double> y) const { return truth[decide(y)]; }

  // Distance from y = 0 at which the decision can first change when only coordinates first..last-1 move.
  double margin(std::size_t first, std::size_t last) const {
    const std::size_t now = decide(std::vector<double>(slope[0].size(), 0.0));
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t x = 0; x < constant.size(); ++x) {
      std::vector<double> change;
      for (std::size_t i = first; i < last; ++i) change.push_back(slope[x][i] - slope[now][i]);
      if (norm(change) > 0) nearest = std::min(nearest, (constant[x] - constant[now]) / norm(change));
    }
    return nearest;
  }
};

const DecisionProblem kThreeDecisions{{0, 0.8, 0.31}, {{0, 0}, {-1, 0}, {-0.5, 0}}, {1, 0, 2}};
const DecisionProblem kTwoBlocks{
    {0, 0.25, 0.25, 0.5}, {{0, 0, 0, 0}, {-1, 0, 0, 0}, {0, 0, -1, 0}, {-1, 0, -1, 0}}, {1, 0, 0, 2}};
const double kTemperature = 1 / std::log(3.0);  // three times the weight per unit of cost

TEST(Theory, ProbesInsideTheMarginGiveExactlyNoDirection) {
  EXPECT_DOUBLE_EQ(kThreeDecisions.margin(0, 2), 0.62);
  EXPECT_DOUBLE_EQ(kTwoBlocks.margin(0, 4), 0.25);
  EXPECT_DOUBLE_EQ(kTwoBlocks.margin(0, 2), 0.25);
  for (const auto& [problem, dimension] : {std::pair{kThreeDecisions, 2}, std::pair{kTwoBlocks, 4}}) {
    const double margin = problem.margin(0, std::size_t(dimension));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      PolyStepOptions options = plain_options(2, 0.99 * margin, 1);
      options.rotation = RotationKind::kHaar;
      PolyStep optimizer = at_origin(std::size_t(dimension), options, seed);
      take_step(optimizer, problem);
      for (const double d : optimizer.last_direction()) EXPECT_EQ(d, 0);
    }
    PolyStep outside = at_origin(std::size_t(dimension), plain_options(2, 1.01 * margin, 1));
    take_step(outside, problem);
    EXPECT_GT(norm(outside.last_direction()), 0);
  }
}

TEST(Theory, BoundaryIsDetectedWithoutBeingCrossed) {
  const std::vector<double> normal = {0.6, 0.8};
  const double distance = 0.45, jump = 2 * std::log(3.0);
  const auto loss = [&](std::span<const double> h) { return distance + dot(normal, h) > 0 ? jump : 0.0; };
  PolyStepOptions options = plain_options(2, 0.5, 1);
  options.radii = 2;
  options.probe_radius = Schedule::constant(1.5);  // probes at 1/2 and 1
  for (const double step_length : {1.0, 9.0 / 7}) {
    options.step_length = Schedule::constant(step_length);
    PolyStep optimizer = at_origin(2, options);
    take_step(optimizer, loss);
    EXPECT_NEAR(optimizer.last_direction()[0], -0.25, 1e-15);
    EXPECT_NEAR(optimizer.last_direction()[1], -0.25, 1e-15);
    EXPECT_NEAR(dot(normal, optimizer.last_direction()), -7.0 / 20, 1e-15);
    EXPECT_NEAR(distance + dot(normal, optimizer.parameters()), step_length == 1 ? 0.1 : 0.0, 1e-15);
  }
}

TEST(Theory, StepCanOvershootIntoAWorseDecision) {
  PolyStepOptions options = plain_options(2, 1, kTemperature);
  options.step_length = Schedule::constant(2.1);
  PolyStep optimizer = at_origin(2, options);
  EXPECT_EQ(evaluate(optimizer, kThreeDecisions), (std::vector<double>{0, 1, 1, 1}));
  take_step(optimizer, kThreeDecisions);
  EXPECT_NEAR(optimizer.last_direction()[0], 1.0 / 3, 1e-15);
  EXPECT_EQ(optimizer.last_direction()[1], 0);
  EXPECT_NEAR(optimizer.parameters()[0], 0.7, 1e-15);
  EXPECT_EQ(kThreeDecisions.decide(optimizer.parameters()), 2u);
  EXPECT_EQ(kThreeDecisions(optimizer.parameters()), 2);
}

TEST(Theory, BlocksThatHelpAloneCanHurtTogether) {
  PolyStep optimizer = at_origin(4, plain_options(2, 1, kTemperature));
  take_step(optimizer, kTwoBlocks);
  const auto d = copy(optimizer.last_direction());
  for (const std::size_t i : {0u, 2u}) EXPECT_NEAR(d[i], 1.0 / 3, 1e-15);
  for (const std::size_t i : {1u, 3u}) EXPECT_EQ(d[i], 0);
  EXPECT_EQ(kTwoBlocks(std::vector<double>{d[0], d[1], 0, 0}), 0);
  EXPECT_EQ(kTwoBlocks(std::vector<double>{0, 0, d[2], d[3]}), 0);
  EXPECT_EQ(kTwoBlocks(optimizer.parameters()), 2);
}

struct BoundarySetting {
  double distance;
  double outer;  // largest probe radius
};

class Boundary : public ::testing::TestWithParam<BoundarySetting> {};

// n.D has a closed form, is never positive, and is negative exactly when some probe reaches across the
// boundary.
TEST_P(Boundary, DirectionPointsAcrossExactlyWhenAProbeReachesIt) {
  const auto [distance, outer] = GetParam();
  const std::size_t q = 4, radii = 3;
  const double jump = 1.7, temperature = 0.9;
  PolyStepOptions options = plain_options(q, 1, temperature);
  options.rotation = RotationKind::kHaar;
  options.radii = radii;
  options.probe_radius = Schedule::constant(outer * 4 / 3);
  std::vector<double> normal = {0.5, -0.1, 0.7, 0.5};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    PolyStep optimizer = at_origin(q, options, seed);
    const auto loss = [&](std::span<const double> h) { return distance + dot(normal, h) > 0 ? jump : 0.0; };
    const Probes& probes = optimizer.ask();
    std::vector<double> reach(q), slope(q), mass(q);  // a_r, J alpha_r and the unnormalised pi_r
    double total = 0;
    for (std::size_t r = 0; r < q; ++r) {
      reach[r] = std::abs(dot(normal, probes.block_direction(0, r)));
      double crossing = 0;
      for (const double rho : probes.radii()) crossing += rho * reach[r] > distance ? 1.0 / radii : 0.0;
      slope[r] = jump * crossing;
      mass[r] = 1 + std::exp(slope[r] / temperature);
      total += mass[r];
    }
    double expected = 0;
    for (std::size_t r = 0; r < q; ++r)
      expected -= mass[r] / total * reach[r] * std::tanh(slope[r] / (2 * temperature));
    const double largest_reach = *std::max_element(reach.begin(), reach.end());
    take_step(optimizer, loss);
    const double along = dot(normal, optimizer.last_direction());
    EXPECT_NEAR(along, expected, 1e-14);
    EXPECT_EQ(along<0, outer * largest_reach> distance);
    if (outer > std::sqrt(double(q)) * distance) {
      EXPECT_LT(along, 0);
    }
    if (outer <= distance) {
      EXPECT_EQ(along, 0);
    }
    if (distance == 0) {  // every axis sees the whole jump
      double plain = 0;
      for (std::size_t r = 0; r < q; ++r) plain -= reach[r] / double(q) * std::tanh(jump / (2 * temperature));
      EXPECT_NEAR(along, plain, 1e-14);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Theory, Boundary,
                         ::testing::Values(BoundarySetting{0, 1}, BoundarySetting{0.4, 1},
                                           BoundarySetting{0.7, 1}, BoundarySetting{1, 1},
                                           BoundarySetting{0.2, 0.1}));

TEST(Theory, EquallyStrongConflictsCancelAndStrongerOnesWin) {
  const std::vector<double> normal = {0.6, 0.8};
  for (const double strength : {1.0, 3.0}) {
    PolyStepOptions options = plain_options(2, 1, 1);
    options.rotation = RotationKind::kHaar;
    PolyStep optimizer = at_origin(2, options);
    take_step(optimizer, [&](std::span<const double> h) {
      const double side = dot(normal, h);
      return ((side > 0 ? 1.0 : 0.0) + (side < 0 ? strength : 0.0)) / 2;
    });
    if (strength == 1) {
      EXPECT_EQ(norm(optimizer.last_direction()), 0);
    } else {
      EXPECT_GT(dot(normal, optimizer.last_direction()), 0);
    }
  }
}

TEST(Theory, PopulationMeanHasNoPlateauThoughEveryInstanceHas) {
  const double radius = 0.1, temperature = 0.5;
  PolyStep population = at_origin(1, plain_options(1, radius, temperature));
  take_step(population,
            [](std::span<const double> y) { return (1 + y[0]) / 2; });  // mean of [y > Z], Z ~ U(-1, 1)
  EXPECT_NEAR(population.last_direction()[0], -std::tanh(radius / (2 * temperature)), 1e-15);

  RandomStream random(4, Purpose::kTest);
  double sampled_mean[2] = {0, 0};
  constexpr int kInstances = 4000;
  for (int i = 0; i < kInstances; ++i) {
    const double z = random.uniform(-1, 1);
    const auto loss = [z](std::span<const double> y) { return y[0] > z ? 1.0 : 0.0; };
    PolyStep single = at_origin(1, plain_options(1, radius, temperature));
    const auto costs = evaluate(single, loss);
    for (std::size_t side = 0; side < 2; ++side) sampled_mean[side] += costs[side] / kInstances;
    single.tell(costs);
    if (std::abs(z) > radius) {
      EXPECT_EQ(single.last_direction()[0], 0);
    }
  }
  EXPECT_NEAR(sampled_mean[0], (1 + radius) / 2, 0.03);
  EXPECT_NEAR(sampled_mean[1], (1 - radius) / 2, 0.03);
  EXPECT_GT(sampled_mean[0], sampled_mean[1]);
}

// A solver that stops within a small predicted gap may realise any cost: the probes then see its error, not
// the loss.
TEST(Theory, SmallPredictedGapsCanCostArbitrarilyMuch) {
  const double gap = 1e-3;
  for (const double loss_of_second : {1.0, 1e3, 1e6}) {
    const auto realised = [&](double tolerance, bool lazy) {
      const double predicted[] = {0, gap};
      const std::size_t decision = lazy && predicted[1] - predicted[0] <= tolerance ? 1 : 0;
      return decision == 0 ? 0.0 : loss_of_second;
    };
    EXPECT_EQ(realised(gap, true) - realised(gap, false), loss_of_second);
    PolyStep exact = at_origin(1, plain_options(1, 1, 1)), loose = at_origin(1, plain_options(1, 1, 1));
    exact.tell(std::vector<double>{realised(0, true), realised(0, false)});
    loose.tell(std::vector<double>{realised(gap, true), realised(gap, false)});
    EXPECT_EQ(exact.last_direction()[0], 0);
    EXPECT_NEAR(loose.last_direction()[0], -std::tanh(loss_of_second / 2), 1e-14);
  }
}

}  // namespace
}  // namespace polystep
