// The theory of averages: batches of instances, random rotations, evaluation budgets and schedules.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "black_box.hpp"
#include "optimizer/polytope.hpp"
#include "optimizer/weights.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

constexpr double kPi = std::numbers::pi;

// D in one dimension for costs of +1 and -1.
double direction(double plus, double minus, double temperature) {
  std::vector<double> weights(2);
  softmax_weights(std::vector<double>{plus, minus}, temperature, weights);
  return weights[0] - weights[1];
}

TEST(Theory, DirectionOfTheMeanIsNotTheMeanDirection) {
  const double temperature = 1 / std::log(3.0);
  EXPECT_NEAR(direction(1, 0, temperature), -0.5, 1e-15);
  EXPECT_NEAR((direction(0, 0, temperature) + direction(2, 0, temperature)) / 2, -0.4, 1e-15);
  EXPECT_NEAR(direction(0.9 * 2, 0.1 * 8, temperature), -0.5, 1e-15);
  const double mean = 0.1 * direction(0, 8, temperature) + 0.9 * direction(2, 0, temperature);
  EXPECT_NEAR(mean, std::tanh(4 * std::log(3.0)) / 10 - 18.0 / 25, 1e-15);
  EXPECT_NEAR(mean, -0.6200305, 5e-8);
}

double batch_bound(double width, double blocks, double vertices, double batch, double alpha) {
  return width * std::sqrt(std::log(2 * blocks * vertices / alpha) / (2 * batch));
}

TEST(Theory, BatchErrorBoundHoldsWithItsPublishedValues) {
  EXPECT_NEAR(batch_bound(1, 1, 4, 32, 0.05), 0.2816018, 5e-8);
  EXPECT_NEAR(batch_bound(1, 30, 16, 128, 0.05), 0.1962805, 5e-8);

  // Costs of 0 or 1 per instance have the largest spread a width of 1 allows.
  const double probability[4] = {0.5, 0.4, 0.6, 0.5}, temperature = 0.5, alpha = 0.05;
  const double beta = batch_bound(1, 1, 4, 32, alpha);
  PolyStep exact = at_origin(2, plain_options(2, 1, temperature));
  exact.tell(probability);
  constexpr int kTrials = 2000;
  int exceeded = 0;
  double direction_error = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream random(5, Purpose::kTest, std::uint64_t(trial));
    std::vector<double> costs(4, 0.0);
    for (std::size_t v = 0; v < 4; ++v)
      for (int i = 0; i < 32; ++i) costs[v] += random.uniform() < probability[v] ? 1.0 / 32 : 0.0;
    double largest = 0;
    for (std::size_t v = 0; v < 4; ++v) largest = std::max(largest, std::abs(costs[v] - probability[v]));
    exceeded += largest > beta;
    PolyStep sampled = at_origin(2, plain_options(2, 1, temperature));
    sampled.tell(costs);
    const double dx = sampled.last_direction()[0] - exact.last_direction()[0];
    const double dy = sampled.last_direction()[1] - exact.last_direction()[1];
    const double error = std::hypot(dx, dy);
    direction_error += error / kTrials;
    if (largest <= beta) {
      EXPECT_LE(error, 2 * std::tanh(beta / (2 * temperature)));
    }
  }
  EXPECT_LE(exceeded, alpha * kTrials);
  EXPECT_GT(direction_error, 0);
  EXPECT_LE(direction_error, std::min(2.0, 2 * std::tanh(beta / (2 * temperature)) + 2 * alpha));
}

// Share of a disk of radius rho, centred at distance r from the unit disk's centre, that lies in the unit
// disk.
double disk_overlap(double r, double rho) {
  const double a = std::acos((r * r + rho * rho - 1) / (2 * r * rho));
  const double b = std::acos((r * r + 1 - rho * rho) / (2 * r));
  const double kite = std::sqrt((-r + rho + 1) * (r + rho - 1) * (r - rho + 1) * (r + rho + 1));
  return (rho * rho * a + b - kite / 2) / (kPi * rho * rho);
}

double smoothed_disk(double r) { return 2 / kPi * std::acos(r / 2) - r * std::sqrt(4 - r * r) / (2 * kPi); }

TEST(Theory, SmoothedDiskHasItsPublishedValues) {
  EXPECT_DOUBLE_EQ(smoothed_disk(0), 1);
  EXPECT_NEAR(smoothed_disk(1), 0.3910022, 5e-8);
  EXPECT_NEAR(smoothed_disk(2), 0, 1e-15);
  EXPECT_NEAR(smoothed_disk(1), disk_overlap(1, 1), 1e-14);
  EXPECT_NEAR((smoothed_disk(1e-6) - smoothed_disk(0)) / 1e-6, -2 / kPi, 1e-5);
}

// Averaged over rotations, probes on spheres see the gradient of the loss averaged over balls, the ball of
// radius rho_k with weight rho_k / sum of rho.
TEST(Theory, AverageProbeSeesTheGradientOfTheSmoothedLoss) {
  const Polytope orthoplex(PolytopeKind::kOrthoplex, 2);
  const double temperature = 1, r = 1.2;
  const std::vector<double> radii = {0.5, 1.0};
  constexpr int kAngles = 20000;
  double along = 0;  // of the linearised direction, on the axis away from the disk
  std::vector<double> rotated(8);
  for (int n = 0; n < kAngles; ++n) {
    const double angle = 2 * kPi * (n + 0.5) / kAngles;
    const std::vector<double> rotation = {std::cos(angle), std::sin(angle), -std::sin(angle),
                                          std::cos(angle)};
    orthoplex.rotate(rotation, rotated);
    for (std::size_t v = 0; v < 4; ++v) {
      double cost = 0;
      for (const double rho : radii)
        cost += std::hypot(r + rho * rotated[2 * v], rho * rotated[2 * v + 1]) <= 1 ? 1.0 / 2 : 0.0;
      along -= cost * rotated[2 * v] / (4 * temperature) / kAngles;
    }
  }
  const auto smoothed = [&](double x) {
    return (0.5 * disk_overlap(x, 0.5) + 1.0 * disk_overlap(x, 1.0)) / 1.5;
  };
  const double slope = (smoothed(r + 1e-5) - smoothed(r - 1e-5)) / 2e-5;
  const double gamma = 0.75 / (2 * temperature);
  EXPECT_NEAR(along, -gamma * slope, 2e-4);
  EXPECT_GT(along, 0.05);
}

std::size_t budget(std::size_t dimension, PolytopeKind polytope, std::size_t block_size, std::size_t radii,
                   LastBlock last_block) {
  PolyStepOptions options;
  options.polytope = polytope;
  options.block_size = block_size;
  options.radii = radii;
  options.last_block = last_block;
  return at_origin(dimension, options).ask().size();
}

TEST(Theory, BudgetPerStepIsBlocksTimesVerticesTimesRadii) {
  const auto orthoplex = PolytopeKind::kOrthoplex;
  EXPECT_EQ(budget(240, orthoplex, 8, 1, LastBlock::kPadded) * 128, 61440u);    // shortest path
  EXPECT_EQ(budget(300, orthoplex, 8, 1, LastBlock::kShrunken) * 128, 76800u);  // portfolio
  EXPECT_EQ(budget(512, orthoplex, 8, 1, LastBlock::kPadded) * 17, 17408u);     // matching
  EXPECT_EQ(budget(300, orthoplex, 8, 1, LastBlock::kPadded), 608u);
  EXPECT_EQ(budget(9, orthoplex, 8, 1, LastBlock::kShrunken), 18u);
  EXPECT_EQ(budget(9, orthoplex, 8, 1, LastBlock::kPadded), 32u);
  EXPECT_EQ(budget(24, orthoplex, 8, 3, LastBlock::kPadded), 2u * 3 * 24);
  EXPECT_EQ(budget(24, PolytopeKind::kSimplex, 8, 3, LastBlock::kPadded), 3u * 9 * 24 / 8);
  EXPECT_EQ(budget(24, PolytopeKind::kCube, 4, 2, LastBlock::kPadded), 6u * 16 * 2);
}

TEST(Theory, SchedulesAndRadiiHaveTheirPublishedValues) {
  const Schedule temperature{.kind = ScheduleKind::kCosine, .start = 10, .end = 0.1, .horizon = 100};
  EXPECT_EQ(temperature.value(0), 10);
  EXPECT_NEAR(temperature.value(25), 8.5502, 5e-5);
  EXPECT_NEAR(temperature.value(50), 5.05, 1e-12);
  EXPECT_NEAR(temperature.value(75), 1.5498, 5e-5);
  EXPECT_NEAR(temperature.value(99), 0.1024, 5e-5);
  const Schedule longer{.kind = ScheduleKind::kCosine, .start = 10, .end = 0.1, .horizon = 150};
  EXPECT_NEAR(longer.value(149), 0.1011, 5e-5);

  PolyStepOptions options;
  options.radii = 4;
  options.probe_radius = Schedule::constant(18.3);
  PolyStep optimizer = at_origin(8, options);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(optimizer.ask().radii()[k], 3.66 * double(k + 1), 1e-12);
}

}  // namespace
}  // namespace polystep
