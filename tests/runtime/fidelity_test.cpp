// What a few timed solves lead to: quick ones change nothing, dear ones cut the run, and what was chosen
// stays.
#include "runtime/plan/fidelity.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "polystep/train.hpp"
#include "runtime/plan/counted_work.hpp"
#include "runtime/plan/frugal_plan.hpp"
#include "runtime/plan/run_plan.hpp"

namespace polystep {
namespace {

RunRequest request_for(const std::string& problem, std::vector<GivenOption> given = {}) {
  static const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = problem;
  given.push_back({"source", "generated", "test"});
  return resolve_run(problems, config, "test", given);
}

FidelityChoice choice_at(const Task& task, const RunRequest& request, double seconds) {
  ThreadTeam team(1);
  return choose_fidelity({.task = task,
                          .request = request,
                          .timing = {seconds, 4},
                          .threads = 1,
                          .reading_seconds = 0,
                          .budget = {}},
                         team);
}

TEST(Fidelity, QuickSolvesKeepThePreset) {
  RunRequest request = request_for("shortest-path");
  const Task task = make_task(request);
  const std::string before = identity_of(request);
  const FidelityChoice choice = choice_at(task, request, 1e-6);
  EXPECT_EQ(choice.fidelity, kFidelityProbes);
  EXPECT_TRUE(choice.values.empty());
  EXPECT_EQ(choice.reason, choice_at(task, request, 9e-5).reason);  // no clock reading is stored
  ThreadTeam team(1);
  settle_fidelity(task, request, 0, team);
  ASSERT_TRUE(request.chosen);
  request.method_options.set("fidelity", std::string(kFidelityAuto), "test");
  EXPECT_EQ(identity_of(request), before);  // nothing else has changed
}

// Not one of these is dear, but all of them are to be made; where most are proven unnecessary it is no
// matter.
TEST(Fidelity, QuickSolvesAddUp) {
  RunRequest request = request_for("energy-scheduling", {{"bags", "1000", "test"}});
  const Task task = make_task(request);
  EXPECT_EQ(choice_at(task, request, 1e-9).fidelity, kFidelityProbes);
  const FidelityChoice choice = choice_at(task, request, 4e-4);
  EXPECT_EQ(choice.fidelity, kFidelityFrugal);
  EXPECT_TRUE(choice.reason.starts_with("a solve takes 400 us, and preset best would ask for "))
      << choice.reason;
  // Where predictions enter constraints that are shown, answers teach as well.
  RunRequest shown = request_for("knapsack-weight");
  EXPECT_EQ(choice_at(make_task(shown), shown, 4e-4).fidelity, kFidelityFrugal);
  // Where a limit is to be held, answers teach nothing more: the run is cut, as where solves are dear.
  RunRequest weights = request_for("knapsack-weight", {{"max-infeasibility", "0.5", "test"}});
  const Task weighed = make_task(weights);
  EXPECT_TRUE(choice_at(weighed, weights, 1e-9).values.empty());
  const FidelityChoice cut = choice_at(weighed, weights, 4e-4);
  EXPECT_EQ(cut.fidelity, kFidelityProbes);
  EXPECT_EQ(cut.values.size(), 4u);
  RunRequest path = request_for("shortest-path", {{"bags", "1000", "test"}});
  const Task paths = make_task(path);
  EXPECT_EQ(choice_at(paths, path, 4e-4).fidelity, kFidelityProbes);
}

TEST(Fidelity, DearSolvesAreFewWhereDecisionsCanBeRemembered) {
  RunRequest request = request_for("knapsack");
  const Task task = make_task(request);
  const FidelityChoice choice = choice_at(task, request, 1e-3);
  EXPECT_EQ(choice.fidelity, kFidelityFrugal);
  ASSERT_EQ(choice.values.size(), 1u);
  EXPECT_EQ(choice.values.front().first, "calls");
  const auto calls = std::get<double>(choice.values.front().second);
  EXPECT_EQ(calls, kUsualFrugalCalls);  // a minute is enough for them
  // Dearer ones are fewer, down to what is worth it.
  const auto dearer = choice_at(task, request, 4e-3), dearest = choice_at(task, request, 1.0);
  EXPECT_LT(std::get<double>(dearer.values.front().second), calls);
  EXPECT_EQ(std::get<double>(dearest.values.front().second), kFewestFrugalCalls);
  // The same question has the same answer.
  const RunRequest again = request_for("knapsack");
  EXPECT_EQ(choice_at(task, again, 1e-3).values, choice.values);
  EXPECT_EQ(choice_at(task, again, 1e-3).reason, choice.reason);
}

TEST(Fidelity, DearSolvesCutTheRunToAMinuteElsewhere) {
  RunRequest request = request_for("knapsack-weight", {{"max-infeasibility", "0.5", "test"}});
  const Task task = make_task(request);
  const FidelityChoice choice = choice_at(task, request, 1e-3);
  EXPECT_EQ(choice.fidelity, kFidelityProbes);
  ASSERT_EQ(choice.values.size(), 4u);
  for (const auto& [name, value] : choice.values) request.method_options.set(name, value, "test");
  ThreadTeam team(1);
  const Pace pace = pace_of(*request.method, request.method_options, "test");
  const auto model = count_work(task, request, pace, 0, {1e-3, 1}, team);
  ASSERT_TRUE(model);
  EXPECT_LE(model->forecast(pace).total().seconds, kUsualSeconds);
  const RunRequest again = request_for("knapsack-weight", {{"max-infeasibility", "0.5", "test"}});
  EXPECT_EQ(choice_at(task, again, 1e-3).values, choice.values);
}

TEST(Fidelity, DearSolvesNeverKeepThePresetAsItIs) {
  RunRequest request = request_for("knapsack");
  const Task task = make_task(request);
  const FidelityChoice choice = choice_at(task, request, 1e-3);
  EXPECT_FALSE(choice.values.empty());
  EXPECT_TRUE(choice.reason.starts_with("a solve takes 1 ms, and preset best would ask for "))
      << choice.reason;
}

TEST(Fidelity, GivenOptionsStay) {
  RunRequest request =
      request_for("knapsack-weight", {{"bags", "3", "test"}, {"max-infeasibility", "0.5", "test"}});
  const Task task = make_task(request);
  for (const auto& [name, value] : choice_at(task, request, 1e-2).values) {
    if (name == "bags") {
      EXPECT_EQ(value, OptionValue(std::int64_t{3}));
    }
  }
  const RunRequest steps = request_for("knapsack-weight", {{"steps", "7", "test"}});
  EXPECT_TRUE(choice_at(task, steps, 1e-2).values.empty());
  RunRequest frugal = request_for("knapsack", {{"calls", "5", "test"}});
  const Task knapsack = make_task(frugal);
  EXPECT_EQ(std::get<double>(choice_at(knapsack, frugal, 1e-2).values.front().second), 5);
}

// A budget of solves that the preset does not fit into buys questions; all of it is used, and not more.
TEST(Fidelity, SmallBudgetsOfSolvesBuyQuestions) {
  for (const double amount : {25000.0, 40000.0, 90000.0, 400000.0}) {
    RunRequest request = request_for("shortest-path");
    const Task task = make_task(request);
    request.budget = Budget{BudgetUnit::kSolves, amount};
    request.budget_where = "test";
    ThreadTeam team(1);
    settle_fidelity(task, request, 0, team);
    EXPECT_EQ(request.method_options.text("fidelity"), kFidelityFrugal);
    const RunPlan plan = plan_run(task, request, 0, team);
    EXPECT_FALSE(request.budget);
    EXPECT_LE(plan.forecast.total().solves, amount);
    const double calls = request.method_options.number("calls");
    EXPECT_EQ(plan.at_top, calls >= kMostFrugalCalls);
    if (!plan.at_top) {
      EXPECT_GT(plan.forecast.total().solves, amount - 20);
    }
  }
  RunRequest request = request_for("shortest-path");
  const Task task = make_task(request);
  request.budget = Budget{BudgetUnit::kSolves, 20500};
  request.budget_where = "--budget";
  ThreadTeam team(1);
  settle_fidelity(task, request, 0, team);
  EXPECT_EQ(input_error([&] { plan_run(task, request, 0, team); }),
            "--budget: found solves=20500, expected at least solves=21000, which the shortest run takes");
}

// No larger budget may do worse: where remembered decisions teach more than probes, it buys no probes.
TEST(Fidelity, LargeBudgetsOfSolvesBuyProbesWhereTheyTeachMore) {
  for (const auto& [problem, fidelity] :
       {std::pair("shortest-path", kFidelityFrugal), {"knapsack", kFidelityProbes}}) {
    RunRequest request = request_for(problem);
    const Task task = make_task(request);
    request.budget = Budget{BudgetUnit::kSolves, 1e15};
    request.budget_where = "test";
    ThreadTeam team(1);
    settle_fidelity(task, request, 0, team);
    EXPECT_EQ(request.method_options.text("fidelity"), fidelity) << problem;
    if (fidelity != kFidelityFrugal) continue;
    EXPECT_TRUE(plan_run(task, request, 0, team).at_top);
    EXPECT_EQ(request.method_options.number("calls"), kMostFrugalCalls);
  }
}

// Solves that each have to be made and do not fit into a budget of seconds as the preset wants them are asked
// as questions, as many as leave time to learn from the answers.
TEST(Fidelity, BudgetsOfSecondsLeaveTimeToLearn) {
  RunRequest request = request_for("energy-scheduling", {{"bags", "1000", "test"}});
  const Task task = make_task(request);
  ThreadTeam team(1);
  const Budget budget{BudgetUnit::kSeconds, 30};
  const auto choice = [&](double learning_unit) {
    return choose_fidelity({.task = task,
                            .request = request,
                            .timing = {4e-4, 4},
                            .budget = budget,
                            .time_learning = [=] { return learning_unit; }},
                           team);
  };
  const auto calls = [&](double learning_unit) {
    return affordable_calls(task, request, budget, 0, {4e-4, 4, learning_unit}, team);
  };
  EXPECT_EQ(choice(1e-9).fidelity, kFidelityFrugal);
  EXPECT_GT(calls(1e-9), 50);
  EXPECT_LT(calls(0.1), calls(1e-9));
  EXPECT_GE(calls(0.1), kLeastFrugalCalls);
  EXPECT_EQ(choice(0.1).fidelity, kFidelityFrugal);
  EXPECT_LT(calls(10), 1);
  EXPECT_EQ(choice(10).fidelity, kFidelityProbes);  // no time for it
  // What it then takes, both counted, keeps to the budget.
  for (const double unit : {1e-9, 0.03, 0.1}) {
    RunRequest planned = request_for("energy-scheduling", {{"fidelity", "frugal", "test"}});
    planned.method_options.set("calls", std::min(calls(unit), kMostFrugalCalls), "test");
    const SolveTiming timing{4e-4, 4, unit};
    EXPECT_LE(frugal_forecast(task, planned, 0, timing, team).total().seconds, budget.amount) << unit;
  }
}

TEST(Fidelity, AnOptionTurnsItOff) {
  RunRequest request = request_for("shortest-path", {{"fidelity", "probes", "test"}});
  const Task task = make_task(request);
  ThreadTeam team(1);
  settle_fidelity(task, request, 0, team);
  EXPECT_FALSE(request.chosen);
}

TEST(Fidelity, SurvivesItsFile) {
  RunRequest request = request_for("shortest-path");
  request.chosen = ChosenFidelity{"a solve takes 2 ms", 0.002};
  const RunConfig read = parse_config(render_config(to_config(request)), "config.toml");
  EXPECT_EQ(read.chosen, "a solve takes 2 ms");
  EXPECT_EQ(read.solve_seconds, 0.002);
}

// Counting is an upper bound of what a run asks for, and close to it where nothing is skipped.
TEST(CountedWork, IsAnUpperBoundOfWhatIsRequested) {
  for (const char* problem : {"shortest-path", "knapsack", "energy-scheduling"}) {
    SCOPED_TRACE(problem);
    RunRequest request = request_for(
        problem,
        {{"steps", "6", "test"}, {"bags", "2", "test"}, {"batch", "20", "test"}, {"checks", "2", "test"}});
    const Task task = make_task(request);
    ThreadTeam team(1);
    const Pace pace = pace_of(*request.method, request.method_options, "test");
    const auto model = count_work(task, request, pace, 0, {1e-3, 1}, team);
    ASSERT_TRUE(model);
    const TrainingResult result =
        train(task, *request.method, request.method_options, {.seed = request.seed, .threads = 1});
    const double counted = model->forecast(pace).total().solves;
    EXPECT_GE(counted, static_cast<double>(result.solves.requested));
    EXPECT_LE(counted, 3 * static_cast<double>(result.solves.requested));
  }
}

}  // namespace
}  // namespace polystep
