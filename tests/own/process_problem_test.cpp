// A problem solved by processes: the same decisions, costs and trained parameters as without them.
#include "own/process_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"
#include "polystep/solver_monitor.hpp"
#include "polystep/train.hpp"
#include "problems/shortest_path.hpp"

namespace polystep {
namespace {

ProcessProblemSettings settings_of(std::vector<std::string> command, std::size_t size) {
  ProcessProblemSettings settings;
  settings.command.words = std::move(command);
  settings.command.format = FrameFormat::kBinary;
  settings.outputs = settings.decision_size = settings.truth_columns = size;
  settings.linear = Sense::kMinimise;
  return settings;
}

// Rows whose costs depend on two features, for four items of which one is taken.
Task pick_task(ProcessProblemSettings settings, std::size_t rows = 1200) {
  Split all{rows, 2, 4, {}, {}, {}};
  RandomStream random(11, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double a = random.normal(), b = random.normal();
    all.features.insert(all.features.end(), {a, b});
    for (const double cost : {a + b, a * b, 1 - a, b * b}) all.truth.push_back(cost + 0.3 * random.normal());
    all.instances.push_back(row);
  }
  Task task;
  task.problem = make_process_problem(std::move(settings));
  task.predictor = make_linear(2, 4);
  task.data = split_at_random(all, 0.2, 0.2, 1);
  task.metric = RegretMetric::kAbsolute;
  return task;
}

// Short, because every solve goes through a process.
TrainingResult train_steps(const Task& task, int steps, std::size_t threads,
                           const char* method = "polystepor") {
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options);
  if (entry.presets.front().name == "best")
    for (const auto& [key, value] : entry.presets.front().values({{}, "", Options({})}))
      options.set(key, value, "preset");
  const std::pair<std::string, std::string> short_run[] = {{"steps", std::to_string(steps)},
                                                           {"epochs", std::to_string(steps)},
                                                           {"bags", "1"},
                                                           {"starts", "1"},
                                                           {"early", "exact"},
                                                           {"blend", "false"},
                                                           {"batch", "50"}};
  for (const auto& [key, value] : short_run)
    if (entry.options.find(key) != nullptr) options.set_text(key, value, "test");
  return train(task, entry, options, {.seed = 1, .threads = threads});
}

std::map<std::string, std::uint64_t> events_of(const TrainingResult& result) {
  return {result.solver_events.begin(), result.solver_events.end()};
}

TEST(ProcessProblem, ShortestPathThroughAProcessIsTheSameBitForBit) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("shortest-path", "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  Task native = entry.make(options, {}), through = entry.make(options, {});
  through.problem = make_process_problem(settings_of({GRID_SOLVER, "5"}, native.problem->outputs()));

  RandomStream random(2, Purpose::kTest);
  const std::size_t edges = native.problem->outputs();
  std::vector<double> prediction(edges), one(edges), other(edges);
  for (int trial = 0; trial < 200; ++trial) {
    for (double& value : prediction)
      value = trial % 2 == 0 ? random.normal() : static_cast<double>(random.below(4));
    ASSERT_EQ(native.problem->decide(prediction, 0, one), SolveStatus::kSolved);
    ASSERT_EQ(through.problem->decide(prediction, 0, other), SolveStatus::kSolved);
    ASSERT_EQ(one, other);
    ASSERT_EQ(native.problem->cost(one, prediction, 0), through.problem->cost(other, prediction, 0));
  }
  const TrainingResult plain = train_steps(native, 3, 1), processed = train_steps(through, 3, 1);
  EXPECT_EQ(plain.parameters, processed.parameters);
  EXPECT_EQ(plain.test_cost, processed.test_cost);
  EXPECT_EQ(plain.test_regret, processed.test_regret);
}

TEST(ProcessProblem, SolversOfEveryLanguageTrainToTheSameParameters) {
  const TrainingResult cpp = train_steps(pick_task(settings_of({EXAMPLE_SOLVER}, 4), 300), 3, 1);
  EXPECT_EQ(cpp.solves.failed, 0u);
  ProcessProblemSettings json = settings_of({"python3", "examples/solver_process/solver.py"}, 4);
  json.command.format = FrameFormat::kJson;
  EXPECT_EQ(train_steps(pick_task(json, 300), 3, 1).parameters, cpp.parameters);
  const auto binary = settings_of({"python3", "examples/solver_process/solver_binary.py"}, 4);
  EXPECT_EQ(train_steps(pick_task(binary, 300), 3, 1).parameters, cpp.parameters);
}

TEST(ProcessProblem, CostsSaidByTheSolverAreThoseOfItsDecisions) {
  const auto costs_of = [](const Task& task) {
    ThreadTeam team(1);
    return Evaluator(task, team)
        .evaluate(task.predictor->initial_parameters(3), TiledRows(task.data.training))
        .costs;
  };
  ProcessProblemSettings settings = settings_of({FAULTY_SOLVER}, 4);
  const std::vector<double> linear = costs_of(pick_task(settings));
  settings.linear.reset();
  const Task with_decisions = pick_task(settings);
  EXPECT_EQ(costs_of(with_decisions), linear);
  settings.decision_size = 0;
  const Task costs_only = pick_task(settings);
  EXPECT_EQ(costs_of(costs_only), linear);
  EXPECT_EQ(train_steps(with_decisions, 3, 1).parameters, train_steps(costs_only, 3, 1).parameters);
}

TEST(ProcessProblem, MaximisingIsMinimisingTheNegated) {
  ProcessProblemSettings settings = settings_of({FAULTY_SOLVER}, 4);
  settings.linear = Sense::kMaximise;
  const auto problem = make_process_problem(settings);
  EXPECT_EQ(problem->cost(std::vector<double>{0, 1, 0, 2}, std::vector<double>{5, 6, 7, 8}, 0), -22);
  EXPECT_EQ(problem->facts().linear_objective(), Sense::kMaximise);
}

// Crashes on 1 % of instances, and three kinds of garbage on 0.1 % between them.
TEST(ProcessProblem, TrainsToTheEndWithASolverThatCrashesAndTalksNonsense) {
  const ProcessProblemSettings settings =
      settings_of({FAULTY_SOLVER, "crash:100:17", "short:3000:5", "number:3000:1006", "nan:3000:2007"}, 4);
  const Task task = pick_task(settings, 3000);
  const TrainingResult result = train_steps(task, 4, 2);
  auto events = events_of(result);
  EXPECT_EQ(result.steps, 4u);
  EXPECT_EQ(result.stopped_by, "budget");
  EXPECT_TRUE(std::isfinite(result.test_regret));
  for (const char* kind : {"crashes", "garbage", "restarts"}) EXPECT_GT(events[kind], 0u) << kind;
  EXPECT_EQ(events["charged"], result.solves.failed);
  EXPECT_EQ(events["declined"], 0u);
  EXPECT_GE(events["restarts"], events["charged"] / 2);
  EXPECT_GT(result.solves.failed, result.solves.performed / 100 / 2);
  EXPECT_LT(result.solves.failed, result.solves.performed / 100 * 2);
}

// How many healthy frames a busy machine takes too long for is not known, so they are not counted.
TEST(ProcessProblem, TrainsToTheEndWithASolverThatHangs) {
  ProcessProblemSettings settings = settings_of({FAULTY_SOLVER, "hang:1000:444"}, 4);
  settings.command.frame_seconds = 0.05;
  const TrainingResult result = train_steps(pick_task(settings, 3000), 4, 2);
  auto events = events_of(result);
  EXPECT_EQ(result.steps, 4u);
  EXPECT_EQ(result.stopped_by, "budget");
  EXPECT_TRUE(std::isfinite(result.test_regret));
  EXPECT_GT(events["hangs"], 0u);
  EXPECT_GT(events["charged"], 0u);
  EXPECT_EQ(events["charged"], result.solves.failed);
}

TEST(ProcessProblem, FaultsAndThreadsChangeNoBit) {
  const auto train_faulty = [](std::size_t frame_size, std::size_t threads) {
    ProcessProblemSettings settings =
        settings_of({FAULTY_SOLVER, "crash:100:17", "nan:100:18", "decline:50:3"}, 4);
    settings.frame_size = frame_size;
    return train_steps(pick_task(settings, 600), 3, threads);
  };
  const TrainingResult one = train_faulty(128, 1);
  EXPECT_GT(one.solves.failed, 0u);
  for (const std::size_t frame_size : {1u, 40u, 128u})
    for (const std::size_t threads : {1u, 3u}) {
      const TrainingResult other = train_faulty(frame_size, threads);
      EXPECT_EQ(other.parameters, one.parameters) << frame_size << ' ' << threads;
      EXPECT_EQ(other.test_cost, one.test_cost);
      EXPECT_EQ(other.solves.failed, one.solves.failed);
    }
}

TEST(ProcessProblem, MethodsThatProbePredictionsAndThatNeedDecisionsWorkToo) {
  const Task task = pick_task(settings_of({EXAMPLE_SOLVER}, 4), 300);
  for (const char* method : {"polystepor-output", "spo+"}) {
    const TrainingResult result = train_steps(task, 3, 1, method);
    EXPECT_TRUE(std::isfinite(result.test_regret)) << method;
    EXPECT_EQ(result.solves.failed, 0u) << method;
  }
}

TEST(ProcessProblem, SettingsThatDoNotFitAreRefused) {
  ProcessProblemSettings settings = settings_of({FAULTY_SOLVER}, 4);
  settings.decision_size = 3;
  EXPECT_EQ(input_error([&] { make_process_problem(settings); }),
            "solver: a linear cost needs a decision component per true parameter, found 3 components and 4 "
            "parameters");
  settings = settings_of({FAULTY_SOLVER}, 4);
  settings.frame_size = 100000000;
  EXPECT_EQ(
      input_error([&] { make_process_problem(settings); }),
      "solver: 100000000 instances of 14 numbers are more than a frame may hold, expected at most 9586980");
}

}  // namespace
}  // namespace polystep
