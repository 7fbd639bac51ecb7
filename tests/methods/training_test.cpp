// Training through the library's front door: the same bits for any number of threads, and solvers that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "polystep/random.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

struct Setting {
  const char* name;
  std::vector<std::pair<const char*, const char*>> values;
};

const std::vector<Setting> kSettings = {
    {"plain", {}},
    {"simplex", {{"polytope", "simplex"}}},
    {"two radii", {{"radii", "2"}}},
    {"moving space", {{"space", "moving"}, {"dimension", "16"}}},
    {"moving space in single precision",
     {{"space", "moving"}, {"dimension", "16"}, {"moving-precision", "single"}, {"moving-interval", "2"}}},
    {"kl-softmax", {{"weights", "kl-softmax"}}},
    {"with replacement", {{"sampling", "with-replacement"}, {"batch", "50"}}},
    {"momentum", {{"momentum-start", "0.5"}, {"momentum-end", "0.9"}}},
};

Task generated_task(const std::string& problem) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find(problem, "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  return entry.make(options, {});
}

Options polystepor_options_with(const Setting& setting, bool skip_solves) {
  Options options(find_method("polystepor", "test").options);
  options.set_text("steps", "4", "test");
  options.set_text("skip-solves", skip_solves ? "true" : "false", "test");
  for (const auto& [key, value] : setting.values) options.set_text(key, value, "test");
  return options;
}

class TrainingOf : public testing::TestWithParam<const char*> {};

TEST_P(TrainingOf, SameBitsForAnyNumberOfThreadsAndSkippedSolves) {
  const Task task = generated_task(GetParam());
  const MethodEntry& method = find_method("polystepor", "test");
  for (const Setting& setting : kSettings) {
    SCOPED_TRACE(setting.name);
    const TrainingResult expected = train(task, method, polystepor_options_with(setting, true), {.seed = 3});
    for (const std::size_t threads : {1, 2, 7}) {
      for (const bool skip : {false, true}) {
        const TrainingResult result =
            train(task, method, polystepor_options_with(setting, skip), {.seed = 3, .threads = threads});
        EXPECT_TRUE(result.parameters == expected.parameters) << threads << " threads, skipping " << skip;
        EXPECT_EQ(result.test_cost, expected.test_cost);
        EXPECT_EQ(result.solves.requested, expected.solves.requested);
        EXPECT_EQ(result.solves.requested, result.solves.performed + result.solves.certified);
        if (!skip) {
          EXPECT_EQ(result.solves.certified, 0u);
        }
      }
    }
  }
}

TEST(Training, EveryOptionOfTheMovingSpaceReachesIt) {
  const Task task = generated_task("shortest-path");
  const MethodEntry& method = find_method("polystepor", "test");
  const auto trained = [&](const char* name, const char* value) {
    Options options = polystepor_options_with(
        {"moving", {{"space", "moving"}, {"dimension", "16"}, {"steps", "6"}, {name, value}}}, true);
    // What is handed over is the last step's, so that two runs differ where any of their steps does.
    options.set_text("checks", "1", "test");
    return train(task, method, options, {.seed = 3}).parameters;
  };
  const std::vector<double> usual = trained("moving-interval", "1");
  for (const auto& [name, value] : {std::pair("moving-memory", "5"),
                                    {"moving-kept-start", "0"},
                                    {"moving-kept-end", "0.5"},
                                    {"moving-horizon", "0"},
                                    {"moving-horizon", "6"},
                                    {"moving-precision", "double"}})
    EXPECT_TRUE(trained(name, value) == usual) << name;
  for (const auto& [name, value] : {std::pair("moving-interval", "2"),
                                    {"moving-memory", "1"},
                                    {"moving-kept-start", "0.5"},
                                    {"moving-kept-end", "0"},
                                    {"moving-horizon", "1"},
                                    {"moving-precision", "single"}})
    EXPECT_FALSE(trained(name, value) == usual) << name;
}

INSTANTIATE_TEST_SUITE_P(Problems, TrainingOf, testing::Values("shortest-path", "knapsack"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Training, StopsWhenAsked) {
  const Task task = generated_task("knapsack");
  const auto stop_after_two = [](std::size_t step, std::size_t) { return step < 2; };
  const TrainingResult result =
      train(task, find_method("polystepor", "test"), polystepor_options_with({"plain", {}}, true),
            {.seed = 0, .on_step = stop_after_two});
  EXPECT_EQ(result.steps, 2u);
  EXPECT_EQ(result.stopped_by, "interrupt");
}

// Order as much as the prediction says and pay for the difference. One instance in ten has no decision: a
// third of these throw, a third report failure, a third end with a cost that is not a number.
struct FlakyOrder final : Problem {
  FlakyOrder() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    if (instance % 30 == 0) throw std::runtime_error("out of licences");
    if (instance % 30 == 10) return SolveStatus::kFailed;
    decision[0] = std::round(prediction[0]);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    if (instance % 30 == 20) return std::numeric_limits<double>::quiet_NaN();
    return 1 + std::abs(decision[0] - truth[0]);
  }
};

Task flaky_task() {
  Split rows{900, 1, 1, {}, {}, {}};
  RandomStream random(5, Purpose::kDataNoise);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    rows.features.push_back(random.uniform(0.0, 4.0));
    rows.truth.push_back(3 * rows.features.back() + random.normal());
  }
  return {"", std::make_unique<FlakyOrder>(), make_linear(1, 1), split_at_random(rows, 0.2, 0.2, 1),
          RegretMetric::kAbsolute};
}

TEST(Training, FailingSolversAreChargedAndCounted) {
  const Task task = flaky_task();
  std::size_t failing = 0;
  for (std::size_t row = 0; row < task.data.test.rows; ++row)
    failing += task.data.test.instance(row) % 10 == 0;
  ASSERT_GT(failing, 0u);
  for (const char* method : {"polystepor", "mse"}) {
    SCOPED_TRACE(method);
    Options options(find_method(method, "test").options);
    const TrainingResult result =
        train(task, find_method(method, "test"), options, {.seed = 1, .threads = 2});
    EXPECT_TRUE(result.stopped_by == "budget" || result.stopped_by == "patience") << result.stopped_by;
    EXPECT_EQ(result.test_solves.failed, failing);
    EXPECT_EQ(result.reference_solves.failed, failing);
    EXPECT_GT(result.setup_solves.failed, 0u);
    EXPECT_LT(result.solves.failed, result.solves.performed / 5);
    for (const double figure :
         {result.validation_cost, result.test_cost, result.test_regret, result.failure_cost})
      EXPECT_TRUE(std::isfinite(figure));
    for (const double parameter : result.parameters) EXPECT_TRUE(std::isfinite(parameter));
    const bool noted = std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
      return note.find("failed and were charged") != std::string::npos;
    });
    EXPECT_TRUE(noted);
  }
}

}  // namespace
}  // namespace polystep
