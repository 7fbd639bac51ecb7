// The gradient baselines: what they learn, that they resume, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/gradient/gradient_learner.hpp"
#include "methods/gradient/solution_cache.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

Task make_task(const char* problem) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find(problem, "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  return entry.make(options, {});
}

Options options_of(const MethodEntry& method) { return Options(method.options, method.name); }

class EveryBaseline : public testing::TestWithParam<const char*> {};

TEST_P(EveryBaseline, LearnsToDecideBetterThanItsRandomStart) {
  const Task task = make_task("shortest-path");
  const MethodEntry& method = find_method(GetParam(), "test");
  Options options = options_of(method);
  const ProblemRegistry problems = builtin_problems();
  const Options settings(problems.find("shortest-path", "test").options);
  for (const auto& [key, value] :
       method.preset("paper", "test")
           .values(PresetContext::of(builtin_problems().find("shortest-path", "test"), settings)))
    options.set(key, value, "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const double start =
      evaluator.evaluate(task.predictor->initial_parameters(0), TiledRows(task.data.test)).mean_cost;
  const TrainingResult result = train(task, method, options);
  EXPECT_LT(result.test_cost, start);
  // All of them come far below one, what deciding at random costs here; pairwise-diff is known to fail at
  // degree 8.
  EXPECT_LT(result.test_regret, method.name == "pairwise-diff" ? 2.0 : 0.5);
}

TEST_P(EveryBaseline, GivesTheSameBitsForAnyThreads) {
  const Task task = make_task("knapsack");
  const MethodEntry& method = find_method(GetParam(), "test");
  Options options = options_of(method);
  options.set_text("epochs", "2", "test");
  TrainingSettings settings;
  const auto one = train(task, method, options, settings).parameters;
  settings.threads = 3;
  EXPECT_EQ(train(task, method, options, settings).parameters, one);
}

TEST_P(EveryBaseline, ResumesToTheSameBits) {
  const Task task = make_task("shortest-path");
  const MethodEntry& method = find_method(GetParam(), "test");
  Options options = options_of(method);
  if (method.options.find("growth") != nullptr) options.set_text("growth", "0.5", "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const auto unbroken = make_prepared(method, {evaluator, options, 4});
  for (int step = 0; step < 12; ++step) unbroken->step();
  const auto first = make_prepared(method, {evaluator, options, 4});
  for (int step = 0; step < 5; ++step) first->step();
  ArchiveWriter writer;
  first->save(writer);
  const auto second = make_prepared(method, {evaluator, options, 4});
  ArchiveReader reader(writer.bytes(), "test");
  second->load(reader);
  EXPECT_TRUE(reader.exhausted());
  for (int step = 5; step < 12; ++step) second->step();
  EXPECT_TRUE(
      std::equal(unbroken->parameters().begin(), unbroken->parameters().end(), second->parameters().begin()));
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryBaseline,
                         testing::Values("spo+", "dbb", "imle", "fenchel-young", "listwise", "pairwise",
                                         "pairwise-diff", "map"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& letter : name)
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
                           return name;
                         });

// Orders one number; not a linear objective.
class Ordering final : public Problem {
 public:
  Ordering() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] = prediction[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return std::abs(decision[0] - truth[0]);
  }
};

TEST(Baselines, RefuseProblemsWithoutALinearObjective) {
  Task task;
  task.problem = std::make_unique<Ordering>();
  task.predictor = make_linear(1, 1);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  for (const char* name :
       {"spo+", "dbb", "imle", "fenchel-young", "listwise", "pairwise", "pairwise-diff", "map"}) {
    const MethodEntry& method = find_method(name, "test");
    const Options options = options_of(method);
    const std::string sentence = input_error([&] { method.make({evaluator, options, 0}); });
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("linear objective"), std::string::npos) << sentence;
  }
}

TEST(RandomStream, DrawsGammaAndGumbelWithTheRightMoments) {
  constexpr int kDraws = 200000;
  for (const double shape : {0.2, 1.0, 3.5}) {
    RandomStream stream(8, Purpose::kTest, static_cast<std::uint64_t>(10 * shape));
    double sum = 0, squares = 0;
    for (int n = 0; n < kDraws; ++n) {
      const double draw = stream.gamma(shape);
      ASSERT_GE(draw, 0);
      sum += draw;
      squares += draw * draw;
    }
    EXPECT_NEAR(sum / kDraws, shape, 0.02 * std::sqrt(shape) + 0.005);
    EXPECT_NEAR(squares / kDraws - shape * shape, shape, 0.05 * (shape + 1));
  }
  RandomStream stream(9, Purpose::kTest);
  double sum = 0;
  for (int n = 0; n < kDraws; ++n) sum += stream.gumbel();
  EXPECT_NEAR(sum / kDraws, 0.5772157, 0.01);
}

TEST(SolutionCache, StartsFromDistinctOptimaAndGrows) {
  const Task task = make_task("shortest-path");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  SolutionCache cache(evaluator, "test", CacheGrowth(1.0, CacheGrowth::Draw::kStreams, 0));
  const std::vector<std::size_t> rows = {0, 1, 2, 3};
  std::vector<double> predictions(rows.size() * 40);
  RandomStream(1, Purpose::kTest).fill_normal(predictions);
  const RowLayout layout(rows.size(), 40);
  const Minibatch batch{0, rows, predictions, layout, task.data.training};
  LearnerReport report;
  Preparation preparation;
  cache.prepare(preparation, report.reference_solves);
  cache.update(batch, report);
  EXPECT_EQ(report.reference_solves.requested, task.data.training.rows);
  EXPECT_EQ(report.solves.requested, rows.size());
  EXPECT_GT(cache.size(), 5u);
  EXPECT_LE(cache.size(), 70u);  // as many paths as a 5 x 5 grid has
  const std::vector<SolutionCache::Choice> choices = cache.choices(batch);
  ASSERT_EQ(choices.size(), 1u);  // all rows share one grid
  EXPECT_EQ(choices.front().places, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(choices.front().members.rows(), static_cast<Eigen::Index>(cache.size()));
  EXPECT_EQ(choices.front().members.cols(), 40);
}

}  // namespace
}  // namespace polystep
