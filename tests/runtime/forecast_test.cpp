#include "runtime/plan/forecast.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "polystep/train.hpp"
#include "runtime/plan/run_plan.hpp"

namespace polystep {
namespace {

ThreadTeam alone(1);

RunRequest request_for(const std::string& problem, const std::string& method, const std::string& preset,
                       std::vector<GivenOption> given) {
  static const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = problem;
  config.method = method;
  config.preset = preset;
  given.push_back({"source", "generated", "test"});
  return resolve_run(problems, config, "test", given);
}

TrainingResult trained(const Task& task, const RunRequest& request) {
  return train(task, *request.method, request.method_options, {.seed = request.seed, .threads = 1});
}

// Counting is exact wherever the number of solves does not depend on what they find.
TEST(Rehearsal, CountsTheSolvesOfTheWholeRunExactly) {
  for (RunRequest request :
       {request_for("shortest-path", "polystepor", "best",
                    {{"steps", "7", "test"}, {"bags", "3", "test"}, {"blend", "false", "test"}}),
        request_for("shortest-path", "polystepor", "best",
                    {{"steps", "4", "test"},
                     {"bags", "1", "test"},
                     {"batch", "100", "test"},
                     {"blend", "false", "test"}}),
        request_for("shortest-path", "polystepor", "paper",
                    {{"steps", "5", "test"}, {"patience", "0", "test"}}),
        request_for("shortest-path", "polystepor-output", "best",
                    {{"steps", "20", "test"}, {"blend", "false", "test"}}),
        request_for("knapsack", "polystepor", "best",
                    {{"steps", "3", "test"}, {"bags", "4", "test"}, {"blend", "false", "test"}}),
        request_for("energy-scheduling", "polystepor", "best",
                    {{"steps", "12", "test"}, {"bags", "3", "test"}, {"blend", "false", "test"}})}) {
    const Task task = make_task(request);
    const RunPlan plan = plan_run(task, request, 0, alone);
    const TrainingResult result = trained(task, request);
    EXPECT_EQ(plan.forecast.setup.solves, static_cast<double>(result.setup_solves.requested));
    EXPECT_EQ(plan.forecast.training.solves, static_cast<double>(result.training_solves.requested));
    EXPECT_EQ(plan.forecast.validation.solves, static_cast<double>(result.validation_solves.requested));
    EXPECT_EQ(plan.forecast.total().solves, static_cast<double>(result.solves.requested));
    EXPECT_EQ(request.forecast->solves, plan.forecast.total().solves);
    for (const Work* part : {&plan.forecast.setup, &plan.forecast.training, &plan.forecast.evaluation})
      EXPECT_GT(part->seconds, 0);
  }
}

TEST(PlanRun, WritesItsChoiceIntoTheRequestAndKeepsTheBudget) {
  RunRequest request = request_for("shortest-path", "polystepor", "best", {{"bags", "2", "test"}});
  request.budget = Budget{BudgetUnit::kSolves, 2e6};
  const Task task = make_task(request);
  const RunPlan plan = plan_run(task, request, 0, alone);
  EXPECT_FALSE(request.budget);
  EXPECT_EQ(request.method_options.integer("bags"), 2);
  EXPECT_EQ(request.method_options.integer("steps"), plan.pace.steps);
  EXPECT_EQ(request.method_options.integer("batch"), plan.pace.batch);
  EXPECT_EQ(request.method_options.integer("checks"), plan.pace.checks);
  const TrainingResult result = trained(task, request);
  EXPECT_LE(result.solves.requested, 2000000u);
  EXPECT_GE(result.solves.requested, 1000000u);
}

TEST(PlanRun, NamesTheMethodForDearSolvesWhereTheBudgetIsShort) {
  const auto alternative = [](const std::string& method, std::optional<double> solves) {
    RunRequest request = request_for("shortest-path", method, "best", {});
    if (solves) request.budget = Budget{BudgetUnit::kSolves, *solves};
    const Task task = make_task(request);
    const RunPlan plan = plan_run(task, request, 0, alone);
    return plan.alternative == nullptr ? "" : plan.alternative->name;
  };
  EXPECT_EQ(alternative("polystepor", 1e6), "polystepor-output");
  EXPECT_EQ(alternative("polystepor", 1e9), "");
  EXPECT_EQ(alternative("polystepor", {}), "");
  EXPECT_EQ(alternative("polystepor-output", 1e5), "");
}

TEST(PlanRun, RefusesWhatItCannotPlan) {
  RunRequest given = request_for("shortest-path", "polystepor", "best", {{"steps", "9", "test"}});
  given.budget = Budget{BudgetUnit::kSolves, 2e6};
  given.budget_where = "--budget";
  const Task task = make_task(given);
  EXPECT_EQ(input_error([&] { plan_run(task, given, 0, alone); }),
            "--budget: option 'steps' is given besides a budget, expected one of them, for a budget chooses "
            "the steps");
  RunRequest other = request_for("shortest-path", "mse", "least-squares", {});
  const std::string sentence = input_error([&] { plan_run(task, other, 0, alone); });
  EXPECT_TRUE(sentence.starts_with(
      "polystepor plan: method mse has no steps and checks to choose, expected polystepor"))
      << sentence;
}

}  // namespace
}  // namespace polystep
