// The default preset: free of units, the same for any number of threads and across a restart, better than its
// start.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/evaluator.hpp"
#include "methods/polystepor/polystepor_learner.hpp"
#include "polystep/random.hpp"
#include "polystep/search_space.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

Task generated_task(const std::string& problem, const char* setting, const char* value) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find(problem, "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  options.set_text(setting, value, "test");
  return entry.make(options, {});
}

Options best_options(const std::vector<std::pair<const char*, const char*>>& values = {}) {
  const MethodEntry& method = find_method("polystepor", "test");
  Options options(method.options);
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& problem = problems.find("shortest-path", "test");
  const Options settings(problem.options);
  for (const auto& [key, value] : method.presets.front().values(PresetContext::of(problem, settings)))
    options.set(key, value, "test");
  for (const auto& [key, value] : values) options.set_text(key, value, "test");
  return options;
}

// Few steps and bags: enough for every part to act.
Options short_options() {
  return best_options(
      {{"steps", "8"}, {"checks", "2"}, {"bags", "3"}, {"batch", "100"}, {"flip-rate-low", "0.3"}});
}

TrainingResult train_briefly(const Task& task, std::size_t threads = 1) {
  return train(task, find_method("polystepor", "test"), short_options(), {.seed = 4, .threads = threads});
}

template <class Change>
void change_truth(Task& task, const Change& change) {
  for (Split* split : {&task.data.training, &task.data.validation, &task.data.test})
    for (double& value : split->truth) value = change(value);
}

std::vector<double> decisions(const Task& task, std::span<const double> theta) {
  std::vector<double> all;
  const Split& test = task.data.test;
  std::vector<double> decision(task.problem->decision_size());
  std::vector<double> prediction(task.predictor->outputs());
  const TiledRows rows(test);
  AlignedDoubles tile(prediction.size() * kLanes);
  for (std::size_t row = 0; row < std::min<std::size_t>(test.rows, 400); ++row) {
    task.predictor->predict(theta, rows.tile(row / kLanes), tile.data());
    for (std::size_t o = 0; o < prediction.size(); ++o) prediction[o] = tile[o * kLanes + row % kLanes];
    EXPECT_EQ(task.problem->decide(prediction, test.instance(row), decision), SolveStatus::kSolved);
    all.insert(all.end(), decision.begin(), decision.end());
  }
  return all;
}

TEST(BestPreset, IsTheDefault) { EXPECT_EQ(find_method("polystepor", "test").presets.front().name, "best"); }

struct Case {
  const char* problem;
  const char* setting;
  const char* value;
};

class BestPresetOn : public testing::TestWithParam<Case> {
 protected:
  Task task() const { return generated_task(GetParam().problem, GetParam().setting, GetParam().value); }
};

TEST_P(BestPresetOn, PowerOfTwoOnAllCostsChangesNoBitOfTheDecisions) {
  const Task plain = task();
  Task scaled = task();
  change_truth(scaled, [](double value) { return value * 1024; });
  const TrainingResult one = train_briefly(plain);
  const TrainingResult other = train_briefly(scaled);
  EXPECT_EQ(other.test_cost, 1024 * one.test_cost);
  ASSERT_EQ(one.parameters.size(), other.parameters.size());
  for (std::size_t i = 0; i < one.parameters.size(); ++i)
    EXPECT_EQ(other.parameters[i], 1024 * one.parameters[i]) << "parameter " << i;
}

TEST_P(BestPresetOn, AnyFactorOnAllCostsChangesNoDecision) {
  const Task plain = task();
  Task scaled = task();
  change_truth(scaled, [](double value) { return value * 1000; });
  EXPECT_EQ(decisions(plain, train_briefly(plain).parameters),
            decisions(scaled, train_briefly(scaled).parameters));
}

TEST_P(BestPresetOn, UnitsOfAFeatureDoNotMatter) {
  const Task plain = task();
  Task changed = task();
  const std::size_t features = plain.predictor->row_features();
  for (Split* split : {&changed.data.training, &changed.data.validation, &changed.data.test})
    for (std::size_t i = 1; i < split->features.size(); i += features)
      split->features[i] = 100 * split->features[i] + 7;
  const std::vector<double> one = train_briefly(plain).parameters;
  const std::vector<double> other = train_briefly(changed).parameters;
  EXPECT_EQ(decisions(plain, one), decisions(changed, other));
  const std::size_t outputs = plain.predictor->outputs();
  AlignedDoubles expected(outputs * kLanes), found(outputs * kLanes);
  const TiledRows plain_rows(plain.data.test), changed_rows(changed.data.test);
  for (std::size_t tile = 0; tile < std::min<std::size_t>(plain_rows.tiles(), 20); ++tile) {
    plain.predictor->predict(one, plain_rows.tile(tile), expected.data());
    changed.predictor->predict(other, changed_rows.tile(tile), found.data());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-9 * (1 + std::abs(expected[i])));
  }
}

TEST_P(BestPresetOn, SameBitsForAnyNumberOfThreads) {
  const Task plain = task();
  const TrainingResult expected = train_briefly(plain);
  for (const std::size_t threads : {2, 5}) {
    const TrainingResult result = train_briefly(plain, threads);
    EXPECT_TRUE(result.parameters == expected.parameters) << threads << " threads";
    EXPECT_EQ(result.solves.requested, expected.solves.requested);
  }
}

TEST_P(BestPresetOn, GoesOnToTheSameBitsFromASavedState) {
  const Task plain = task();
  ThreadTeam team(1);
  Evaluator evaluator(plain, team);
  const Options options = short_options();
  const LearnerContext context{evaluator, options, 4};
  PolyStepLearner whole(context), first(context), second(context);
  for (Learner* learner : {&whole, &first, &second}) prepare(*learner);
  for (int step = 0; step < 7; ++step) whole.step();
  for (int step = 0; step < 5; ++step) first.step();
  ArchiveWriter writer;
  first.save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  second.load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_TRUE(std::ranges::equal(second.parameters(), first.parameters()));
  EXPECT_EQ(second.selection_cost(), first.selection_cost());
  for (int step = 5; step < 7; ++step) second.step();
  EXPECT_TRUE(std::ranges::equal(second.parameters(), whole.parameters()));
  EXPECT_EQ(second.selection_cost(), whole.selection_cost());
}

INSTANTIATE_TEST_SUITE_P(Problems, BestPresetOn,
                         testing::Values(Case{"shortest-path", "degree", "6"},
                                         Case{"knapsack", "capacity", "60"}, Case{"portfolio", "degree", "4"},
                                         Case{"energy-scheduling", "load", "1"}),
                         [](const auto& info) {
                           std::string name = info.param.problem;
                           std::erase(name, '-');
                           return name;
                         });

// Every part can be switched off on its own, and each switch changes the result.
TEST(BestPreset, EachPartHasASwitch) {
  const Task task = generated_task("shortest-path", "degree", "8");
  const TrainingResult with_all = train_briefly(task);
  const std::pair<const char*, const char*> switches[] = {{"instance-weights", "false"},
                                                          {"standardise", "false"},
                                                          {"fit", "random"},
                                                          {"radius-rule", "schedule"},
                                                          {"bags", "1"},
                                                          {"validation-trains", "false"},
                                                          {"blend", "false"}};
  for (const auto& [part, off] : switches) {
    Options options = short_options();
    options.set_text(part, off, "test");
    const TrainingResult result = train(task, find_method("polystepor", "test"), options, {.seed = 4});
    EXPECT_FALSE(result.parameters == with_all.parameters) << part;
    EXPECT_TRUE(std::isfinite(result.test_regret)) << part;
  }
}

// With validation rows in the bags every row is still judged by bags without it, and as many are solved.
TEST(BestPreset, ValidationRowsTrainWhereBagsHoldThemOut) {
  const Task task = generated_task("shortest-path", "degree", "8");
  Task other = generated_task("shortest-path", "degree", "8");
  for (double& value : other.data.validation.truth_row(0)) value = 100 - value;
  const MethodEntry& method = find_method("polystepor", "test");
  const auto start = [&](const Task& of, const char* trains) {
    // Nothing moves: what is handed over is the start.
    Options options = best_options({{"steps", "1"}, {"bags", "2"}, {"step-start", "0"}, {"step-end", "0"}});
    options.set_text("validation-trains", trains, "test");
    return train(of, method, options, {.seed = 4});
  };
  EXPECT_FALSE(start(task, "true").parameters == start(other, "true").parameters);
  EXPECT_TRUE(start(task, "false").parameters == start(other, "false").parameters);
  EXPECT_EQ(start(task, "true").training_solves.failed, 0u);
}

// A predictor that is not affine in its parameters and has no closed form: the tanh of a linear one.
class Squashed final : public Predictor {
 public:
  explicit Squashed(std::unique_ptr<Predictor> inner) : inner_(std::move(inner)) {}
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Squashed>(inner_->clone()); }
  std::string kind() const override { return "squashed"; }
  PredictorFacts facts() const override { return {.curved = true}; }
  std::vector<TensorShape> tensors() const override { return inner_->tensors(); }
  std::size_t feature_columns() const override { return inner_->feature_columns(); }
  std::size_t outputs() const override { return inner_->outputs(); }
  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    inner_->predict(theta, tile, prediction);
    for (std::size_t i = 0; i < outputs() * kLanes; ++i) prediction[i] = std::tanh(prediction[i]);
  }
  void add_gradient(std::span<const double>, const Tile&, const double*, std::span<double>) const override {}

 private:
  std::unique_ptr<Predictor> inner_;
};

TEST(BestPreset, TrainsPredictorsWithoutAClosedForm) {
  Task task = generated_task("shortest-path", "degree", "2");
  task.predictor = std::make_unique<Squashed>(std::move(task.predictor));
  Options options = best_options({{"steps", "20"}, {"checks", "4"}, {"batch", "200"}});
  const MethodEntry& method = find_method("polystepor", "test");
  const TrainingResult trained = train(task, method, options, {.seed = 2});
  options.set_text("step-start", "0", "test");
  options.set_text("step-end", "0", "test");
  const TrainingResult start = train(task, method, options, {.seed = 2, .threads = 2});
  options.set_text("starts", "1", "test");
  const TrainingResult first_start = train(task, method, options, {.seed = 2});
  EXPECT_LT(trained.test_regret, 0.9 * start.test_regret);
  EXPECT_LT(start.validation_cost, first_start.validation_cost);  // the cheapest of several
}

TEST(BestPreset, BeatsLeastSquaresWhereTheModelIsWrong) {
  const Task task = generated_task("shortest-path", "degree", "8");
  const Options options = best_options({{"steps", "40"}, {"bags", "4"}});
  const TrainingResult best = train(task, find_method("polystepor", "test"), options, {.seed = 0});
  const MethodEntry& mse = find_method("mse", "test");
  Options closed_form(mse.options);
  closed_form.set_text("fit", "closed-form", "test");
  const TrainingResult fit = train(task, mse, closed_form, {.seed = 0});
  EXPECT_LT(best.test_regret, 0.7 * fit.test_regret);
}

TEST(BestPreset, SearchesFewCoordinatesOfALargeNetwork) {
  const Options options = best_options();
  const LayerSpaceOptions layers{.rank = static_cast<std::size_t>(options.integer("rank")),
                                 .max_dimension = static_cast<std::size_t>(options.integer("cap"))};
  std::size_t coordinates = 0;
  for (const TensorPlan& plan : plan_layers(make_pair_network(1433, 50, 50, 200)->tensors(), layers))
    coordinates += plan.coordinates;
  EXPECT_LE(coordinates, 520u);
}

}  // namespace
}  // namespace polystep
