// Problems decided in batches: the same training, bit for bit, as deciding row by row, in few large calls.
#include "polystep/batch_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "polystep/train.hpp"

namespace polystep {
namespace {

constexpr std::size_t kNoFailure = 0;

// Another problem, row by row through decide and cost. Every `failing`-th instance has no decision.
struct RowByRow final : Problem {
  RowByRow(std::unique_ptr<Problem> problem, std::size_t every)
      : Problem(problem->outputs(), problem->decision_size()), inner(std::move(problem)), failing(every) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    if (failing != kNoFailure && instance % failing == 1) return SolveStatus::kFailed;
    return inner->decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner->cost(decision, truth, instance);
  }
  ProblemFacts facts() const override { return inner->facts(); }

  std::unique_ptr<Problem> inner;
  std::size_t failing;
};

// The same in batches; remembers how large they were.
struct InBatches final : BatchProblem {
  InBatches(std::unique_ptr<Problem> problem, std::size_t every, std::size_t batch)
      : BatchProblem(problem->outputs(), problem->decision_size()),
        rows(std::move(problem), every),
        most(batch) {}
  std::size_t batch_rows() const override { return most; }
  ProblemFacts facts() const override { return rows.facts(); }
  void decide_batch(std::span<const double> predictions, std::span<const std::size_t> instances,
                    std::span<double> decisions, std::span<SolveStatus> statuses) const override {
    calls += 1;
    decided += instances.size();
    if (instances.size() > most) throw std::logic_error("more rows than batch_rows");
    for (std::size_t row = 0; row < instances.size(); ++row)
      statuses[row] = rows.decide(predictions.subspan(row * outputs(), outputs()), instances[row],
                                  decisions.subspan(row * decision_size(), decision_size()));
  }
  void cost_batch(std::span<const double> decisions, std::span<const double> truth,
                  std::span<const std::size_t> instances, std::span<double> costs) const override {
    const std::size_t columns = truth.size() / instances.size();
    for (std::size_t row = 0; row < instances.size(); ++row)
      costs[row] = rows.cost(decisions.subspan(row * decision_size(), decision_size()),
                             truth.subspan(row * columns, columns), instances[row]);
  }

  RowByRow rows;
  std::size_t most;
  mutable std::atomic<std::size_t> calls = 0;
  mutable std::atomic<std::size_t> decided = 0;
};

void keep_first(Split& split, std::size_t rows) {
  split.rows = rows;
  split.features.resize(rows * split.feature_columns);
  split.truth.resize(rows * split.truth_columns);
  if (!split.instances.empty()) split.instances.resize(rows);
}

Task shortest_path() {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("shortest-path", "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  Task task = entry.make(options, {});
  keep_first(task.data.training, 100);
  keep_first(task.data.validation, 43);
  keep_first(task.data.test, 50);
  return task;
}

Task with_rows(std::size_t failing) {
  Task task = shortest_path();
  task.problem = std::make_unique<RowByRow>(std::move(task.problem), failing);
  return task;
}

Task with_batches(std::size_t failing, std::size_t batch) {
  Task task = shortest_path();
  task.problem = std::make_unique<InBatches>(std::move(task.problem), failing, batch);
  return task;
}

Options options_of(const MethodEntry& method, const std::string& preset_name) {
  Options options(method.options, method.name);
  const Options settings(OptionTable{});
  for (const auto& [key, value] : method.preset(preset_name, "test").values({{}, "", settings}))
    options.set(key, value, "test");
  for (const auto& [key, value] : {std::pair{"steps", "3"}, {"epochs", "2"}, {"bags", "2"}, {"checks", "1"}})
    if (method.options.find(key) != nullptr) options.set_text(key, value, "test");
  return options;
}

class BatchTraining : public testing::TestWithParam<const char*> {};

TEST_P(BatchTraining, GivesTheBitsOfDecidingRowByRow) {
  const MethodEntry& method = find_method(GetParam(), "test");
  for (const Preset& preset : method.presets) {
    SCOPED_TRACE(preset.name);
    const Options options = options_of(method, preset.name);
    for (const std::size_t failing : {kNoFailure, std::size_t{13}}) {
      const TrainingResult expected = train(with_rows(failing), method, options, {.seed = 5});
      for (const auto& [batch, threads] :
           {std::pair<std::size_t, std::size_t>{1024, 1}, {1024, 3}, {100, 2}}) {
        const TrainingResult result =
            train(with_batches(failing, batch), method, options, {.seed = 5, .threads = threads});
        EXPECT_TRUE(result.parameters == expected.parameters) << batch << " rows, " << threads << " threads";
        EXPECT_EQ(result.test_regret, expected.test_regret);
        EXPECT_EQ(result.solves.performed, expected.solves.performed);
        EXPECT_EQ(result.solves.failed, expected.solves.failed);
        EXPECT_EQ(result.solves.failed > 0, failing != kNoFailure);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, BatchTraining,
                         testing::Values("polystepor", "polystepor-output", "spo+", "dbb"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](char c) { return c == '-' || c == '+'; });
                           return name;
                         });

TEST(BatchProblem, IsAskedAboutManyRowsAtATime) {
  const MethodEntry& method = find_method("polystepor", "test");
  const Task task = with_batches(kNoFailure, 1024);
  train(task, method, options_of(method, method.presets.front().name), {.seed = 5});
  const auto& problem = dynamic_cast<const InBatches&>(*task.problem);
  EXPECT_GT(problem.decided / problem.calls, 400u);
}

TEST(BatchProblem, ItsExceptionsEndTheTraining) {
  struct Broken final : BatchProblem {
    using BatchProblem::BatchProblem;
    void decide_batch(std::span<const double>, std::span<const std::size_t>, std::span<double>,
                      std::span<SolveStatus>) const override {
      throw std::runtime_error("the solver is gone");
    }
    void cost_batch(std::span<const double>, std::span<const double>, std::span<const std::size_t>,
                    std::span<double>) const override {}
  };
  Task task = shortest_path();
  task.problem = std::make_unique<Broken>(task.problem->outputs(), task.problem->decision_size());
  const MethodEntry& method = find_method("polystepor", "test");
  EXPECT_THROW(train(task, method, Options(method.options), {.seed = 1, .threads = 2}), std::runtime_error);
}

}  // namespace
}  // namespace polystep
