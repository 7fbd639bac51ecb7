// Preset best where predictions enter constraints: every part has a switch, and it beats what it is compared
// with.
#include <gtest/gtest.h>

#include "methods/constraint_tasks.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

double mean_regret_of(const char* method, const char* preset, const char* problem, const Given& settings) {
  double sum = 0;
  constexpr std::uint64_t kRuns = 3;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const Task task = constraint_task(problem, settings, 3 * run);
    sum += train(task, find_method(method, "test"), method_options(method, preset, problem), {.seed = run})
               .test_regret;
  }
  return sum / kRuns;
}

TEST(BestOnConstraints, BeatsTheScoreFunctionOnCovers) {
  const Given settings = {{"rho", "5"}};
  const double sfge = mean_regret_of("sfge", "paper", "set-cover", settings);
  EXPECT_LT(mean_regret_of("polystepor", "best", "set-cover", settings), 0.95 * sfge);
  EXPECT_LT(mean_regret_of("polystepor-output", "best", "set-cover", settings), 0.95 * sfge);
}

TEST(BestOnConstraints, BeatsThePublishedSettingsOnCapacities) {
  const Given settings = {{"rho", "10"}};
  const double paper = mean_regret_of("polystepor", "paper", "knapsack-capacity", settings);
  EXPECT_LT(mean_regret_of("polystepor", "best", "knapsack-capacity", settings), 0.95 * paper);
}

TEST(BestOnConstraints, EachPartHasASwitch) {
  const Task task = constraint_task("set-cover");
  // Where answers teach more than least squares, nothing hangs on the margin of least squares.
  const Given brief = {{"steps", "6"}, {"checks", "2"}, {"fit", "least-squares"}};
  const MethodEntry& method = find_method("polystepor", "test");
  const TrainingResult whole =
      train(task, method, method_options("polystepor", "best", "set-cover", brief), {});
  EXPECT_EQ(whole.reference_solves.requested, 800u + 50u);  // optimal costs of training, validation and test
  for (const char* part : {"relative-costs", "margin", "standardise"}) {
    Given given = brief;
    given.emplace_back(part, "false");
    const TrainingResult without =
        train(task, method, method_options("polystepor", "best", "set-cover", given), {});
    EXPECT_FALSE(without.parameters == whole.parameters) << part;
  }
}

// What is for constraints changes nothing elsewhere.
TEST(BestOnConstraints, PartsForConstraintsDoNotTouchOtherProblems) {
  const Task task = constraint_task("knapsack");
  const MethodEntry& method = find_method("polystepor", "test");
  const Given brief = {{"steps", "4"}, {"checks", "2"}, {"bags", "2"}, {"batch", "64"}};
  Given off = brief;
  off.emplace_back("relative-costs", "false");
  off.emplace_back("margin", "false");
  const TrainingResult with =
      train(task, method, method_options("polystepor", "best", "knapsack", brief), {});
  const TrainingResult without =
      train(task, method, method_options("polystepor", "best", "knapsack", off), {});
  EXPECT_TRUE(with.parameters == without.parameters);
  EXPECT_EQ(with.solves.requested, without.solves.requested);
}

}  // namespace
}  // namespace polystep
