// Diverse matchings, whole and relaxed, and plain assignments against the general MILP solver.
#include <gtest/gtest.h>

#include <array>

#include "data/benchmarks/cora_data.hpp"
#include "general_models.hpp"
#include "matching_instances.hpp"
#include "solvers/matching/assignment.hpp"
#include "solvers/matching/diverse_matching.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

MilpModel model_of(const SmallMatching& problem) {
  MilpModel model =
      diverse_matching_model(problem.left, problem.right, problem.same_label, problem.rho1, problem.rho2);
  for (std::size_t pair = 0; pair < problem.weights.size(); ++pair)
    model.columns[pair].objective = problem.weights[pair];
  return model;
}

TEST(DiverseMatchingMilp, WholeAndRelaxedOptimaAgree) {
  int fractional = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    RandomStream random(7, Purpose::kTest, static_cast<std::uint64_t>(trial));
    const SmallMatching problem = draw_matching(random, kAllWeights[trial % 7], 2, trial % 20 == 0 ? 8 : 6);
    const MilpSolver backend(model_of(problem));
    const DiverseMatching matching(problem.left, problem.right, problem.same_label, problem.rho1,
                                   problem.rho2);
    DiverseMatching::Workspace workspace(matching);
    std::vector<int> partner(problem.left);
    std::vector<double> choice(problem.weights.size());
    const double whole = matching.solve(problem.weights, workspace, partner);
    const double relaxed = matching.solve_relaxation(problem.weights, workspace, choice);
    ASSERT_NEAR(whole, backend.solve().objective, 1e-6) << "trial " << trial;
    ASSERT_NEAR(relaxed, backend.solve_relaxation().objective, 1e-6) << "trial " << trial;
    ASSERT_LE(backend.model().violation_of(choice), 1e-9) << "trial " << trial;
    fractional += relaxed > whole + 1e-6 ? 1 : 0;
  }
  EXPECT_GT(fractional, 50);
}

// 50 x 50 pairs with the labels of the stand-in citation data, and weights with and without ties.
TEST(DiverseMatchingMilp, OptimaAgreeOnTheBenchmarkShape) {
  const CoraData data = generate_cora(0);
  for (std::size_t trial = 0; trial < 18; ++trial) {
    RandomStream random(9, Purpose::kTest, trial);
    const double share = std::array{0.1, 0.25, 0.5}[trial % 3];
    const auto labels = data.same_label(trial);
    SmallMatching problem{kCoraSide, kCoraSide, share, share, {labels.begin(), labels.end()}, {}};
    const Weights kind = trial % 2 == 0 ? Weights::kPositive : Weights::kTenths;
    for (std::size_t pair = 0; pair < kCoraPairs; ++pair)
      problem.weights.push_back(draw_weight(random, kind));
    const MilpSolver backend(model_of(problem));
    const DiverseMatching matching(kCoraSide, kCoraSide, problem.same_label, share, share);
    DiverseMatching::Workspace workspace(matching);
    std::vector<int> partner(kCoraSide);
    std::vector<double> choice(kCoraPairs);
    ASSERT_NEAR(matching.solve(problem.weights, workspace, partner), backend.solve().objective, 1e-6)
        << "trial " << trial;
    ASSERT_NEAR(matching.solve_relaxation(problem.weights, workspace, choice),
                backend.solve_relaxation().objective, 1e-6)
        << "trial " << trial;
  }
}

TEST(DiverseMatchingMilp, PlainAssignmentsAgree) {
  for (int trial = 0; trial < 100; ++trial) {
    RandomStream random(8, Purpose::kTest, static_cast<std::uint64_t>(trial));
    SmallMatching problem = draw_matching(random, Weights::kSmallWhole, 3, 12);
    problem.rho1 = problem.rho2 = 0.0;
    const std::vector<Units> weights(problem.weights.begin(), problem.weights.end());
    std::vector<int> partner(problem.left);
    const Units value = Assignment(problem.left, problem.right).solve(weights, partner);
    ASSERT_NEAR(static_cast<double>(value), MilpSolver(model_of(problem)).solve_relaxation().objective, 1e-6);
  }
}

}  // namespace
}  // namespace polystep::solvers
