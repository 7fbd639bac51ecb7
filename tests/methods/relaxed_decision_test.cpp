// The relaxed decision: meets the rows, goes to the best relaxed decision as the temperature falls, has the
// gradient it says, and says where there is nothing.
#include "methods/frugal/relaxed_decision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

struct RandomRows {
  std::size_t rows, variables;
  bool binary;
  std::vector<double> a, b, objective, usual;
};

// Packing where variables are binary, covering where they are not.
RandomRows random_rows(std::size_t rows, std::size_t variables, bool binary, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kPerturbation, 0, 0);
  RandomRows drawn{rows, variables, binary, {}, {}, {}, {}};
  for (std::size_t j = 0; j < variables; ++j) {
    drawn.objective.push_back((binary ? -1 : 1) * (1 + std::abs(stream.normal())));
    drawn.usual.push_back(binary ? 1 : 2 + std::abs(stream.normal()));
  }
  for (std::size_t k = 0; k < rows * variables; ++k)
    drawn.a.push_back((binary ? 1 : -1) * (0.5 + std::abs(stream.normal())));
  for (std::size_t m = 0; m < rows; ++m)
    drawn.b.push_back((binary ? -0.3 : 1) * static_cast<double>(variables));
  return drawn;
}

double activity(const RandomRows& drawn, std::size_t m, std::span<const double> x) {
  double sum = drawn.b[m];
  for (std::size_t j = 0; j < drawn.variables; ++j) sum += drawn.a[m * drawn.variables + j] * x[j];
  return sum;
}

struct Case {
  std::size_t rows;
  bool binary;
};

class Relaxed : public testing::TestWithParam<Case> {
 protected:
  bool solve(RelaxedDecision& relaxed, const RandomRows& drawn, double temperature, double barrier) {
    std::vector<double> prices(drawn.rows, 0.0);
    relaxed.set_usual(drawn.usual);
    return relaxed.solve({drawn.a, drawn.b, drawn.objective, temperature, barrier}, prices);
  }
};

TEST_P(Relaxed, MeetsTheRowsWithinTheBox) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomRows drawn = random_rows(GetParam().rows, 12, GetParam().binary, seed);
    RelaxedDecision relaxed(drawn.rows, drawn.variables, drawn.binary);
    ASSERT_TRUE(solve(relaxed, drawn, 0.1, 1e-3)) << seed;
    for (std::size_t m = 0; m < drawn.rows; ++m) EXPECT_LE(activity(drawn, m, relaxed.x()), 1e-2) << seed;
    for (const double x : relaxed.x()) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, drawn.binary ? 1 : 1e9);
    }
  }
}

TEST_P(Relaxed, HasTheGradientItSays) {
  const RandomRows drawn = random_rows(GetParam().rows, 8, GetParam().binary, 7);
  RelaxedDecision relaxed(drawn.rows, drawn.variables, drawn.binary);
  std::vector<double> slopes;
  for (std::size_t j = 0; j < drawn.variables; ++j) slopes.push_back(std::sin(static_cast<double>(j) + 1));
  const auto loss = [&](const RandomRows& moved) {
    EXPECT_TRUE(solve(relaxed, moved, 0.2, 1e-2));
    double sum = 0;
    for (std::size_t j = 0; j < drawn.variables; ++j) sum += slopes[j] * relaxed.x()[j];
    return sum;
  };
  loss(drawn);
  std::vector<double> by_a(drawn.a.size()), by_b(drawn.b.size());
  relaxed.pull_back(slopes, by_a, by_b);
  const auto difference = [&](std::vector<double> RandomRows::*numbers, std::size_t k) {
    constexpr double kStep = 1e-4;
    RandomRows above = drawn, below = drawn;
    (above.*numbers)[k] += kStep;
    (below.*numbers)[k] -= kStep;
    return (loss(above) - loss(below)) / (2 * kStep);
  };
  for (std::size_t k = 0; k < by_a.size(); ++k)
    EXPECT_NEAR(by_a[k], difference(&RandomRows::a, k), 1e-4 + 1e-3 * std::abs(by_a[k])) << k;
  for (std::size_t m = 0; m < by_b.size(); ++m)
    EXPECT_NEAR(by_b[m], difference(&RandomRows::b, m), 1e-4 + 1e-3 * std::abs(by_b[m])) << m;
}

TEST_P(Relaxed, LeavesOutWhatIsNeverTaken) {
  RandomRows drawn = random_rows(GetParam().rows, 9, GetParam().binary, 3);
  drawn.usual[4] = 0;
  RelaxedDecision relaxed(drawn.rows, drawn.variables, drawn.binary);
  ASSERT_TRUE(solve(relaxed, drawn, 0.1, 1e-3));
  EXPECT_EQ(relaxed.x()[4], 0);
}

TEST_P(Relaxed, SaysWhereNothingMeetsTheRows) {
  RandomRows drawn = random_rows(GetParam().rows, 6, GetParam().binary, 3);
  // Packing: even nothing is too much. Covering: nothing provides anything.
  for (double& side : drawn.b) side = 5;
  for (double& entry : drawn.a) entry = std::abs(entry);
  RelaxedDecision relaxed(drawn.rows, drawn.variables, drawn.binary);
  EXPECT_FALSE(solve(relaxed, drawn, 0.1, 1e-3));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Relaxed,
                         testing::Values(Case{1, true}, Case{4, true}, Case{1, false}, Case{4, false}),
                         [](const auto& info) {
                           return (info.param.binary ? "Binary" : "Whole") + std::to_string(info.param.rows);
                         });

// One row: items by their worth per weight until the room is used up.
TEST(Relaxed, GoesToTheBestRelaxedKnapsack) {
  const std::vector<double> a{2, 3, 1, 4}, b{-5}, objective{-6, -7.5, -2, -4}, usual(4, 1.0);
  RelaxedDecision relaxed(1, 4, true);
  relaxed.set_usual(usual);
  std::vector<double> prices(1, 0.0);
  ASSERT_TRUE(relaxed.solve({a, b, objective, 0.003, 1e-6}, prices));
  const std::vector<double> best{1, 1, 0, 0};
  for (std::size_t j = 0; j < best.size(); ++j) EXPECT_NEAR(relaxed.x()[j], best[j], 0.05) << j;
}

TEST(Relaxed, WarmPricesLeadToTheSameDecision) {
  const RandomRows drawn = random_rows(3, 10, true, 11);
  RelaxedDecision cold(3, 10, true), warm(3, 10, true);
  for (RelaxedDecision* relaxed : {&cold, &warm}) relaxed->set_usual(drawn.usual);
  std::vector<double> none(3, 0.0), other{0.3, 4, 1e-3};
  ASSERT_TRUE(cold.solve({drawn.a, drawn.b, drawn.objective, 0.1, 1e-3}, none));
  ASSERT_TRUE(warm.solve({drawn.a, drawn.b, drawn.objective, 0.1, 1e-3}, other));
  for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(cold.x()[j], warm.x()[j], 1e-4);
}

}  // namespace
}  // namespace polystep
