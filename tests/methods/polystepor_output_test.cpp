// Method polystepor-output: free of units, the same for any number of threads and across a restart, better
// than its start, and sparing with solves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/polystepor/output_learner.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

using Values = std::vector<std::pair<const char*, const char*>>;

Task generated_task(const std::string& problem, const char* setting, const char* value) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find(problem, "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  options.set_text(setting, value, "test");
  return entry.make(options, {});
}

Options output_options(const Values& values = {}) {
  const MethodEntry& method = find_method("polystepor-output", "test");
  Options options(method.options, method.name);
  for (const auto& [key, value] : values) options.set_text(key, value, "test");
  return options;
}

// Few steps: enough for every part to act, the flip-rate rule and the second epoch included.
Options short_options() {
  return output_options({{"steps", "24"}, {"checks", "3"}, {"batch", "100"}, {"flip-rate-high", "0.5"}});
}

TrainingResult train_briefly(const Task& task, std::size_t threads = 1) {
  return train(task, find_method("polystepor-output", "test"), short_options(),
               {.seed = 4, .threads = threads});
}

struct Case {
  const char* problem;
  const char* setting;
  const char* value;
};

class OutputProbesOn : public testing::TestWithParam<Case> {
 protected:
  Task task() const { return generated_task(GetParam().problem, GetParam().setting, GetParam().value); }
};

TEST_P(OutputProbesOn, PowerOfTwoOnAllCostsChangesNoBitOfTheDecisions) {
  const Task plain = task();
  Task scaled = task();
  for (Split* split : {&scaled.data.training, &scaled.data.validation, &scaled.data.test})
    for (double& value : split->truth) value *= 1024;
  const TrainingResult one = train_briefly(plain), other = train_briefly(scaled);
  EXPECT_EQ(other.test_cost, 1024 * one.test_cost);
  ASSERT_EQ(one.parameters.size(), other.parameters.size());
  for (std::size_t i = 0; i < one.parameters.size(); ++i)
    EXPECT_EQ(other.parameters[i], 1024 * one.parameters[i]) << "parameter " << i;
}

TEST_P(OutputProbesOn, SameBitsForAnyNumberOfThreads) {
  const Task plain = task();
  const TrainingResult expected = train_briefly(plain);
  for (const std::size_t threads : {2, 5}) {
    const TrainingResult result = train_briefly(plain, threads);
    EXPECT_TRUE(result.parameters == expected.parameters) << threads << " threads";
    EXPECT_EQ(result.solves.requested, expected.solves.requested);
  }
}

TEST_P(OutputProbesOn, GoesOnToTheSameBitsFromASavedState) {
  const Task plain = task();
  ThreadTeam team(1);
  Evaluator evaluator(plain, team);
  const Options options = short_options();
  const LearnerContext context{evaluator, options, 4};
  OutputLearner whole(context), first(context), second(context);
  for (Learner* learner : {&whole, &first, &second}) prepare(*learner);
  for (int step = 0; step < 20; ++step) whole.step();
  for (int step = 0; step < 13; ++step) first.step();
  ArchiveWriter writer;
  first.save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  second.load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_TRUE(std::ranges::equal(second.parameters(), first.parameters()));
  EXPECT_EQ(second.selection_cost(), first.selection_cost());
  for (int step = 13; step < 20; ++step) second.step();
  EXPECT_TRUE(std::ranges::equal(second.parameters(), whole.parameters()));
  EXPECT_EQ(second.selection_cost(), whole.selection_cost());
}

INSTANTIATE_TEST_SUITE_P(Problems, OutputProbesOn,
                         testing::Values(Case{"shortest-path", "degree", "6"},
                                         Case{"knapsack", "capacity", "60"},
                                         Case{"portfolio", "degree", "4"}),
                         [](const auto& info) {
                           std::string name = info.param.problem;
                           std::erase(name, '-');
                           return name;
                         });

TEST(OutputProbes, BeatLeastSquaresWhereTheModelIsWrong) {
  const Task task = generated_task("shortest-path", "degree", "8");
  const TrainingResult result =
      train(task, find_method("polystepor-output", "test"), output_options(), {.seed = 0});
  const MethodEntry& mse = find_method("mse", "test");
  Options closed_form(mse.options);
  closed_form.set_text("fit", "closed-form", "test");
  const TrainingResult fit = train(task, mse, closed_form, {.seed = 0});
  EXPECT_LT(result.test_regret, 0.5 * fit.test_regret);
}

// The start is good already here; the same training from a random one must find its way by itself.
TEST(OutputProbes, LearnFromARandomStart) {
  const Task task = generated_task("shortest-path", "degree", "4");
  const Options options = output_options({{"fit", "random"}, {"starts", "1"}, {"blend", "false"}});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  OutputLearner learner({evaluator, options, 0});
  prepare(learner);
  const TiledRows test(task.data.test);
  const double optimal = evaluator.optimal(test).mean_cost;
  const double before = evaluator.evaluate(learner.parameters(), test).mean_cost - optimal;
  for (std::size_t step = 0; step < learner.plan().steps; ++step) learner.step();
  EXPECT_LT(evaluator.evaluate(learner.parameters(), test).mean_cost - optimal, 0.4 * before);
}

TEST(OutputProbes, CountEverySolveAndNoMore) {
  const Task task = generated_task("shortest-path", "degree", "6");
  const Options options =
      output_options({{"steps", "6"}, {"checks", "2"}, {"batch", "100"}, {"samples", "3"}});
  const TrainingResult result = train(task, find_method("polystepor-output", "test"), options, {.seed = 4});
  const std::size_t validation = task.data.validation.rows;
  const std::size_t probes = 6 * 100 * 2 * 3;
  // Two blends in doubt: all shares but the start's, which is known.
  const std::size_t failure_cost = validation, start = validation, blends = 2 * 10 * validation;
  EXPECT_EQ(result.training_solves.requested, probes + failure_cost + start + blends);
}

TEST(OutputProbes, EachPartHasASwitch) {
  const Task task = generated_task("shortest-path", "degree", "6");
  const TrainingResult with_all = train_briefly(task);
  const Values switches = {{"instance-weights", "false"}, {"standardise", "false"}, {"fit", "random"},
                           {"flip-rate-high", "1"},       {"blend", "false"},       {"samples", "1"}};
  for (const auto& [part, off] : switches) {
    Options options = short_options();
    options.set_text(part, off, "test");
    const TrainingResult result = train(task, find_method("polystepor-output", "test"), options, {.seed = 4});
    EXPECT_FALSE(result.parameters == with_all.parameters) << part;
    EXPECT_TRUE(std::isfinite(result.test_regret)) << part;
  }
}

TEST(OutputProbes, RefuseAnEmptyBand) {
  const Task task = generated_task("shortest-path", "degree", "6");
  const Options options = output_options({{"flip-rate-low", "0.5"}, {"flip-rate-high", "0.2"}});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  EXPECT_EQ(input_error([&] {
              OutputLearner learner({evaluator, options, 0});
              prepare(learner);
            }),
            "polystepor-output: flip-rate-low is 0.5, expected at most flip-rate-high, which is 0.2");
}

// Scores of pairs against a threshold: a predictor that is not affine, a problem without a linear objective.
class Threshold final : public Problem {
 public:
  explicit Threshold(std::size_t pairs) : Problem(pairs, pairs) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    for (std::size_t k = 0; k < decision.size(); ++k) decision[k] = prediction[k] > 0.5 ? 1 : 0;
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double wrong = 0;
    for (std::size_t k = 0; k < decision.size(); ++k) wrong += decision[k] != truth[k];
    return wrong;
  }
};

Task network_task() {
  constexpr std::size_t kLeft = 2, kRight = 3, kFeatures = 2, kRows = 120;
  Task task;
  task.problem = std::make_unique<Threshold>(kLeft * kRight);
  task.predictor = make_pair_network(kFeatures, kLeft, kRight, 8);
  task.metric = RegretMetric::kAbsolute;
  Split& split = task.data.training;
  split.rows = kRows;
  split.feature_columns = (kLeft + kRight) * kFeatures;
  split.truth_columns = kLeft * kRight;
  RandomStream random(1, Purpose::kTest);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t f = 0; f < split.feature_columns; ++f) split.features.push_back(random.normal());
    const auto z = split.feature_row(row);
    for (std::size_t l = 0; l < kLeft; ++l)
      for (std::size_t r = 0; r < kRight; ++r)
        split.truth.push_back(z[l * kFeatures] + z[(kLeft + r) * kFeatures + 1] > 0.3 ? 1 : 0);
  }
  task.data.validation = task.data.test = split;
  return task;
}

TEST(OutputProbes, TrainANetworkOnAProblemWithoutALinearObjective) {
  const Task task = network_task();
  const Options options = output_options();
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  OutputLearner learner({evaluator, options, 1});
  prepare(learner);
  const TiledRows rows(task.data.training);
  const double before = evaluator.evaluate(learner.parameters(), rows).mean_cost;
  for (std::size_t step = 0; step < learner.plan().steps; ++step) learner.step();
  EXPECT_LT(evaluator.evaluate(learner.parameters(), rows).mean_cost, 0.3 * before);
}

}  // namespace
}  // namespace polystep
