// Methods that look at predicted rows, trained on every problem that has them.
#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "methods/constraint_tasks.hpp"
#include "polystep/train.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {
namespace {

const Given kSmallAlloy = {{"features", "12"},      {"hidden", "6"},          {"profile", "line"},
                           {"training-rows", "80"}, {"validation-rows", "8"}, {"test-rows", "16"}};

struct Case {
  const char* problem;
  Given settings;
};

std::vector<Case> cases() {
  return {{"alloy", kSmallAlloy},
          {"set-cover", {}},
          {"knapsack-weight", {}},
          {"multi-knapsack", {{"predict", "weights"}}},
          {"multi-knapsack", {{"predict", "capacities"}}}};
}

TrainingResult run(const char* method, const Case& on, const Given& given, std::size_t threads = 1) {
  const Task task = constraint_task(on.problem, on.settings);
  return train(task, find_method(method, "test"), method_options(method, "paper", on.problem, given),
               {.seed = 3, .threads = threads});
}

TEST(RowMethods, TrainOnEveryProblemWithPredictedRowsAndAlikeOnAllThreads) {
  for (const char* method : {"odece", "sfl", "comboptnet"})
    for (const Case& on : cases()) {
      const TrainingResult result = run(method, on, {{"epochs", "2"}});
      EXPECT_TRUE(std::isfinite(result.test_regret)) << method << " " << on.problem;
      EXPECT_EQ(result.stopped_by, "budget");
      EXPECT_EQ(run(method, on, {{"epochs", "2"}}, 3).parameters, result.parameters)
          << method << " " << on.problem;
    }
}

// From contents near 0, where purchases cost a hundred times the optimum, to sensible ones.
TEST(RowMethods, LearnToBuy) {
  const Case alloy = {"alloy", kSmallAlloy};
  for (const char* method : {"odece", "sfl", "two-stage"}) {
    const Given begin = {{"epochs", "1"}, {"rate", "0.000001"}}, later = {{"epochs", "60"}, {"rate", "0.05"}};
    const TrainingResult start = run(method, alloy, begin), trained = run(method, alloy, later);
    EXPECT_LT(trained.validation_cost, 0.5 * start.validation_cost) << method;
    EXPECT_LT(trained.test_regret, 1) << method;
  }
}

// More weight on infeasible decisions makes fewer of them.
TEST(RowMethods, AlphaTradesInfeasibleDecisionsForCost) {
  const Case alloy = {"alloy", kSmallAlloy};
  const auto infeasible = [&](const char* alpha) {
    return *run("odece", alloy, {{"epochs", "60"}, {"rate", "0.05"}, {"alpha", alpha}}).test_infeasible;
  };
  EXPECT_GT(infeasible("0.1"), infeasible("0.9"));
}

// What is trained has few inputs and starts at the mean; what is handed over takes the data's own features.
TEST(RowMethods, TrainOnReducedInputsToo) {
  const Case alloy = {"alloy",
                      {{"features", "40"},
                       {"hidden", "8"},
                       {"profile", "line"},
                       {"training-rows", "80"},
                       {"validation-rows", "8"},
                       {"test-rows", "60"}}};
  const Task task = constraint_task(alloy.problem, alloy.settings);
  const auto reduced = [&](const char* epochs, std::size_t threads) {
    return train(task, find_method("odece", "test"),
                 method_options("odece", "reduced", "alloy", {{"epochs", epochs}, {"alpha", "0.3"}}),
                 {.seed = 3, .threads = threads});
  };
  const TrainingResult start = reduced("1", 1), trained = reduced("60", 1);
  EXPECT_EQ(trained.parameters.size(), task.predictor->parameters());
  EXPECT_LT(start.test_regret, 0.5);  // a constant near the mean, not contents near 0
  EXPECT_LT(trained.test_regret, start.test_regret);
  EXPECT_EQ(reduced("1", 3).parameters, start.parameters);
  const Task cover = constraint_task("set-cover", {});  // of another kind, with a predictor of another kind
  const Options asked = method_options("odece", "reduced", "set-cover", {{"epochs", "1"}});
  const TrainingResult elsewhere =
      train(cover, find_method("odece", "test"), asked, {.seed = 3, .threads = 1});
  EXPECT_EQ(elsewhere.parameters.size(), cover.predictor->parameters());
  EXPECT_TRUE(std::isfinite(elsewhere.test_regret));
}

TEST(RowMethods, PaperIsWhatWasPublishedForAlloys) {
  struct Row {
    const char* method;
    double rate, clip;
  };
  for (const Row& row : {Row{"odece", .001, .5}, Row{"sfl", .001, 1}, Row{"comboptnet", .005, .5},
                         Row{"two-stage", .05, 1}, Row{"sfge", .005, 0}}) {
    const Options options = method_options(row.method, "paper", "alloy");
    EXPECT_EQ(options.number("rate"), row.rate) << row.method;
    EXPECT_EQ(options.number("clip"), row.clip) << row.method;
    EXPECT_EQ(options.integer("epochs"), 20) << row.method;
    EXPECT_EQ(options.integer("batch"), 32) << row.method;
    EXPECT_EQ(options.integer("patience"), 0) << row.method;
    EXPECT_TRUE(options.flag("shuffle")) << row.method;
    EXPECT_FALSE(options.flag("keep-best")) << row.method;
    EXPECT_EQ(options.text("start"), "twister") << row.method;
  }
  const Options comboptnet = method_options("comboptnet", "paper", "alloy");
  EXPECT_EQ(comboptnet.text("loss"), "absolute");
  EXPECT_EQ(comboptnet.number("box"), 1e5);
  EXPECT_EQ(comboptnet.number("tau"), 0.5);
  EXPECT_EQ(method_options("odece", "paper", "alloy").text("average"), "solved");
  EXPECT_EQ(method_options("odece", "written", "alloy").text("average"), "infeasible");
  const Options mse = method_options("mse", "paper", "alloy");
  EXPECT_EQ(mse.number("rate"), .001);
  EXPECT_EQ(mse.text("schedule"), "constant");
  EXPECT_EQ(mse.text("fit"), "adam");
}

// A gradient longer than the limit is shortened: Adam's first step does not show it, the ones after do.
TEST(RowMethods, ClippingChangesWhereTrainingGoes) {
  const Case alloy = {"alloy", kSmallAlloy};
  const Given free = {{"epochs", "2"}, {"clip", "0"}}, loose = {{"epochs", "2"}, {"clip", "1e12"}},
              tight = {{"epochs", "2"}, {"clip", "0.001"}};
  const TrainingResult result = run("odece", alloy, free);
  EXPECT_EQ(run("odece", alloy, loose).parameters, result.parameters);
  EXPECT_NE(run("odece", alloy, tight).parameters, result.parameters);
}

TEST(RowMethods, GoOnToTheSameBitsAfterARestart) {
  const Task task = constraint_task("alloy", kSmallAlloy);
  for (const char* method : {"odece", "sfl", "two-stage", "comboptnet"}) {
    const Options options = method_options(method, "paper", "alloy", {{"epochs", "4"}});
    const auto train_on = [](TrainingSession& session) {
      while (!session.finished()) session.advance();
      return session.finish("").parameters;
    };
    ThreadTeam team(1);
    TrainingSession whole(task, find_method(method, "test"), options, 3, team);
    whole.prepare();
    whole.start();
    ArchiveWriter archive;
    for (int k = 0; k < 5; ++k) whole.advance();
    whole.save(archive);
    const std::vector<double> expected = train_on(whole);
    TrainingSession resumed(task, find_method(method, "test"), options, 3, team);
    ArchiveReader reader(archive.bytes(), "test");
    ASSERT_TRUE(resumed.load(reader));
    EXPECT_EQ(train_on(resumed), expected) << method;
  }
}

TEST(RowMethods, RefuseProblemsWithoutPredictedRows) {
  for (const char* method : {"odece", "sfl", "two-stage", "comboptnet"})
    EXPECT_EQ(input_error([&] {
                run(method, {"knapsack-capacity", {}}, {});
              }),
              std::string("method ") + method +
                  ": the problem has no linear constraints with predicted parameters, expected one such as "
                  "knapsack-weight or set-cover");
  for (const char* problem : {"knapsack-weight", "set-cover"})
    EXPECT_EQ(input_error([&] {
                run("two-stage", {problem, {}}, {});
              }),
              "method two-stage: the problem has no prices with surcharges on amounts that are bought late, "
              "expected one such as alloy");
  EXPECT_EQ(
      input_error([&] {
        run("comboptnet", {"alloy", kSmallAlloy}, {{"units", "range"}});
      }),
      "method comboptnet: found a 'shared-mlp' predictor with units = range, expected a linear one with "
      "one output per true parameter, or units = data");
}

}  // namespace
}  // namespace polystep
