// The problems whose predictions enter constraints: fast and plain paths, golden cases, golden metrics.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "data/benchmarks/constraint_data.hpp"
#include "data/constraint_golden.hpp"
#include "evaluation/evaluator.hpp"
#include "methods/starts/least_squares.hpp"
#include "polystep/random.hpp"
#include "problems/knapsack_capacity.hpp"
#include "problems/knapsack_weight.hpp"
#include "problems/recourse.hpp"
#include "problems/set_cover.hpp"

namespace polystep {
namespace {

using testing::constraint_table;

#define POLYSTEP_NEEDS_CONSTRAINT_DATA()               \
  if (!holds_constraint_data(find_data_directory(""))) \
  GTEST_SKIP() << "skipped: needs data, see "          \
                  "docs/data.md"

struct Choice {
  std::string problem;
  std::vector<std::pair<std::string, std::string>> options;
};

Task make(const Choice& choice, std::uint64_t seed) {
  const ProblemRegistry registry = builtin_problems();
  const ProblemEntry& entry = registry.find(choice.problem, "test");
  Options options(entry.options, entry.name);
  for (const auto& [key, value] : choice.options) options.set_text(key, value, "test");
  const TaskContext context{find_data_directory(""), seed};
  entry.settle(options, context);
  return entry.make(options, context);
}

const std::vector<Choice> kChoices = {{"knapsack-capacity", {}},
                                      {"knapsack-weight", {}},
                                      {"set-cover", {{"size", "10x50"}}},
                                      {"set-cover", {{"size", "5x25"}}},
                                      {"multi-knapsack", {{"predict", "weights"}}},
                                      {"multi-knapsack", {{"predict", "capacities"}}}};

// "kp_weight" as the golden tables name it.
Choice golden_choice(const std::string& name, const std::string& rho) {
  static const std::map<std::string, Choice> choices = {{"kp_capacity", kChoices[0]},
                                                        {"kp_weight", kChoices[1]},
                                                        {"wsmc_10x50", kChoices[2]},
                                                        {"wsmc_5x25", kChoices[3]}};
  Choice choice = choices.at(name);
  choice.options.emplace_back("rho", rho);
  return choice;
}

void expect_equal_paths(const Task& task, std::uint64_t seed) {
  const Problem& problem = *task.problem;
  const TiledRows rows(task.data.test);
  const auto fast = problem.make_tile_solver();
  const auto plain = problem.Problem::make_tile_solver();
  const OutputScaling& units = *task.predictor->output_scaling();
  RandomStream stream(seed, Purpose::kTest);
  AlignedDoubles prediction(problem.outputs() * kLanes);
  for (int draw = 0; draw < 30; ++draw) {
    const Tile tile = rows.tile(static_cast<std::size_t>(draw) % rows.tiles());
    for (std::size_t k = 0; k < prediction.size(); ++k)
      prediction[k] = units.mean[k / kLanes] + 1.2 * units.deviation[k / kLanes] * stream.normal();
    if (draw == 7) prediction[1] = std::nan("");
    TileOutcome a, b;
    fast->solve(tile, prediction.data(), a);
    plain->solve(tile, prediction.data(), b);
    const std::uint32_t used = (1u << tile.lanes) - 1;
    ASSERT_EQ(a.failed & used, b.failed & used);
    ASSERT_EQ(a.failed & used, draw == 7 ? 2u : 0u);
    ASSERT_EQ(a.infeasible & used, b.infeasible & used);
    ASSERT_EQ(a.changed & used, b.changed & used);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      ASSERT_NEAR(a.cost[lane], b.cost[lane], 1e-12 * std::abs(b.cost[lane]));
  }
}

TEST(ConstraintProblems, FastPathEqualsPlainPath) {
  for (Choice choice : kChoices)
    for (std::uint64_t seed : {0u, 7u}) {
      choice.options.emplace_back("source", "generated");
      expect_equal_paths(make(choice, seed), seed);
    }
}

TEST(ConstraintProblems, TrueParametersLeadToNoRecourse) {
  for (Choice choice : kChoices) {
    choice.options.emplace_back("source", "generated");
    const Task task = make(choice, 1);
    ThreadTeam team(1);
    Evaluator evaluator(task, team);
    const Evaluation optimal = evaluator.optimal(TiledRows(task.data.test));
    EXPECT_EQ(optimal.infeasible, 0u);
    EXPECT_EQ(optimal.changed, 0u) << choice.problem;
    EXPECT_EQ(optimal.solves.failed, 0u);
  }
}

TEST(ConstraintProblems, SeedsNameTheFifteenRuns) {
  Choice choice{"knapsack-capacity", {{"source", "generated"}}};
  EXPECT_EQ(make(choice, 7).setting, "rho=5 data-seed=0");
  choice.options = {{"source", "generated"}, {"dataset", "2"}, {"split", "1"}, {"rho", "20"}};
  EXPECT_EQ(make(choice, 7).setting, "rho=20 data-seed=0");  // run 7 is data set 2, split 1
  EXPECT_EQ(make(choice, 0).setting, "rho=20 dataset=2 split=1 data-seed=0");
  EXPECT_EQ(make(choice, 0).data.test.truth, make(choice, 7).data.test.truth);
}

TEST(Recourse, ShortagesArePaidPerUnit) {
  const std::vector<double> required = {5, 3, 2}, provided = {4, 3, 7}, price = {10, 100, 1000};
  const Realisation short_of_one = pay_shortage(7, required, provided, price);
  EXPECT_EQ(short_of_one.cost, 17);
  EXPECT_TRUE(short_of_one.recourse.infeasible);
  const Realisation enough = pay_shortage(7, provided, provided, price);
  EXPECT_EQ(enough.cost, 7);
  EXPECT_FALSE(enough.recourse.infeasible || enough.recourse.changed);
}

TEST(Recourse, ScalingFillsTheCapacityExactly) {
  std::vector<double> decision = {2, 1, 0};
  const std::vector<double> uses = {3, 4, 5};
  EXPECT_FALSE(scale_to_fit(decision, uses, 10).changed);
  EXPECT_EQ(decision, (std::vector<double>{2, 1, 0}));
  EXPECT_TRUE(scale_to_fit(decision, uses, 5).infeasible);
  EXPECT_EQ(decision, (std::vector<double>{1, 0.5, 0}));
  scale_to_fit(decision, uses, -1);
  EXPECT_EQ(decision, (std::vector<double>{0, 0, 0}));
}

// First five test instances of every data set, decided for the mean of the training rows.
TEST(ConstraintProblems, GoldenCases) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  std::map<std::string, Task> tasks;
  for (const auto& row : constraint_table("golden_cases.csv")) {
    const std::uint64_t seed = 3 * std::stoull(row[1]) + std::stoull(row[2]);
    const std::string key = row[0] + " " + row[5] + " " + std::to_string(seed);
    if (!tasks.contains(key)) tasks.emplace(key, make(golden_choice(row[0], row[5]), seed));
    const Task& task = tasks.at(key);
    const std::size_t position = std::stoull(row[3]), instance = std::stoull(row[4]);
    ASSERT_EQ(task.data.test.instance(position), instance);
    const double sign = row[0].starts_with("kp") ? -1 : 1;  // costs of what is maximised are negated
    std::vector<double> decision(task.problem->decision_size());
    const auto truth = task.data.test.truth_row(position);
    ASSERT_EQ(task.problem->decide(truth, instance, decision), SolveStatus::kSolved);
    const double optimum = std::stod(row[6]), expected = std::stod(row[9]), worst = std::stod(row[10]);
    EXPECT_NEAR(sign * task.problem->cost(decision, truth, instance), optimum, 1e-8 * std::abs(optimum));
    ASSERT_EQ(task.problem->decide(task.predictor->output_scaling()->mean, instance, decision),
              SolveStatus::kSolved);
    const double cost = sign * task.problem->cost(decision, truth, instance);
    const double slack = 1e-8 * std::abs(expected);
    EXPECT_GE(cost, std::min(expected, worst) - slack) << key << " " << position;
    EXPECT_LE(cost, std::max(expected, worst) + slack) << key << " " << position;
    const Recourse recourse = task.problem->realise(decision, truth, instance).recourse;
    EXPECT_EQ(recourse.changed, row[12] == "1") << key << " " << position;
    EXPECT_EQ(recourse.infeasible, row[13] == "1") << key << " " << position;
  }
}

// All published post-hoc values of whole predicted and true capacities.
TEST(KnapsackCapacity, GoldenTables) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  for (std::size_t dataset = 0; dataset < kConstraintDatasets; ++dataset) {
    std::map<std::string, Task> tasks;
    for (const auto& row :
         constraint_table("kp_capacity/seed" + std::to_string(dataset) + "/posthoc_table.csv")) {
      if (!tasks.contains(row[0]))
        tasks.emplace(row[0], make(golden_choice("kp_capacity", row[0]), 3 * dataset));
      const auto& problem = dynamic_cast<const KnapsackCapacity&>(*tasks.at(row[0]).problem);
      const Realisation& outcome =
          problem.outcome(problem.row_of(std::stod(row[1])), problem.row_of(std::stod(row[2])));
      const double expected = std::stod(row[3]);
      ASSERT_NEAR(-outcome.cost, expected, 1e-9 * (1 + std::abs(expected)));
      ASSERT_EQ(outcome.recourse.changed, row[4] == "1");
    }
  }
}

// Relative regret, prediction error and both infeasibility measures of the mean and of least squares, for all
// fifteen runs of every problem.
TEST(ConstraintProblems, GoldenMetrics) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  std::map<std::string, Task> tasks;
  double largest_cover_error = 0;
  for (const auto& row : constraint_table("golden_metrics.csv")) {
    if (row[3] == "mle") continue;  // tested with method gaussian
    const std::uint64_t seed = 3 * std::stoull(row[1]) + std::stoull(row[2]);
    const std::string key = row[0] + " " + row[4] + " " + std::to_string(seed);
    if (!tasks.contains(key)) tasks.emplace(key, make(golden_choice(row[0], row[4]), seed));
    const Task& task = tasks.at(key);
    std::vector<double> theta(task.predictor->parameters());  // zeros predict the mean
    if (row[3] == "ols") {
      Split scaled = task.data.training;
      const OutputScaling& units = *task.predictor->output_scaling();
      for (std::size_t k = 0; k < scaled.truth.size(); ++k)
        scaled.truth[k] =
            (scaled.truth[k] - units.mean[k % units.mean.size()]) / units.deviation[k % units.mean.size()];
      theta = least_squares_linear(scaled);
    }
    ThreadTeam team(1);
    Evaluator evaluator(task, team);
    const TiledRows rows(task.data.test);
    const Evaluation found = evaluator.evaluate(theta, rows);
    const double regret = mean_regret(task.metric, found, evaluator.optimal(rows).costs);
    const double expected = std::stod(row[5]);
    if (row[0].starts_with("kp"))
      EXPECT_NEAR(regret, expected, 1e-6 * expected) << key << " " << row[3];
    else  // ties between covers
      largest_cover_error = std::max(largest_cover_error, std::abs(regret - expected) / expected);
    const double error = std::stod(row[8]);
    EXPECT_NEAR(*mean_squared_error(task, theta, rows), error, 1e-6 * error);
    if (row[0].starts_with("kp") || row[3] == "mean") {
      EXPECT_NEAR(static_cast<double>(found.changed) / 50, std::stod(row[9]), 1e-9) << key << " " << row[3];
      EXPECT_NEAR(static_cast<double>(found.infeasible) / 50, std::stod(row[10]), 1e-9) << key;
    }
  }
  EXPECT_LT(largest_cover_error, 0.02);
}

}  // namespace
}  // namespace polystep
