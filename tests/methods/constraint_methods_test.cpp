// Methods of the benchmarks with predicted constraints, against golden runs where data are at hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "data/benchmarks/constraint_data.hpp"
#include "data/constraint_golden.hpp"
#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/constraints/comboptnet_surrogate.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

using testing::constraint_table;

#define POLYSTEP_NEEDS_CONSTRAINT_DATA()               \
  if (!holds_constraint_data(find_data_directory(""))) \
  GTEST_SKIP() << "skipped: needs data, see "          \
                  "docs/data.md"

using Settings = std::vector<std::pair<std::string, std::string>>;

Task make_task(const std::string& problem, const Settings& settings, std::uint64_t seed) {
  const ProblemRegistry registry = builtin_problems();
  const ProblemEntry& entry = registry.find(problem, "test");
  Options options(entry.options, entry.name);
  for (const auto& [key, value] : settings) options.set_text(key, value, "test");
  const TaskContext context{find_data_directory(""), seed};
  entry.settle(options, context);
  return entry.make(options, context);
}

Options method_options(const std::string& method, const std::string& problem, const Settings& settings = {}) {
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options, entry.name);
  const ProblemRegistry registry = builtin_problems();
  const Options problem_options(registry.find(problem, "test").options, problem);
  for (const auto& [key, value] :
       entry.preset("paper", "test")
           .values(PresetContext::of(registry.find(problem, "test"), problem_options)))
    options.set(key, value, "test");
  for (const auto& [key, value] : settings) options.set_text(key, value, "test");
  return options;
}

TrainingResult run(const std::string& problem, const std::string& method, const Settings& settings,
                   std::uint64_t seed, const Settings& method_settings = {}, std::size_t threads = 1) {
  const Task task = make_task(problem, settings, seed);
  TrainingSettings training;
  training.seed = seed;
  training.threads = threads;
  return train(task, find_method(method, "test"), method_options(method, problem, method_settings), training);
}

TEST(StartingPoint, IsThePublishedOne) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  std::map<std::size_t, std::vector<std::vector<double>>> expected;  // by outputs: rows of weights and bias
  for (const auto& row : constraint_table("linear_init.csv")) {
    expected[std::stoull(row[0])].emplace_back();
    for (std::size_t k = 2; k < row.size(); ++k)
      expected[std::stoull(row[0])].back().push_back(std::stod(row[k]));
  }
  for (const auto& [outputs, rows] : expected) {
    const auto theta = make_linear(5, outputs)->initial_parameters(0, InitialDraw::kTwister);
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(theta[o * 5 + k], rows[o][k], 1e-7);
      EXPECT_NEAR(theta[outputs * 5 + o], rows[o][5], 1e-7);
    }
  }
}

// One run of each problem against its golden parameters: epochs, best epoch, weights.
TEST(Gaussian, TrainsToTheGoldenParameters) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  const std::map<std::string, std::pair<std::string, Settings>> problems = {
      {"kp_capacity", {"knapsack-capacity", {}}},
      {"kp_weight", {"knapsack-weight", {}}},
      {"wsmc_5x25", {"set-cover", {{"size", "5x25"}}}}};
  const auto table = constraint_table("mle_params.csv");
  for (const auto& [golden, problem] : problems) {
    const TrainingResult result = run(problem.first, "gaussian", problem.second, 0);
    std::size_t rows = 0;
    for (const auto& row : table) {
      if (row[0] != golden || row[1] != "0" || row[2] != "0") continue;
      EXPECT_EQ(result.steps, 23 * std::stoull(row[3])) << golden;
      const std::size_t outputs = result.parameters.size() / 6, o = std::stoull(row[5]);
      for (std::size_t k = 0; k < 5; ++k)
        EXPECT_NEAR(result.parameters[o * 5 + k], std::stod(row[6 + k]), 2e-3) << golden;
      EXPECT_NEAR(result.parameters[outputs * 5 + o], std::stod(row[11]), 2e-3) << golden;
      ++rows;
    }
    EXPECT_GT(rows, 0u);
  }
}

// The published rows: mean relative regret over fifteen runs, to every printed digit for the knapsacks.
TEST(Gaussian, ReproducesThePublishedRows) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  struct Row {
    std::string problem;
    Settings settings;
    double published, tolerance;
  };
  for (const Row& row : {Row{"knapsack-capacity", {{"rho", "5"}}, .5556, 5.1e-5},
                         Row{"knapsack-weight", {{"rho", "10"}}, .3190, 5.1e-5},
                         Row{"set-cover", {{"size", "10x50"}, {"rho", "5"}}, 5.7115, .003 * 5.7115},
                         Row{"set-cover", {{"size", "5x25"}, {"rho", "1"}}, 1.6856, .003 * 1.6856}}) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 15; ++seed)
      mean += run(row.problem, "gaussian", row.settings, seed).test_regret / 15;
    EXPECT_NEAR(mean, row.published, row.tolerance) << row.problem;
  }
}

const Settings kGenerated = {{"source", "generated"}};

TEST(Sfge, LearnsFromRegretAlone) {
  const Settings few = {{"epochs", "25"}};
  const TrainingResult untrained = run("knapsack-capacity", "sfge", kGenerated, 1, {{"epochs", "1"}});
  const TrainingResult trained = run("knapsack-capacity", "sfge", kGenerated, 1, few);
  EXPECT_LT(trained.validation_cost, untrained.validation_cost);
  EXPECT_EQ(trained.training_solves.requested, trained.steps / 23 * 720);
  EXPECT_EQ(run("knapsack-capacity", "sfge", kGenerated, 1, few, 2).parameters, trained.parameters);
}

TEST(Polystepor, FollowsTheFixedConfiguration) {
  const Options options = method_options("polystepor", "set-cover");
  EXPECT_EQ(options.text("sampling"), "in-order");
  EXPECT_EQ(options.integer("steps"), 500 * 23);
  const Settings one_epoch = {{"steps", "23"}, {"checks", "1"}};
  // 16 probes per block of 8 coordinates: 1 block, 34, 8 and 4; the current point is decided besides.
  for (const auto& [problem, size, blocks] :
       {std::tuple("knapsack-capacity", "", 1), std::tuple("knapsack-weight", "", 34),
        std::tuple("set-cover", "10x50", 8), std::tuple("set-cover", "5x25", 4)}) {
    Settings settings = kGenerated;
    if (*size != '\0') settings.emplace_back("size", size);
    const TrainingResult result = run(problem, "polystepor", settings, 2, one_epoch);
    EXPECT_EQ(result.training_solves.requested, 720u * (16u * static_cast<unsigned>(blocks) + 1));
    EXPECT_TRUE(result.test_infeasible.has_value() && result.test_changed.has_value());
    EXPECT_EQ(run(problem, "polystepor", settings, 2, one_epoch, 2).parameters, result.parameters);
  }
}

TEST(CombOptNet, LearnsConstraints) {
  for (const char* problem : {"knapsack-weight", "set-cover"}) {
    const TrainingResult result = run(problem, "comboptnet", kGenerated, 1, {{"epochs", "2"}});
    EXPECT_EQ(result.steps, 46u);
    EXPECT_TRUE(std::isfinite(result.test_regret));
  }
}

TEST(CombOptNet, NeedsPredictedRows) {
  EXPECT_EQ(input_error([] { run("knapsack-capacity", "comboptnet", kGenerated, 0); }).substr(0, 50),
            "method comboptnet: the problem has no linear const");
}

// One row a . x + b <= 0 with the wish to raise x_0: the row is pulled where the neighbour violates it, and
// pushed beyond the solution where the neighbour is feasible.
TEST(CombOptNet, SurrogateMovesRowsTheRightWay) {
  ConstraintSurrogate surrogate(1, 2);
  const std::vector<double> upper = {1, 1}, y = {0, 1}, up = {-0.5, 0};
  const std::vector<double> a = {3, 4}, tight = {-4.5}, loose = {-8};
  surrogate.differentiate(a, tight, y, up, upper);  // y' = (1, 1) has 7 > 4.5: distance 0.5
  EXPECT_NEAR(surrogate.b_gradient()[0], 0.5 / 5, 1e-9);
  EXPECT_NEAR(surrogate.a_gradient()[0], 0.5 * (1 / 5.0 - 0.5 * 3 / 25), 1e-8);
  surrogate.differentiate(a, loose, y, up, upper);  // y' is feasible: cut off y, whose distance is -0.8
  EXPECT_NEAR(surrogate.b_gradient()[0], -0.5 / 5, 1e-9);
  const std::vector<double> down = {0.5, 0};
  surrogate.differentiate(a, tight, y, down, upper);  // x_0 is 0 already
  EXPECT_EQ(surrogate.b_gradient()[0], 0);
}

// The surrogate's gradient is that of its value: lambda times the distance of y' for a violated row.
TEST(CombOptNet, SurrogateGradientIsADerivative) {
  const std::vector<double> upper = {5, 5, 5}, y = {1, 2, 0}, wish = {-0.3, 0.2, -0.1}, b = {-3};
  const auto value = [&](const std::vector<double>& a) {
    const double norm = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 1e-8;
    const auto violation = [&](double x0, double x1, double x2) {
      return std::max(0.0, (a[0] * x0 + a[1] * x1 + a[2] * x2 + b[0]) / norm);
    };
    return 0.1 * violation(2, 1, 1) + 0.1 * violation(2, 1, 0) + 0.1 * violation(2, 2, 0);
  };
  std::vector<double> a = {2, 1.5, 1};
  ConstraintSurrogate surrogate(1, 3);
  surrogate.differentiate(a, b, y, wish, upper);
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> high = a, low = a;
    high[j] += 1e-6;
    low[j] -= 1e-6;
    EXPECT_NEAR(surrogate.a_gradient()[j], (value(high) - value(low)) / 2e-6, 1e-6);
  }
}

// A problem whose costs are those of another less an amount per instance, which no decision changes.
class LessReference final : public Problem {
 public:
  LessReference(const Problem& inner, double amount)
      : Problem(inner.outputs(), inner.decision_size()), inner_(inner), amount_(amount) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return inner_.decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner_.cost(decision, truth, instance) - amount_ * static_cast<double>(instance % 64);
  }

 private:
  const Problem& inner_;
  double amount_;
};

// Training does not depend on reference costs (Proposition 1 of the paper). Costs here are whole numbers
// below 2^53 and rows come 32 or 16 at a time, so that no rounding blurs the comparison: bits are equal.
TEST(Polystepor, DoesNotNeedReferenceCosts) {
  const auto trained = [](double amount) {
    Task task = make_task("set-cover", {{"source", "generated"}, {"size", "5x25"}, {"rho", "5"}}, 4);
    const std::unique_ptr<Problem> inner = std::move(task.problem);
    task.problem = std::make_unique<LessReference>(*inner, amount);
    TrainingSettings settings;
    settings.seed = 4;
    return train(task, find_method("polystepor", "test"),
                 method_options("polystepor", "set-cover", {{"steps", "69"}, {"checks", "3"}}), settings);
  };
  const TrainingResult plain = trained(0), shifted = trained(1000);
  EXPECT_EQ(plain.parameters, shifted.parameters);
  EXPECT_NE(plain.validation_cost, shifted.validation_cost);
}

}  // namespace
}  // namespace polystep
