// Methods on the knapsack with several resources.
#include <gtest/gtest.h>

#include "methods/constraint_tasks.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

TrainingResult run(const char* method, const char* preset, const char* predict, const Given& given = {},
                   std::size_t threads = 1) {
  const Task task = constraint_task("multi-knapsack", {{"predict", predict}});
  return train(task, find_method(method, "test"), method_options(method, preset, "multi-knapsack", given),
               {.seed = 0, .threads = threads});
}

TEST(MultiKnapsackTraining, BestEndsBelowGaussianOnCapacities) {
  const TrainingResult gaussian = run("gaussian", "paper", "capacities");
  const TrainingResult best = run("polystepor", "best", "capacities");
  EXPECT_LT(best.test_cost, gaussian.test_cost - 100);  // the values of all items together are near 1500
  EXPECT_LT(best.test_regret, 0.8 * gaussian.test_regret);
  EXPECT_EQ(best.solves.failed, 0u);
}

TEST(MultiKnapsackTraining, BestEndsBelowGaussianOnWeights) {
  const Given brief = {{"steps", "10"}, {"checks", "2"}, {"batch", "64"}};
  const TrainingResult gaussian = run("gaussian", "paper", "weights");
  const TrainingResult best = run("polystepor", "best", "weights", brief);
  EXPECT_LT(best.test_cost, gaussian.test_cost);
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
  const Given brief = {{"steps", "3"}, {"checks", "1"}, {"batch", "48"}};
  const TrainingResult one = run("polystepor", "best", "weights", brief, 1);
  const TrainingResult two = run("polystepor", "best", "weights", brief, 2);
  EXPECT_TRUE(one.parameters == two.parameters);
  EXPECT_EQ(one.test_cost, two.test_cost);
}

// Moving constraints learns here: optimal sets are closer than at the start.
TEST(MultiKnapsackTraining, MovedConstraintsComeNearer) {
  for (const char* predict : {"weights", "capacities"}) {
    const TrainingResult start = run("comboptnet", "paper", predict, {{"epochs", "1"}});
    const TrainingResult later = run("comboptnet", "paper", predict, {{"epochs", "12"}});
    EXPECT_LT(later.test_cost, start.test_cost) << predict;
  }
}

}  // namespace
}  // namespace polystep
