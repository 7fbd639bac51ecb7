// Solves that fail: they must not lower regret, are told in every result, and where nothing was solved there
// is none.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "declining_problem.hpp"
#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "polystep/train.hpp"
#include "problems/shortest_path.hpp"
#include "runtime/bench/finished_runs.hpp"
#include "runtime/run/result_file.hpp"
#include "runtime/run/training_run.hpp"
#include "runtime/run/training_session.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFirstTest = 1000000;  // instance numbers of test rows are from here on

Task path_task() {
  const ProblemEntry entry = shortest_path_entry();
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  Task task = entry.make(options, {"", 0});
  task.data.test.instances.resize(task.data.test.rows);
  std::iota(task.data.test.instances.begin(), task.data.test.instances.end(), kFirstTest);
  return task;
}

Task declining_task(DecliningProblem::Chosen declines, DecliningProblem::Chosen no_reference = nullptr) {
  Task task = path_task();
  task.problem = std::make_unique<DecliningProblem>(std::move(task.problem), std::move(declines),
                                                    std::move(no_reference));
  return task;
}

TrainingResult train_by(const std::string& method, const Task& task, const char* key, const char* value) {
  Options options(find_method(method, "test").options);
  options.set_text(key, value, "test");
  return train(task, find_method(method, "test"), options, {.seed = 0});
}

TrainingResult least_squares(const Task& task) { return train_by("mse", task, "epochs", "2"); }

// The regret of the rows that `counts` admits, as if no solve had failed.
double plain_regret(Split Dataset::*split, std::span<const double> parameters,
                    const DecliningProblem::Chosen& counts) {
  const Task task = path_task();
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.*split);
  const Evaluation decided = evaluator.evaluate(parameters, rows), optimal = evaluator.optimal(rows);
  double sum = 0, counted = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (!counts((task.data.*split).instance(row))) continue;
    sum += (decided.costs[row] - optimal.costs[row]) / std::abs(optimal.costs[row]);
    ++counted;
  }
  return sum / counted;
}

TEST(FailedSolves, RegretIsThatOfTheSolvedRowsHoweverManyAreDeclined) {
  for (const std::size_t k : {1u, 2u, 5u, 20u}) {
    SCOPED_TRACE(k);
    const auto declines = [k](std::size_t instance) { return instance % k != 0; };
    const TrainingResult result = least_squares(declining_task(declines));
    EXPECT_DOUBLE_EQ(result.test_regret,
                     plain_regret(&Dataset::test, result.parameters, std::not_fn(declines)));
    RecordProperty("regret_of_one_row_in_" + std::to_string(k), std::to_string(result.test_regret));
    EXPECT_GT(result.test_regret, 0.05);
    EXPECT_DOUBLE_EQ(result.test_failed, 1 - 1.0 / static_cast<double>(k));
    EXPECT_EQ(result.reference_failed, result.test_failed);
  }
}

TEST(FailedSolves, ARowWithAReferencePaysTheFailureCostForNoDecision) {
  const auto declines = [](std::size_t instance) { return instance % 4 == 0; };
  const TrainingResult result = least_squares(declining_task(declines, no_instance));
  EXPECT_DOUBLE_EQ(result.test_failed, 0.25);
  EXPECT_EQ(result.reference_failed, 0.0);
  const Task task = path_task();
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.test);
  const Evaluation decided = evaluator.evaluate(result.parameters, rows), optimal = evaluator.optimal(rows);
  double sum = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double cost = declines(task.data.test.instance(row)) ? result.failure_cost : decided.costs[row];
    sum += (cost - optimal.costs[row]) / std::abs(optimal.costs[row]);
  }
  EXPECT_DOUBLE_EQ(result.test_regret, sum / static_cast<double>(rows.rows()));
}

// A rate that falls when validation regret stalls must not see charges in place of references.
TEST(FailedSolves, ValidationRegretLeavesOutRowsWithoutAReference) {
  const auto declines = [](std::size_t instance) { return instance % 2 == 0; };
  const Task task = declining_task(declines);
  const MethodEntry& method = find_method("spo+", "test");
  const Options options(method.options);
  ThreadTeam team(1);
  TrainingSession session(task, method, options, 0, team);
  session.prepare();
  const LoopEvent start = session.start();
  ASSERT_TRUE(start.validation);
  EXPECT_DOUBLE_EQ(start.validation->regret,
                   plain_regret(&Dataset::validation, session.loop().result(), std::not_fn(declines)));
}

TEST(FailedSolves, TrainingRowsWithoutAReferenceAreCounted) {
  const Task task = declining_task([](std::size_t instance) { return instance % 2 == 0; });
  const TrainingResult result = train_by("spo+", task, "epochs", "3");
  EXPECT_EQ(result.rows_without_reference, (task.data.training.rows + 1) / 2);
}

TEST(FailedSolves, WhereNothingWasSolvedThereIsNoResult) {
  const auto of_test = [](std::size_t instance) { return instance >= kFirstTest; };
  const std::size_t training = path_task().data.training.rows, test = path_task().data.test.rows;
  const auto all_of = [](const std::string& what, std::size_t rows) {
    return what + ": the solver failed on all of " + std::to_string(rows) +
           " rows, expected at least one to be solved";
  };
  EXPECT_EQ(input_error([] { least_squares(declining_task(every_instance)); }),
            all_of("the failure cost, by decisions of the untrained predictor", training));
  EXPECT_EQ(input_error([&] { least_squares(declining_task(of_test, no_instance)); }),
            all_of("test decisions", test));
  EXPECT_EQ(input_error([&] { least_squares(declining_task(no_instance, of_test)); }),
            all_of("references of the test data", test));
}

ProblemRegistry registry_of(DecliningProblem::Chosen declines) {
  ProblemRegistry problems;
  problems.add({.name = "declining",
                .help = "",
                .options = {},
                .make = [declines](const Options&, const TaskContext&) { return declining_task(declines); }});
  return problems;
}

RunRequest request_for(const ProblemRegistry& problems) {
  RunConfig config;
  config.problem = "declining";
  config.method = "mse";
  return resolve_run(problems, config, "test", {{"epochs", "2", "test"}});
}

TEST(FailedSolves, ARunWithoutASolvedTestRowLeavesNeitherResultNorModel) {
  const TemporaryDirectory directory;
  const ProblemRegistry problems = registry_of([](std::size_t instance) { return instance >= kFirstTest; });
  ThreadTeam team(1);
  TrainingRun run(request_for(problems), team);
  const RunDirectory place = RunDirectory::open_new(directory / "run", false);
  EXPECT_EQ(input_error([&] { run.execute(place, false); }).substr(0, 14), "test decisions");
  EXPECT_FALSE(std::filesystem::exists(directory / "run/result.json"));
  EXPECT_FALSE(std::filesystem::exists(directory / "run/model.bin"));
}

// A solver that is lost has not failed on one row: whoever asks it must hear so.
TEST(FailedSolves, ALostSolverEndsWhateverAsksIt) {
  const auto lost = [](std::size_t) -> bool { throw SolverLost("the solver is gone"); };
  const Task task = declining_task(lost, no_instance), no_references = declining_task(no_instance, lost);
  ThreadTeam team(2);
  Evaluator evaluator(task, team), references(no_references, team);
  const Split& training = task.data.training;
  std::vector<std::size_t> rows(training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<double> decisions(training.rows * task.problem->decision_size());
  std::vector<SolveStatus> statuses(1);
  SolveCounts counts;
  const std::vector<double> theta = task.predictor->initial_parameters(0);
  EXPECT_THROW(evaluator.evaluate(theta, TiledRows(training)), SolverLost);
  EXPECT_THROW(references.optimal(TiledRows(training)), SolverLost);
  EXPECT_THROW(DecisionOracle(evaluator, "test").decide(rows, training.truth, decisions, counts), SolverLost);
  EXPECT_THROW(
      task.problem->decide_several(std::span(training.truth).first(training.truth_columns), 0,
                                   std::span(decisions).first(task.problem->decision_size()), statuses),
      SolverLost);
}

TEST(FailedSolves, SharesStandInEveryRecordOfTheRun) {
  const ProblemRegistry problems = registry_of([](std::size_t instance) { return instance % 4 == 1; });
  const RunRequest request = request_for(problems);
  const Task task = declining_task([](std::size_t instance) { return instance % 4 == 1; });
  const TrainingResult result = train(task, *request.method, request.method_options, {});
  const TemporaryDirectory directory;
  directory.file("result.json", render_result(request, task, result, 0));
  const RunRecord read = load_finished_runs(directory.path()).runs.at(0);
  const RunRecord direct = record_of("declining", task, "mse", "paper", 0, result, 0);
  for (const RunRecord* run : {&read, &direct}) {
    EXPECT_EQ(run->test_failed, 0.25);
    EXPECT_EQ(run->reference_failed, 0.25);
    EXPECT_FALSE(can_be_judged(*run));
  }
  EXPECT_NE(describe_result(request, task, result, 0).find("0.25 of test decisions"), std::string::npos);
}

}  // namespace
}  // namespace polystep
