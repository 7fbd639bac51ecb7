// Methods on the knapsack with several resources.
#include <gtest/gtest.h>

#include "methods/constraint_tasks.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

TrainingResult run(const char* method, const char* preset, const Given& settings, const Given& given = {},
                   std::size_t threads = 1) {
  const Task task = constraint_task("multi-knapsack", settings);
  return train(task, find_method(method, "test"), method_options(method, preset, "multi-knapsack", given),
               {.seed = 0, .threads = threads});
}

TEST(MultiKnapsackTraining, BestEndsBelowGaussianOnCapacities) {
  const Given settings = {{"predict", "capacities"}};
  const TrainingResult gaussian = run("gaussian", "paper", settings);
  const TrainingResult best = run("polystepor", "best", settings, {{"steps", "15"}, {"batch", "128"}});
  EXPECT_LT(best.test_cost, gaussian.test_cost - 30);  // optimal sets are worth about 560
  EXPECT_LT(best.test_regret, 0.8 * gaussian.test_regret);
  EXPECT_EQ(best.solves.failed, 0u);
}

TEST(MultiKnapsackTraining, BestEndsBelowGaussianOnWeights) {
  const Given settings = {{"predict", "weights"}, {"rho", "20"}, {"data-seed", "1"}};
  const TrainingResult gaussian = run("gaussian", "paper", settings);
  const TrainingResult best =
      run("polystepor", "best", settings, {{"steps", "5"}, {"checks", "1"}, {"batch", "64"}});
  EXPECT_LT(best.test_cost, gaussian.test_cost - 500);  // optimal sets are worth about 8100
  EXPECT_LT(best.test_regret, 0.8 * gaussian.test_regret);
  EXPECT_EQ(best.solves.failed, 0u);
}

// Presets of the other predicted constraints hold here too.
TEST(MultiKnapsackTraining, UsesThePresetsOfPredictedConstraints) {
  for (const char* preset : {"best", "paper"}) {
    const Options here = method_options("polystepor", preset, "multi-knapsack");
    const Options there = method_options("polystepor", preset, "knapsack-weight");
    for (const char* name : {"steps", "batch", "bags", "patience"})
      EXPECT_EQ(here.integer(name), there.integer(name)) << preset << " " << name;
    EXPECT_EQ(here.flag("blend"), there.flag("blend"));
  }
}

TEST(MultiKnapsackTraining, ThreadsChangeNoBit) {
  const Given brief = {{"steps", "5"}, {"checks", "1"}, {"batch", "64"}};
  const TrainingResult one = run("polystepor", "best", {{"predict", "capacities"}}, brief, 1);
  const TrainingResult two = run("polystepor", "best", {{"predict", "capacities"}}, brief, 2);
  EXPECT_TRUE(one.parameters == two.parameters);
  EXPECT_EQ(one.test_cost, two.test_cost);
}

// Method comboptnet sees the constraints as rows and learns from them.
TEST(MultiKnapsackTraining, MovedConstraintsComeNearer) {
  for (const char* predict : {"weights", "capacities"}) {
    const TrainingResult start = run("comboptnet", "paper", {{"predict", predict}}, {{"epochs", "1"}});
    const TrainingResult later = run("comboptnet", "paper", {{"predict", predict}}, {{"epochs", "12"}});
    EXPECT_LT(later.test_cost, start.test_cost) << predict;
  }
}

}  // namespace
}  // namespace polystep
