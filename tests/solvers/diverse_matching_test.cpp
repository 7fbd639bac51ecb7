// Diverse matchings against enumeration of all matchings; independence of earlier solves; errors.
#include "solvers/matching/diverse_matching.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "input_error.hpp"
#include "matching_instances.hpp"

namespace polystep::solvers {
namespace {

constexpr double kTieRule = 1e-7;  // how far the tie rule may move a value, see weight_units.hpp

DiverseMatching matching_of(const SmallMatching& problem) {
  return DiverseMatching(problem.left, problem.right, problem.same_label, problem.rho1, problem.rho2);
}

double checked_value(const SmallMatching& problem, const std::vector<int>& partner) {
  std::vector<int> used(problem.right, 0);
  double value = 0.0;
  int same = 0, pairs = 0;
  for (std::size_t left = 0; left < problem.left; ++left) {
    if (partner[left] < 0) continue;
    const std::size_t pair = left * problem.right + static_cast<std::size_t>(partner[left]);
    EXPECT_EQ(used[static_cast<std::size_t>(partner[left])]++, 0);
    value += problem.weights[pair];
    same += problem.same_label[pair];
    ++pairs;
  }
  EXPECT_GE(same, problem.rho1 * pairs - 1e-9);
  EXPECT_GE(pairs - same, problem.rho2 * pairs - 1e-9);
  return value;
}

TEST(DiverseMatching, FindsTheBestOfAllMatchings) {
  int binding = 0;
  for (const Weights kind : kAllWeights) {
    RandomStream random(4, Purpose::kTest, static_cast<std::uint64_t>(kind));
    for (int trial = 0; trial < 400; ++trial) {
      SmallMatching problem = draw_matching(random, kind, trial % 4 == 0 ? 1 : 3, trial % 4 == 1 ? 6 : 5);
      const DiverseMatching matching = matching_of(problem);
      DiverseMatching::Workspace workspace(matching);
      std::vector<int> partner(problem.left);
      const double value = matching.solve(problem.weights, workspace, partner);
      ASSERT_EQ(value, checked_value(problem, partner));
      const double best = Enumeration(problem).best();
      ASSERT_NEAR(value, best, kTieRule) << "kind " << static_cast<int>(kind) << " trial " << trial;
      problem.rho1 = problem.rho2 = 0.0;
      binding += Enumeration(problem).best() > best + 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(binding, 1000);  // else the ratio rules were hardly tested
}

// Decisions must not depend on what a workspace solved before, ties included.
TEST(DiverseMatching, WarmAndColdWorkspacesDecideAlike) {
  for (const Weights kind : {Weights::kPositive, Weights::kZeroOrOne, Weights::kTenths}) {
    RandomStream random(5, Purpose::kTest, static_cast<std::uint64_t>(kind));
    for (const double share : {0.1, 0.25, 0.5}) {
      SmallMatching problem = draw_matching(random, kind, 20, 20);
      for (auto& same : problem.same_label) same = random.uniform() < 0.3 ? 1 : 0;
      problem.rho1 = problem.rho2 = share;
      const DiverseMatching matching = matching_of(problem);
      DiverseMatching::Workspace warm(matching);
      for (int link = 0; link < 15; ++link) {
        for (int change = 0; change < 30; ++change) {
          problem.weights[random.below(400)] = draw_weight(random, kind);
        }
        DiverseMatching::Workspace cold(matching);
        std::vector<int> warm_partner(20), cold_partner(20);
        const double value = matching.solve(problem.weights, warm, warm_partner);
        ASSERT_EQ(value, matching.solve(problem.weights, cold, cold_partner));
        ASSERT_EQ(warm_partner, cold_partner);
        std::vector<double> warm_choice(400), cold_choice(400);
        ASSERT_EQ(matching.solve_relaxation(problem.weights, warm, warm_choice),
                  matching.solve_relaxation(problem.weights, cold, cold_choice));
        ASSERT_EQ(warm_choice, cold_choice);
      }
    }
  }
}

TEST(DiverseMatching, OnlyTheEmptyMatchingIsAllowedWhereSharesAddUpToMoreThanOne) {
  const DiverseMatching matching(2, 2, {1, 0, 0, 1}, 0.6, 0.5);
  DiverseMatching::Workspace workspace(matching);
  std::vector<int> partner(2);
  std::vector<double> choice(4);
  const std::vector<double> weights{1, 2, 3, 4};
  EXPECT_EQ(matching.solve(weights, workspace, partner), 0.0);
  EXPECT_EQ(partner, (std::vector<int>{-1, -1}));
  EXPECT_EQ(matching.solve_relaxation(weights, workspace, choice), 0.0);
  EXPECT_EQ(choice, (std::vector<double>{0, 0, 0, 0}));
}

TEST(DiverseMatching, ScalingAllWeightsByAPowerOfTwoChangesNoDecision) {
  RandomStream random(6, Purpose::kTest);
  for (int trial = 0; trial < 50; ++trial) {
    SmallMatching problem = draw_matching(random, Weights::kReal, 6, 12);
    const DiverseMatching matching = matching_of(problem);
    DiverseMatching::Workspace workspace(matching);
    std::vector<int> partner(problem.left), scaled(problem.left);
    matching.solve(problem.weights, workspace, partner);
    for (const int exponent : {-900, 900}) {
      std::vector<double> weights = problem.weights;
      for (double& weight : weights) weight = std::ldexp(weight, exponent);
      matching.solve(weights, workspace, scaled);
      ASSERT_EQ(partner, scaled);
    }
  }
}

TEST(DiverseMatching, RefusesBadInput) {
  const std::vector<std::uint8_t> labels{1, 0, 0, 1};
  EXPECT_EQ(input_error([&] { DiverseMatching(2, 2, labels, 1.5, 0.0); }),
            "matching: rho1 is 1.5, expected a share from 0 to 1");
  EXPECT_EQ(input_error([&] { DiverseMatching(2, 2, labels, 0.0, std::nan("")); }),
            "matching: rho2 is nan, expected a share from 0 to 1");
  EXPECT_EQ(input_error([&] { DiverseMatching(2, 3, labels, 0.0, 0.0); }),
            "matching: the same-label table has 4 entries, expected 2 × 3");
  EXPECT_EQ(input_error([&] {
              DiverseMatching(2, 2, {1, 0, 7, 0}, 0.0, 0.0);
            }),
            "matching: entry 2 of the same-label table is 7, expected 0 or 1");
  const DiverseMatching matching(2, 2, labels, 0.1, 0.1);
  DiverseMatching::Workspace workspace(matching);
  std::vector<int> partner(2);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(input_error([&] {
              matching.solve(std::vector<double>{1, 2, infinity, 3}, workspace, partner);
            }),
            "matching: the weight of pair 2 is inf, expected a finite number");
  EXPECT_EQ(input_error([&] {
              matching.solve(std::vector<double>{1, 2}, workspace, partner);
            }),
            "matching: there are 2 weights, expected 2 × 2");
}

}  // namespace
}  // namespace polystep::solvers
