#include "methods/polystepor/decision_pool.hpp"

#include <gtest/gtest.h>

#include "constraint_tasks.hpp"
#include "methods/polystepor/early_steps.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

std::vector<double> moved(std::span<const double> theta, double distance, std::uint64_t index) {
  std::vector<double> result(theta.begin(), theta.end());
  RandomStream stream(5, Purpose::kTest, index);
  for (double& parameter : result) parameter += distance * stream.normal();
  return result;
}

class DecisionPoolOf : public testing::TestWithParam<const char*> {
 protected:
  Task task = constraint_task(GetParam());
  ThreadTeam team{1};
  Evaluator exact{task, team};
  DecisionPool pool{exact, task.data.training};
  Evaluator pooled{task, team, pool.problem()};
  TiledRows rows{task.data.training};
  std::vector<double> theta = task.predictor->initial_parameters(1);
  SolveCounts counts;
};

TEST_P(DecisionPoolOf, IsExactWhereTheOptimumIsKnown) {
  const std::vector<double> other = moved(theta, 0.1, 1);
  pool.learn(theta, counts);
  pool.learn(other, counts);
  EXPECT_EQ(counts.requested, 2 * task.data.training.rows);
  for (const std::vector<double>& point : {theta, other}) {
    const Evaluation expected = exact.evaluate(point, rows), found = pooled.evaluate(point, rows);
    EXPECT_EQ(found.solves.failed, 0u);
    for (std::size_t row = 0; row < rows.rows(); ++row)
      EXPECT_NEAR(found.costs[row], expected.costs[row], 1e-9 * (1 + std::abs(expected.costs[row])));
  }
}

TEST_P(DecisionPoolOf, ChoosesAmongWhatItHasSeen) {
  const std::vector<double> other = moved(theta, 0.3, 1), third = moved(theta, 0.3, 2);
  pool.learn(theta, counts);
  pool.learn(other, counts);
  const Evaluation one = exact.evaluate(theta, rows), two = exact.evaluate(other, rows);
  const Evaluation found = pooled.evaluate(third, rows);
  std::size_t from_one = 0, from_two = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double near = 1e-9 * (1 + std::abs(found.costs[row]));
    const bool is_one = std::abs(found.costs[row] - one.costs[row]) < near;
    const bool is_two = std::abs(found.costs[row] - two.costs[row]) < near;
    EXPECT_TRUE(is_one || is_two) << "row " << row;
    from_one += is_one && !is_two;
    from_two += is_two && !is_one;
  }
  EXPECT_GT(from_one, 0u);
  EXPECT_GT(from_two, 0u);
}

TEST_P(DecisionPoolOf, RemembersEachDecisionOnce) {
  pool.learn(theta, counts);
  pool.learn(theta, counts);
  EXPECT_EQ(pool.mean_size(), 1);
}

TEST_P(DecisionPoolOf, IsTheSameAfterALoad) {
  for (std::uint64_t k = 0; k < 4; ++k) pool.learn(moved(theta, 0.3, k), counts);
  ArchiveWriter writer;
  pool.save(writer);
  DecisionPool copy(exact, task.data.training);
  ArchiveReader reader(writer.bytes(), "test");
  copy.load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_EQ(copy.mean_size(), pool.mean_size());
  Evaluator by_copy(task, team, copy.problem());
  EXPECT_EQ(by_copy.evaluate(theta, rows).costs, pooled.evaluate(theta, rows).costs);
}

INSTANTIATE_TEST_SUITE_P(Problems, DecisionPoolOf,
                         testing::Values("shortest-path", "knapsack", "energy-scheduling"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(DecisionPool, KnowsWhomItServes) {
  EXPECT_TRUE(DecisionPool::serves(constraint_task("energy-scheduling")));
  EXPECT_FALSE(DecisionPool::serves(constraint_task("portfolio")));
  EXPECT_FALSE(DecisionPool::serves(constraint_task("knapsack-capacity")));
  Task task = constraint_task("knapsack");
  task.data.training.instances.assign(task.data.training.rows, 0);  // several rows, one instance
  EXPECT_FALSE(DecisionPool::serves(task));
}

// Picks the cheaper of two things; the solver gives up on rows 0, 3, 6, ...
struct Moody final : Problem {
  Moody() : Problem(2, 2) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    if (instance % 3 == 0) return SolveStatus::kFailed;
    decision[0] = prediction[0] < prediction[1];
    decision[1] = 1 - decision[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return decision[0] * truth[0] + decision[1] * truth[1];
  }
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
};

Task moody_task() {
  Split rows{90, 1, 2, {}, {}, {}};
  RandomStream random(3, Purpose::kTest);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    rows.features.push_back(random.normal());
    rows.truth.push_back(2 + rows.features.back());
    rows.truth.push_back(2 - rows.features.back());
  }
  return {"", std::make_unique<Moody>(), make_linear(1, 2), split_at_random(rows, 0.3, 0.1, 1),
          RegretMetric::kAbsolute};
}

TEST(DecisionPool, RowsWithoutADecisionFail) {
  const Task task = moody_task();
  ThreadTeam team(1);
  Evaluator exact(task, team);
  DecisionPool pool(exact, task.data.training);
  SolveCounts counts;
  const std::vector<double> theta = task.predictor->initial_parameters(1);
  pool.learn(theta, counts);
  std::size_t hopeless = 0;
  for (std::size_t row = 0; row < task.data.training.rows; ++row)
    hopeless += task.data.training.instance(row) % 3 == 0;
  ASSERT_GT(hopeless, 0u);
  EXPECT_EQ(counts.failed, hopeless);
  Evaluator pooled(task, team, pool.problem());
  EXPECT_EQ(pooled.evaluate(theta, TiledRows(task.data.training)).solves.failed, hopeless);
}

// Where no solve can be skipped by proof, early steps are pooled; elsewhere they are exact.
TEST(EarlySteps, AutoAsksWhetherTheSolverKnowsMargins) {
  ThreadTeam team(1);
  const auto early_steps_on = [&](const char* problem, const char* early) {
    const Task task = constraint_task(problem);
    Evaluator evaluator(task, team);
    const Options options =
        method_options("polystepor", "best", problem, {{"early", early}, {"steps", "10"}});
    const auto early_steps = make_early_steps(evaluator, task.data.training, options);
    return early_steps ? early_steps->steps() : 0;
  };
  EXPECT_EQ(early_steps_on("energy-scheduling", "auto"), 8u);
  EXPECT_EQ(early_steps_on("energy-scheduling", "exact"), 0u);
  EXPECT_EQ(early_steps_on("shortest-path", "auto"), 0u);
  EXPECT_EQ(early_steps_on("shortest-path", "pooled"), 8u);
  EXPECT_EQ(early_steps_on("portfolio", "pooled"), 0u);  // its decisions never recur
}

// Almost as good as exact steps, for a fraction of the calls.
TEST(EarlySteps, SaveSolvesAndHardlyCostQuality) {
  const Task task = constraint_task("energy-scheduling", {{"load", "2"}});
  const MethodEntry& method = find_method("polystepor", "test");
  const auto result = [&](const char* early) {
    const Options options = method_options("polystepor", "best", "energy-scheduling",
                                           {{"early", early}, {"steps", "15"}, {"bags", "4"}});
    return train(task, method, options, {.seed = 0});
  };
  const TrainingResult exact = result("exact"), pooled = result("pooled");
  EXPECT_LT(pooled.training_solves.requested, exact.training_solves.requested / 3);
  EXPECT_LT(pooled.test_regret, 1.05 * exact.test_regret);
}

}  // namespace
}  // namespace polystep
