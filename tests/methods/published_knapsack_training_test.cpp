// Methods on the published knapsack with several resources: its settings, and that they learn.
#include <gtest/gtest.h>

#include "methods/constraint_tasks.hpp"
#include "methods/constraints/comboptnet_surrogate.hpp"
#include "methods/starts/starting_parameters.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

Options options_of(const char* method, const char* preset, const Given& settings, const Given& given = {}) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& problem = problems.find("multi-knapsack", "test");
  Options chosen(problem.options);
  for (const auto& [key, value] : settings) chosen.set_text(key, value, "test");
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options);
  for (const auto& [key, value] : entry.preset(preset, "test").values(PresetContext::of(problem, chosen)))
    options.set(key, value, "test");
  for (const auto& [key, value] : given) options.set_text(key, value, "test");
  return options;
}

TrainingResult run(const char* method, const char* preset, const Given& settings, const Given& given = {},
                   std::size_t threads = 1) {
  const Task task = constraint_task("multi-knapsack", settings);
  return train(task, find_method(method, "test"), options_of(method, preset, settings, given),
               {.seed = 0, .threads = threads});
}

const Given kWeights = {{"predict", "weights"}, {"source", "aligned"}};
const Given kCapacities = {{"predict", "capacities"}, {"source", "aligned"}};

TEST(PublishedKnapsackTraining, PaperIsWhatWasPublished) {
  for (const char* method : {"gaussian", "sfge", "comboptnet"})
    for (const Given& settings : {kWeights, kCapacities}) {
      const Options options = options_of(method, "paper", settings);
      EXPECT_EQ(options.number("rate"),
                &settings == &kWeights || settings[0].second == kWeights[0].second ? 0.05 : 0.005);
      EXPECT_EQ(options.integer("epochs"), 20);
      EXPECT_EQ(options.integer("batch"), 32);
      EXPECT_EQ(options.integer("patience"), 0);
      EXPECT_EQ(options.text("start"), "xavier");
    }
  EXPECT_EQ(options_of("comboptnet", "paper", kWeights).number("tau"), 0.5);
  EXPECT_EQ(options_of("comboptnet", "paper", kCapacities).number("tau"), 0.1);
  EXPECT_EQ(options_of("comboptnet", "paper", kCapacities).text("units"), "data");
  const Options own = options_of("comboptnet", "paper", {});  // our own data keep what they had
  EXPECT_EQ(own.integer("epochs"), 500);
  EXPECT_EQ(own.number("tau"), 0);
  EXPECT_EQ(own.text("units"), "range");
}

TEST(PublishedKnapsackTraining, XavierDrawsByBothFans) {
  const Task task = constraint_task("multi-knapsack", kWeights);
  const std::vector<double> theta = task.predictor->initial_parameters(3, InitialDraw::kGlorot);
  const double bound = std::sqrt(6.0 / 160);
  double largest = 0;
  for (std::size_t k = 0; k < 1500; ++k) largest = std::max(largest, std::abs(theta[k]));
  EXPECT_LT(largest, bound);
  EXPECT_GT(largest, 0.99 * bound);
  EXPECT_TRUE(std::all_of(theta.begin() + 1500, theta.end(), [](double bias) { return bias == 0; }));
  EXPECT_NE(theta, task.predictor->initial_parameters(4, InitialDraw::kGlorot));
}

TEST(PublishedKnapsackTraining, EveryMethodTrains) {
  for (const Given& settings : {kWeights, kCapacities})
    for (const char* method : {"gaussian", "sfge", "comboptnet"}) {
      const TrainingResult result = run(method, "paper", settings, {{"epochs", "1"}});
      EXPECT_TRUE(std::isfinite(result.test_regret)) << method;
      EXPECT_GE(result.test_regret, 0) << method;
    }
  for (const char* preset : {"paper", "best"}) {
    const TrainingResult result =
        run("polystepor", preset, kCapacities, {{"steps", "2"}, {"checks", "1"}, {"batch", "32"}});
    EXPECT_TRUE(std::isfinite(result.test_regret)) << preset;
    EXPECT_EQ(result.solves.failed, 0u) << preset;
  }
}

TEST(PublishedKnapsackTraining, BestEndsBelowGaussianOnCapacities) {
  const TrainingResult gaussian = run("gaussian", "paper", kCapacities);
  const TrainingResult best =
      run("polystepor", "best", kCapacities, {{"steps", "10"}, {"checks", "1"}, {"batch", "128"}});
  EXPECT_LT(best.test_regret, gaussian.test_regret);
}

TEST(PublishedKnapsackTraining, ThreadsChangeNoBit) {
  for (const char* method : {"comboptnet", "sfge", "polystepor"}) {
    const bool probes = std::string(method) == "polystepor";
    const Given brief =
        probes ? Given{{"steps", "2"}, {"checks", "1"}, {"batch", "32"}} : Given{{"epochs", "1"}};
    const TrainingResult one = run(method, probes ? "best" : "paper", kCapacities, brief, 1);
    const TrainingResult two = run(method, probes ? "best" : "paper", kCapacities, brief, 2);
    EXPECT_TRUE(one.parameters == two.parameters) << method;
    EXPECT_EQ(one.test_cost, two.test_cost) << method;
  }
}

// One variable that should go up and fits: the present solution is to be cut off, by raising b. Both rows
// share the push as the gradient of the soft minimum says.
TEST(PublishedKnapsackTraining, SoftRowsShareThePush) {
  const std::vector<double> a = {1, 0, 0, 1}, b = {-3, -2}, y = {0, 0}, gradient = {-1, 0}, upper = {1, 1};
  ConstraintSurrogate nearest(2, 2), soft(2, 2, 0.5), hardly(2, 2, 1e-3);
  nearest.differentiate(a, b, y, gradient, upper);
  soft.differentiate(a, b, y, gradient, upper);
  hardly.differentiate(a, b, y, gradient, upper);
  EXPECT_EQ(nearest.b_gradient()[0], 0);  // distances are 3 and 2
  EXPECT_NEAR(nearest.b_gradient()[1], -1, 1e-6);
  const double share = std::exp(-3 / 0.5) / (std::exp(-3 / 0.5) + std::exp(-2 / 0.5));
  EXPECT_NEAR(soft.b_gradient()[0], -share, 1e-6);
  EXPECT_NEAR(soft.b_gradient()[1], share - 1, 1e-6);
  EXPECT_NEAR(hardly.b_gradient()[1], nearest.b_gradient()[1], 1e-9);
}

}  // namespace
}  // namespace polystep
