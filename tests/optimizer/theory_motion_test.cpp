// The theory of whole runs: what momentum adds up to, how far a point can coast, and that references do not
// matter.
#include <gtest/gtest.h>

#include <cmath>

#include "black_box.hpp"
#include "optimizer/motion.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

Schedule linear(double start, double end, std::size_t horizon) {
  return {.kind = ScheduleKind::kLinear, .start = start, .end = end, .horizon = horizon};
}

double bumpy(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::floor(4 * std::abs(x[i] - 1 - 0.1 * double(i)));
  return sum;
}

// One full run: D_t, v_{t+1} and y_t of every step.
struct Trajectory {
  std::vector<std::vector<double>> d, v, y;
};

Trajectory run(const PolyStepOptions& options, std::size_t dimension, int steps) {
  PolyStep optimizer = at_origin(dimension, options);
  Trajectory trajectory;
  trajectory.y.push_back(copy(optimizer.coordinates()));
  for (int t = 0; t < steps; ++t) {
    take_step(optimizer, bumpy);
    trajectory.d.push_back(copy(optimizer.last_direction()));
    trajectory.v.push_back(copy(optimizer.velocity()));
    trajectory.y.push_back(copy(optimizer.coordinates()));
  }
  return trajectory;
}

constexpr int kSteps = 25;

PolyStepOptions with_momentum() {
  PolyStepOptions options;
  options.block_size = 3;
  options.momentum = linear(0.5, 0.9, 24);
  options.step_length = linear(1.0, 0.4, 25);
  options.velocity_gain = 0.8;
  return options;
}

// Losses are multiples of 1/64, so subtracting references is exact and the runs must agree bit for bit.
TEST(Theory, SubtractingReferencesLeavesTheTrajectoryUnchanged) {
  const auto loss = [](std::span<const double> x) { return bumpy(x) / 64; };
  const auto regret = [](std::span<const double> x) { return bumpy(x) / 64 - 83.0 / 64; };
  for (const auto& [name, scale] : kCostScales)
    for (const double momentum : {0.0, 0.7}) {
      PolyStepOptions options;
      options.cost_scale = scale;
      options.momentum = Schedule::constant(momentum);
      PolyStep by_cost = at_origin(10, options), by_regret = at_origin(10, options);
      bool equal = true;
      for (int t = 0; t < 20; ++t) {
        take_step(by_cost, loss);
        take_step(by_regret, regret);
        equal = equal && copy(by_cost.parameters()) == copy(by_regret.parameters());
      }
      EXPECT_GT(norm(by_cost.coordinates()), 0);
      // A scale that looks at the costs themselves, not at differences, is the one that references disturb.
      EXPECT_EQ(equal, scale != CostScale::kRawMean && scale != CostScale::kMax) << name;
    }
}

TEST(Theory, VelocityIsTheDiscountedSumOfSteps) {
  const PolyStepOptions options = with_momentum();
  const Trajectory trajectory = run(options, 6, kSteps);
  double bound = 0;
  for (std::size_t t = 0; t < kSteps; ++t) {
    std::vector<double> expected(6, 0.0);
    bound = 0;
    for (std::size_t k = 0; k <= t; ++k) {
      double discount = options.step_length.value(k);
      for (std::size_t l = k + 1; l <= t; ++l) discount *= options.momentum.value(l);
      for (std::size_t i = 0; i < 6; ++i) expected[i] += discount * trajectory.d[k][i];
      bound += discount;
    }
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(trajectory.v[t][i], expected[i], 1e-13);
    EXPECT_LE(norm(trajectory.v[t]), std::sqrt(2.0) * bound);
    std::vector<double> move(6);
    for (std::size_t i = 0; i < 6; ++i) move[i] = trajectory.y[t + 1][i] - trajectory.y[t][i];
    EXPECT_LE(norm(move), 0.8 * 1.0 * std::sqrt(2.0) / (1 - 0.9));
  }
  EXPECT_GT(norm(trajectory.v.back()), 0);
}

TEST(Theory, OldVelocityCanOutweighAGoodDirection) {
  const double distance = 0.3;  // to a boundary at y = -0.3, which the direction points to
  Motion motion(1);
  motion.velocity[0] = 1;  // a = -n.v = -1
  motion.advance(std::vector<double>{-0.25}, 1, 0.5, 1);
  EXPECT_DOUBLE_EQ(distance + motion.y[0], distance + 0.25);
  Motion at_rest(1);
  at_rest.advance(std::vector<double>{-0.25}, 1, 0.5, 1);
  EXPECT_DOUBLE_EQ(distance + at_rest.y[0], distance - 0.25);
}

TEST(Theory, PointCoastsAcrossAPlateauByAGeometricSum) {
  struct Coast {
    double momentum;
    int steps;
    double factor;
  };
  for (const Coast& coast : {Coast{0.5, 3, 0.875}, Coast{0.9, 5, 3.68559}}) {
    PolyStepOptions options = plain_options(2, 1, 1);
    options.momentum = Schedule::constant(coast.momentum);
    PolyStep optimizer = at_origin(2, options);
    optimizer.tell(std::vector<double>{0, 1, 2, 3});
    const auto start = copy(optimizer.coordinates()), velocity = copy(optimizer.velocity());
    ASSERT_GT(norm(velocity), 0);
    for (int t = 0; t < coast.steps; ++t) optimizer.tell(std::vector<double>(4, 5.0));
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(optimizer.coordinates()[i] - start[i], coast.factor * velocity[i], 1e-13);
  }
  PolyStepOptions options = plain_options(2, 1, 1);
  options.momentum = Schedule::constant(0.9);
  PolyStep at_rest = at_origin(2, options);
  for (int t = 0; t < 5; ++t) at_rest.tell(std::vector<double>(4, 5.0));
  EXPECT_EQ(copy(at_rest.coordinates()), (std::vector<double>{0, 0}));
}

// The sequence z_t = y_t + gain c_t v_t moves along D_t alone, which turns momentum into plain steps in the
// analysis.
TEST(Theory, AuxiliarySequenceTakesPlainSteps) {
  const PolyStepOptions options = with_momentum();
  const double gain = options.velocity_gain;
  const Trajectory trajectory = run(options, 6, kSteps);
  std::vector<double> c(kSteps + 1, 0.0);
  for (std::size_t t = kSteps; t-- > 0;) c[t] = options.momentum.value(t) * (1 + c[t + 1]);
  const auto z = [&](std::size_t t) {
    std::vector<double> point = trajectory.y[t];
    for (std::size_t i = 0; i < 6 && t > 0; ++i) point[i] += gain * c[t] * trajectory.v[t - 1][i];
    return point;
  };
  EXPECT_EQ(z(0), trajectory.y[0]);
  EXPECT_EQ(z(kSteps), trajectory.y[kSteps]);
  for (std::size_t t = 0; t < kSteps; ++t) {
    const double step = gain * options.step_length.value(t) * (1 + c[t + 1]);
    const auto now = z(t), next = z(t + 1);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(next[i], now[i] + step * trajectory.d[t][i], 1e-12);
  }
}

// On a quadratic the smoothed loss has the loss's own gradient, so the convergence rate can be checked number
// by number: step a / sqrt(T), with and without momentum.
TEST(Theory, MeanSquaredGradientMeetsTheConvergenceRate) {
  constexpr int kRunLength = 400;
  const double root = std::sqrt(double(kRunLength)), radius = 0.5, temperature = 1, a = 1, blocks = 2,
               smoothness = 1;
  const double gamma = radius / (2 * temperature);
  for (const double mu : {0.0, 0.5}) {
    PolyStepOptions options = plain_options(2, radius, temperature);
    options.rotation = RotationKind::kHaar;
    options.step_length = Schedule::constant(a / root);
    options.momentum = Schedule::constant(mu);
    PolyStep optimizer(make_full_space(std::vector<double>(4, 1.0)), options, 1);
    double mean_square = 0, bias = 0;
    for (int t = 0; t < kRunLength; ++t) {
      auto error = copy(optimizer.parameters());  // the gradient
      mean_square += dot(error, error) / kRunLength;
      take_step(optimizer, [](auto x) { return sphere(x) / 2; });
      for (std::size_t i = 0; i < 4; ++i) error[i] = optimizer.last_direction()[i] + gamma * error[i];
      bias = std::max(bias, norm(error));
    }
    const double initial_gap = 2;
    const double bound = 2 * initial_gap / (gamma * a * root) +
                         smoothness * blocks * a * (1 + mu) / (gamma * (1 - mu) * (1 - mu) * root) +
                         bias * bias / (gamma * gamma);
    EXPECT_LE(mean_square, bound);
    EXPECT_LT(bound, 4);  // below the first squared gradient, which a point that never moves would keep
    EXPECT_LT(sphere(optimizer.parameters()) / 2, 0.05 * initial_gap);
  }
}

}  // namespace
}  // namespace polystep
