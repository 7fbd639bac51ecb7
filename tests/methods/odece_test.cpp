#include <gtest/gtest.h>

#include <cmath>

#include "methods/constraints/odece_loss.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

TEST(Odece, SoftplusHasThePublishedValues) {
  EXPECT_NEAR(sharp_softplus(0), .138629436, 1e-9);
  EXPECT_NEAR(sharp_softplus(2), 2.00000908, 1e-8);
  EXPECT_NEAR(sharp_softplus(-2), 9.0798e-6, 1e-10);
  EXPECT_EQ(sharp_softplus(4.1), 4.1);  // exactly linear from 4 on
  EXPECT_EQ(sharp_softplus(1e6), 1e6);
  EXPECT_EQ(sharp_softplus(-1e6), 0);
  for (const double z : {-3.0, -0.5, 0.0, 0.3, 3.9}) {
    const double h = 1e-6;
    EXPECT_NEAR(sharp_softplus_slope(z), (sharp_softplus(z + h) - sharp_softplus(z - h)) / (2 * h), 1e-8);
  }
}

// Rows, decisions and marks of one random instance.
struct Instance {
  std::size_t rows, variables;
  std::vector<double> a, b, optimum, decision;
  std::vector<std::uint8_t> violated;
};

Instance random_instance(std::uint64_t number) {
  RandomStream stream(1, Purpose::kTest, number);
  Instance instance{.rows = 1 + stream.below(3),
                    .variables = 1 + stream.below(5),
                    .a = {},
                    .b = {},
                    .optimum = {},
                    .decision = {},
                    .violated = {}};
  for (std::size_t k = 0; k < instance.rows * instance.variables; ++k)
    instance.a.push_back(stream.uniform(-1, 1));
  for (std::size_t row = 0; row < instance.rows; ++row) {
    instance.b.push_back(stream.uniform(-3, 3));
    instance.violated.push_back(static_cast<std::uint8_t>(stream.below(2)));
  }
  for (std::size_t j = 0; j < instance.variables; ++j) {
    instance.optimum.push_back(static_cast<double>(stream.below(4)));
    instance.decision.push_back(static_cast<double>(stream.below(4)));
  }
  return instance;
}

double both_losses(const Instance& instance, OdeceLoss& loss) {
  loss.begin(instance.a, instance.b);
  const double optimum = loss.keep_feasible(instance.optimum, 0.3);
  return 0.3 * optimum + 0.7 * loss.make_infeasible(instance.decision, instance.violated, 0.7);
}

TEST(Odece, GradientsAreThoseOfTheLosses) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    Instance instance = random_instance(number);
    OdeceLoss loss(instance.rows, instance.variables, 2), other(instance.rows, instance.variables, 2);
    both_losses(instance, loss);
    const auto slope = [&](double& entry) {
      const double h = 1e-6, before = entry;
      entry = before + h;
      const double above = both_losses(instance, other);
      entry = before - h;
      const double below = both_losses(instance, other);
      entry = before;
      return (above - below) / (2 * h);
    };
    for (std::size_t k = 0; k < instance.a.size(); ++k)
      EXPECT_NEAR(loss.a_gradient()[k], slope(instance.a[k]), 1e-6);
    for (std::size_t k = 0; k < instance.b.size(); ++k)
      EXPECT_NEAR(loss.b_gradient()[k], slope(instance.b[k]), 1e-6);
  }
}

// Two metals, three suppliers: 627.54 - contents . x <= 0 and so on.
TEST(Odece, ADecisionIsMarkedWhereItViolatesTheTruth) {
  const std::vector<double> a = {-10, 2, -1, 1, -8, -2}, b = {627.54, 369.72};
  std::vector<std::uint8_t> violated(2);
  mark_violated(a, b, std::vector<double>{74, 56, 0}, violated);
  EXPECT_EQ(violated, (std::vector<std::uint8_t>{0, 0}));
  mark_violated(a, b, std::vector<double>{74, 57, 0}, violated);  // copper is short by 1.54
  EXPECT_EQ(violated, (std::vector<std::uint8_t>{1, 0}));
  mark_violated(a, b, std::vector<double>{0, 0, 0}, violated);
  EXPECT_EQ(violated, (std::vector<std::uint8_t>{1, 1}));
}

TEST(Odece, NoViolationIsNoLoss) {
  Instance instance = random_instance(3);
  std::fill(instance.violated.begin(), instance.violated.end(), 0);
  OdeceLoss loss(instance.rows, instance.variables, 2);
  loss.begin(instance.a, instance.b);
  EXPECT_EQ(loss.make_infeasible(instance.decision, instance.violated, 1), 0);
  for (const double entry : loss.a_gradient()) EXPECT_EQ(entry, 0);
}

TEST(Odece, AveragesAsPublishedOrAsWritten) {
  // 32 rows, 30 solved, 10 of them infeasible in truth.
  const OdeceWeights published = odece_weights(0.2, OdeceAverage::kSolved, 32, 30, 10);
  EXPECT_DOUBLE_EQ(published.optimum, 0.8 / 32);
  EXPECT_DOUBLE_EQ(published.infeasible, 0.2 / 30);
  const OdeceWeights written = odece_weights(0.2, OdeceAverage::kInfeasible, 32, 30, 10);
  EXPECT_DOUBLE_EQ(written.optimum, 0.8 / 32);
  EXPECT_DOUBLE_EQ(written.infeasible, 0.2 / 10);
  // Nothing infeasible: the optima's loss alone. Nothing solved: swapped where published.
  EXPECT_EQ(odece_weights(0.2, OdeceAverage::kInfeasible, 32, 30, 0).infeasible, 0);
  EXPECT_DOUBLE_EQ(odece_weights(0.2, OdeceAverage::kSolved, 32, 0, 0).optimum, 0.2 / 32);
  EXPECT_DOUBLE_EQ(odece_weights(0.2, OdeceAverage::kInfeasible, 32, 0, 0).optimum, 0.8 / 32);
}

}  // namespace
}  // namespace polystep
