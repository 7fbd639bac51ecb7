// Large networks from few inputs, with level and slope by realised costs: cheaper than the fit alone, within
// a limit, the same for any number of threads and across a restart, and chosen by facts.
#include "methods/polystepor/reduced_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"
#include "methods/fits/output_level.hpp"
#include "methods/wide_tasks.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

using Values = std::vector<std::pair<const char*, const char*>>;

Options options_of(const char* name, const char* preset, const Values& values = {}) {
  const MethodEntry& method = find_method(name, "test");
  Options options(method.options, method.name);
  const Options none{OptionTable{}};
  const PresetContext context{.facts = Purchase().facts(), .published = "", .settings = none};
  for (const auto& [key, value] : method.preset(preset, "test").values(context))
    options.set(key, value, "test");
  for (const auto& [key, text] : values) options.set_text(key, text, "test");
  return options;
}

TrainingResult trained(const Task& task, const Options& options, const char* method = "polystepor",
                       std::size_t threads = 1) {
  return train(task, find_method(method, "test"), options, {.seed = 3, .threads = threads});
}

TEST(OutputLevel, IsTheCheapestOfItsGridAndHoldsALimit) {
  const Task task = wide_task({.columns = 20});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  evaluator.set_failure_cost(1e4);
  const TiledRows rows(task.data.training);
  // Truth with noise, too low and too wide.
  std::vector<double> predictions;
  RandomStream stream(1, Purpose::kTest);
  for (const double truth : task.data.training.truth)
    predictions.push_back(22 + 1.3 * (truth - 25) + 1.5 * stream.normal());
  OutputLevel level(evaluator, rows, predictions, {6.0});
  const LevelChoice free = level.choose(1, 0.2);
  EXPECT_LT(free.cost, 0.97);
  EXPECT_LT(free.slope, 1);
  // The map of the choice costs what it says.
  const OutputMap map = level.map(free);
  std::vector<double> moved = predictions;
  for (double& value : moved) value = map.slope[0] * value + map.shift[0];
  const Evaluation before = evaluator.decide(predictions, rows), after = evaluator.decide(moved, rows);
  double ratio = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    ratio += after.costs[row] / before.costs[row] / static_cast<double>(rows.rows());
  EXPECT_NEAR(ratio, free.cost, 1e-9);
  EXPECT_NEAR(free.infeasible, static_cast<double>(after.infeasible) / static_cast<double>(rows.rows()),
              1e-12);
  EXPECT_GT(free.infeasible, 0.3);
  double last = free.cost;
  for (const double limit : {0.3, 0.1, 0.02}) {
    OutputLevel limited(evaluator, rows, predictions, {6.0});
    const LevelChoice choice = limited.choose(limit, 0.2);
    EXPECT_LE(choice.infeasible, limit);
    EXPECT_GE(choice.infeasible, limit - 0.06);
    EXPECT_GT(choice.cost, last);
    last = choice.cost;
  }
}

TEST(OutputLevel, OfAConstantIsTheBestConstant) {
  const Task task = wide_task({.columns = 20});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  evaluator.set_failure_cost(1e4);
  const TiledRows rows(task.data.training);
  const std::vector<double> constant(task.data.training.truth.size(), 25.0);
  OutputLevel level(evaluator, rows, constant, {6.0});
  const LevelChoice choice = level.choose(1, 0.2);
  EXPECT_EQ(choice.slope, 1);
  const auto cost = [&](double content) {
    return evaluator.decide(std::vector<double>(constant.size(), content), rows).mean_cost;
  };
  const double found = cost(25 + 6 * choice.shift);
  for (double content = 14; content < 37; content += 0.25) EXPECT_LE(found, 1.005 * cost(content)) << content;
}

TEST(ReducedLearner, IsCheaperThanTheFinishedFitOfTheWholeNetwork) {
  const Task task = wide_task();
  const Options reduced = options_of("polystepor", "best", {{"inputs", "reduced"}});
  const TrainingResult best = trained(task, reduced);
  const TrainingResult whole = trained(task, options_of("mse", "tuned"), "mse");
  EXPECT_LT(best.test_regret, whole.test_regret);
  const TrainingResult plain =
      trained(task, options_of("polystepor", "best", {{"inputs", "reduced"}, {"margin", "false"}}));
  EXPECT_LT(*plain.prediction_error, *whole.prediction_error);
  EXPECT_LT(best.test_regret, plain.test_regret);
}

TEST(ReducedLearner, PredictsTheCheapestConstantWhereDataProveNothing) {
  const Task task = wide_task({.signal = Signal::kNone});
  const TrainingResult result = trained(task, options_of("polystepor", "best", {{"inputs", "reduced"}}));
  ThreadTeam team(1);
  const auto predictions =
      predictions_of(*task.predictor, result.parameters, TiledRows(task.data.test), team);
  const auto [low, high] = std::minmax_element(predictions.begin(), predictions.end());
  EXPECT_NEAR(*low, *high, 1e-9);
  EXPECT_TRUE(std::isfinite(result.test_regret));
  EXPECT_GT(*low, 15);
  EXPECT_LT(*low, 35);
}

TEST(ReducedLearner, HoldsALimitOnRowsItHasNotSeen) {
  const Task task = wide_task({.test = 400});
  double last_regret = 0;
  for (const char* limit : {"0.4", "0.1"}) {
    const Options options =
        options_of("polystepor", "best", {{"inputs", "reduced"}, {"max-infeasibility", limit}});
    const TrainingResult result = trained(task, options);
    EXPECT_NEAR(*result.test_infeasible, std::stod(limit), 0.08);
    EXPECT_GT(result.test_regret, last_regret);
    last_regret = result.test_regret;
  }
}

TEST(ReducedLearner, LearnsFromRealisedCostsAlone) {
  const Task task = wide_task();
  const Values brief = {{"steps", "400"}, {"samples", "4"}};
  const TrainingResult learned =
      trained(task, options_of("polystepor-output", "costs", brief), "polystepor-output");
  // The truth is not looked at: another truth with the same costs is out of reach here, but rows whose truth
  // says nothing to the inputs show what a constant costs.
  const Task blind = wide_task({.signal = Signal::kNone});
  const TrainingResult constant = trained(blind, options_of("polystepor", "best", {{"inputs", "reduced"}}));
  EXPECT_LT(learned.test_regret, 0.5 * constant.test_regret);
  EXPECT_LT(learned.solves.performed, 450 * 32 * 8 + 60 * 290 * 10);
}

class ReducedLearnerOf : public testing::TestWithParam<const char*> {
 protected:
  Options options() const {
    return std::string(GetParam()) == "polystepor"
               ? options_of("polystepor", "best", {{"inputs", "reduced"}})
               : options_of("polystepor-output", "costs", {{"steps", "100"}, {"samples", "2"}});
  }
};

TEST_P(ReducedLearnerOf, SameBitsForAnyNumberOfThreadsAndAcrossARestart) {
  const Task task = wide_task({.columns = 120, .training = 120, .validation = 24, .test = 24}, 16);
  const MethodEntry& method = find_method(GetParam(), "test");
  const Options own = options();
  ThreadTeam one(1), three(3);
  Evaluator evaluator(task, one), threaded(task, three);
  for (Evaluator* each : {&evaluator, &threaded}) each->set_failure_cost(1e4);
  const auto whole = make_prepared(method, {evaluator, own, 3});
  const std::size_t steps = whole->plan().steps;
  for (std::size_t step = 0; step < steps; ++step) whole->step();
  const auto first = make_prepared(method, {threaded, own, 3});
  for (std::size_t step = 0; step < steps / 3; ++step) first->step();
  ArchiveWriter writer;
  first->save(writer);
  const auto second = make_prepared(method, {threaded, own, 3});
  ArchiveReader reader(writer.bytes(), "test");
  second->load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_TRUE(std::ranges::equal(first->parameters(), second->parameters()));
  for (std::size_t step = steps / 3; step < steps; ++step) second->step();
  EXPECT_TRUE(std::ranges::equal(second->parameters(), whole->parameters()));
}

INSTANTIATE_TEST_SUITE_P(Methods, ReducedLearnerOf, testing::Values("polystepor", "polystepor-output"),
                         [](const auto& info) { return info.index == 0 ? "fit" : "costs"; });

TEST(ReducedLearner, IsChosenByFacts) {
  const Options open = options_of("polystepor", "best");
  EXPECT_EQ(open.text("inputs"), "auto");
  const WideData few{.columns = 300, .training = 4, .validation = 2, .test = 2};
  EXPECT_TRUE(wants_reduced_inputs(wide_task(few, 400), open));
  EXPECT_FALSE(wants_reduced_inputs(wide_task(few, 64), open));  // not that large
  Task linear = wide_task(few, 400);
  linear.predictor = make_mlp(1200, {100}, 5);  // the data have four true parameters
  EXPECT_FALSE(wants_reduced_inputs(linear, open));
  const Options asked = options_of("polystepor", "best", {{"inputs", "reduced"}});
  EXPECT_TRUE(wants_reduced_inputs(wide_task(few, 64), asked));
  EXPECT_EQ(input_error([&] { wants_reduced_inputs(linear, asked); }),
            "inputs is reduced, but the data do not have a true parameter per output, expected inputs = all");
  EXPECT_FALSE(
      wants_reduced_inputs(wide_task(few, 400), options_of("polystepor", "best", {{"inputs", "all"}})));
}

}  // namespace
}  // namespace polystep
