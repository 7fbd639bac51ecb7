// Rows whose reference could not be solved: methods that learn from references learn nothing from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "declining_problem.hpp"
#include "methods/constraints/charged_task.hpp"
#include "polystep/method.hpp"
#include "problems/knapsack_capacity.hpp"
#include "problems/knapsack_weight.hpp"
#include "problems/shortest_path.hpp"

namespace polystep {
namespace {

constexpr std::size_t kBatch = 32;

Task generated(const ProblemEntry& entry) {
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  return entry.make(options, {"", 0});
}

// The first kBatch training rows have no reference.
Task without_first_references(const ProblemEntry& entry) {
  Task task = generated(entry);
  std::set<std::size_t> missing;
  for (std::size_t row = 0; row < kBatch; ++row) missing.insert(task.data.training.instance(row));
  task.problem = std::make_unique<DecliningProblem>(
      std::move(task.problem), no_instance,
      [missing](std::size_t instance) { return missing.contains(instance); });
  return task;
}

struct Learning {
  Learning(const Task& task, const char* method, std::vector<std::pair<const char*, const char*>> given = {})
      : team(1), evaluator(task, team), options(find_method(method, "test").options) {
    options.set_text("batch", std::to_string(kBatch), "test");
    for (const auto& [key, value] : given) options.set_text(key, value, "test");
    learner = find_method(method, "test").make({evaluator, options, 0});
    learner->prepare(preparation);
  }
  std::vector<double> parameters() const {
    return {learner->parameters().begin(), learner->parameters().end()};
  }

  ThreadTeam team;
  Evaluator evaluator;
  Options options;
  Preparation preparation;
  std::unique_ptr<Learner> learner;
};

class MissingReferences : public testing::TestWithParam<std::pair<ProblemEntry (*)(), const char*>> {};

TEST_P(MissingReferences, HaveNoPartInTheGradient) {
  const auto [entry, method] = GetParam();
  const Task task = without_first_references(entry());
  Learning learning(task, method);
  const std::vector<double> start = learning.parameters();
  const LearnerReport report = learning.learner->step();  // batches come in stored order
  EXPECT_EQ(report.reference_solves.failed, kBatch);
  EXPECT_EQ(learning.parameters(), start);
  learning.learner->step();
  EXPECT_NE(learning.parameters(), start);
}

INSTANTIATE_TEST_SUITE_P(Methods, MissingReferences,
                         testing::Values(std::pair(&shortest_path_entry, "spo+"),
                                         std::pair(&shortest_path_entry, "fenchel-young"),
                                         std::pair(&knapsack_capacity_entry, "sfge")));

TEST(ReferencesThatThrow, AreMissingForTheirRowsAlone) {
  Task task = generated(shortest_path_entry());
  task.problem =
      std::make_unique<DecliningProblem>(std::move(task.problem), no_instance, [](std::size_t instance) {
        if (instance < kBatch) throw std::runtime_error("the reference solver gave up");
        return false;
      });
  std::uint64_t throwing = 0;
  for (std::size_t row = 0; row < task.data.training.rows; ++row)
    throwing += task.data.training.instance(row) < kBatch;
  ASSERT_GT(throwing, 0u);
  Learning learning(task, "spo+");
  EXPECT_EQ(learning.learner->step().reference_solves.failed, throwing);
  const Evaluation optimal = learning.evaluator.optimal(TiledRows(task.data.training));
  EXPECT_EQ(optimal.solves.failed, throwing);
  for (std::size_t row = 0; row < task.data.training.rows; ++row)
    EXPECT_EQ(optimal.failed[row] != 0, task.data.training.instance(row) < kBatch);
}

TEST(MissingReferencesOfRankings, AreNotCached) {
  const Task task = without_first_references(shortest_path_entry());
  const Split& training = task.data.training;
  std::set<std::vector<double>> solved;
  for (std::size_t row = kBatch; row < training.rows; ++row) {
    std::vector<double> decision(task.problem->decision_size());
    ASSERT_EQ(task.problem->reference(training.instance(row), training.truth_row(row), decision),
              SolveStatus::kSolved);
    solved.insert(decision);
  }
  for (const char* method : {"listwise", "pairwise", "pairwise-diff", "map"}) {
    SCOPED_TRACE(method);
    Learning learning(task, method, {{"growth", "0"}});
    const LearnerReport report = learning.learner->step();
    const auto cached =
        std::ranges::find(report.figures, "cached_decisions", &std::pair<std::string, double>::first);
    ASSERT_NE(cached, report.figures.end());
    EXPECT_EQ(cached->second, static_cast<double>(solved.size()));
  }
}

// Has no solution for given parameters.
class RowsWithoutSolution final : public PredictedRows {
 public:
  RowsWithoutSolution(const PredictedRows& inner, std::set<std::vector<double>> unsolved)
      : inner_(inner), unsolved_(std::move(unsolved)) {}
  std::size_t rows() const override { return inner_.rows(); }
  std::size_t variables() const override { return inner_.variables(); }
  bool binary() const override { return inner_.binary(); }
  void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                  std::span<double> b) const override {
    inner_.write_rows(prediction, instance, a, b);
  }
  void add_gradient(std::span<const double> a, std::span<const double> b,
                    std::span<double> prediction) const override {
    inner_.add_gradient(a, b, prediction);
  }
  bool solve_rows(std::span<const double> prediction, std::size_t instance, std::span<const double> upper,
                  std::span<double> x) const override {
    if (unsolved_.contains({prediction.begin(), prediction.end()})) return false;
    return inner_.solve_rows(prediction, instance, upper, x);
  }

 private:
  const PredictedRows& inner_;
  std::set<std::vector<double>> unsolved_;
};

TEST(MissingReferencesOfComboptnet, HaveNoPartInTheGradient) {
  Task task = generated(knapsack_weight_entry());
  const Split& training = task.data.training;
  std::set<std::vector<double>> truths;
  for (std::size_t row = 0; row < training.rows; ++row)
    truths.insert({training.truth_row(row).begin(), training.truth_row(row).end()});
  const RowsWithoutSolution rows(*task.problem->predicted_rows(), truths);
  auto problem = std::make_unique<DecliningProblem>(std::move(task.problem), no_instance);
  problem->use_rows(rows);
  task.problem = std::move(problem);
  Learning learning(task, "comboptnet");
  const std::vector<double> start = learning.parameters();
  learning.learner->selection_cost();  // asks for references first, as the validation of the start does
  const LearnerReport report = learning.learner->step();
  EXPECT_EQ(report.reference_solves.requested, training.rows + task.data.validation.rows);
  EXPECT_GE(report.reference_solves.failed, training.rows);
  EXPECT_EQ(learning.parameters(), start);
}

TEST(MissingReferencesOfChargedTasks, RowsAreLeftOut) {
  const Task task = without_first_references(knapsack_capacity_entry());
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  evaluator.set_failure_cost(1e6);
  PreparedData data = prepare_data(task, false, false);
  Preparation preparation;
  ChargedTask charged(evaluator, data, true, preparation);
  EXPECT_EQ(charged.reference_solves().failed, kBatch);
  EXPECT_EQ(data.training.rows, task.data.training.rows - kBatch);
  EXPECT_EQ(charged.plain_training().rows, data.training.rows);
  EXPECT_EQ(data.validation.rows, task.data.validation.rows);
  for (std::size_t row = 0; row < data.training.rows; ++row) {
    EXPECT_EQ(data.training.instance(row), task.data.training.instance(row + kBatch));
    EXPECT_LT(data.training.truth_row(row).back(), 1e6);  // the unit is a cost, never a charge
  }
}

}  // namespace
}  // namespace polystep
