// Every way to train a graph network on graphs of several sizes: better than its start, the same for any
// number of threads and across a restart. And the parts that districting brought: covariance probes, the
// start from a prior, imitation of averaged references.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "methods/polystepor/output_learner.hpp"
#include "methods/probes/covariance_probes.hpp"
#include "methods/spanning_trees.hpp"
#include "methods/starts/prior_start.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

using Values = std::vector<std::pair<const char*, const char*>>;

struct Way {
  const char* name;
  const char* method;
  const char* preset;  // empty: none
  Values values;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

Options options_of(const Task& task, const char* method, const char* preset, const Values& values) {
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options, entry.name);
  const Options nothing{OptionTable{}};
  if (*preset != 0)
    for (const auto& [name, value] :
         entry.preset(preset, "test").values({task.problem->facts(), "", nothing}))
      options.set(name, value, "test");
  for (const auto& [name, value] : values) options.set_text(name, value, "test");
  return options;
}

class TrainsGraphs : public testing::TestWithParam<Way> {
 protected:
  Options options() const {
    return options_of(task, GetParam().method, GetParam().preset, GetParam().values);
  }
  TrainingResult train_it(std::size_t threads) const {
    return train(task, find_method(GetParam().method, "test"), options(), {.seed = 4, .threads = threads});
  }

  Task task = spanning_tree_task(true);
};

TEST_P(TrainsGraphs, LearnsWithTheSameBitsForAnyNumberOfThreads) {
  const TrainingResult one = train_it(1);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.training);
  const double start = evaluator.evaluate(task.predictor->initial_parameters(4), rows).mean_cost;
  EXPECT_LT(evaluator.evaluate(one.parameters, rows).mean_cost, start);
  for (const std::size_t threads : {2, 7}) {
    const TrainingResult other = train_it(threads);
    EXPECT_TRUE(other.parameters == one.parameters) << threads << " threads";
    EXPECT_EQ(other.solves.requested, one.solves.requested);
  }
}

TEST_P(TrainsGraphs, GoesOnToTheSameBitsFromASavedState) {
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const Options settings = options();
  const LearnerContext context{evaluator, settings, 4};
  const MethodEntry& method = find_method(GetParam().method, "test");
  const auto whole = make_prepared(method, context), first = make_prepared(method, context),
             second = make_prepared(method, context);
  const std::size_t steps = whole->plan().steps, half = steps - steps / 5;
  for (std::size_t step = 0; step < steps; ++step) whole->step();
  for (std::size_t step = 0; step < half; ++step) first->step();
  ArchiveWriter writer;
  first->save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  second->load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_TRUE(std::ranges::equal(second->parameters(), first->parameters()));
  for (std::size_t step = half; step < steps; ++step) second->step();
  EXPECT_TRUE(std::ranges::equal(second->parameters(), whole->parameters()));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, TrainsGraphs,
    testing::Values(Way{"credited", "polystepor-output", "best", {{"steps", "40"}, {"prior-steps", "60"}}},
                    Way{"noise", "polystepor-output", "", {{"steps", "60"}, {"starts", "1"}}},
                    Way{"probes",
                        "polystepor",
                        "",
                        {{"steps", "8"},
                         {"batch", "12"},
                         {"checks", "2"},
                         {"fit", "prior"},
                         {"prior-steps", "40"},
                         {"radius-start", "1"},
                         {"radius-end", "0.5"},
                         {"step-start", "1"},
                         {"step-end", "0.2"}}},
                    Way{"districtnet", "fenchel-young", "districtnet", {{"epochs", "5"}}},
                    Way{"early", "fenchel-young", "early", {{"start", "prior"}, {"prior-steps", "60"}}}),
    [](const auto& info) { return info.param.name; });

// Straight from the definition, noise drawn anew.
TEST(CovarianceProbes, HaveTheGradientOfTheDefinition) {
  for (const Sense sense : {Sense::kMaximise, Sense::kMinimise}) {
    const Task task = spanning_tree_task(false, sense);
    ThreadTeam team(2);
    Evaluator evaluator(task, team);
    constexpr std::size_t kPairs = 4, kStep = 3;
    constexpr double kNoise = 0.8;
    constexpr std::uint64_t kSeed = 6;
    const double sign = static_cast<int>(sense);
    CovarianceProbes probes(evaluator, kPairs, sign, kSeed);
    const std::vector<double> theta = task.predictor->initial_parameters(1);
    const TiledRows rows(task.data.training);
    SmoothedGradient found;
    probes.evaluate(theta, rows, kStep, kNoise, found);
    std::vector<double> expected(theta.size());
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      const std::size_t outputs = task.predictor->outputs_of(tile), instance = tile.instance[0];
      std::vector<double> prediction(outputs), gradient(outputs);
      task.predictor->predict(theta, tile, prediction.data());
      RandomStream random(kSeed, Purpose::kPerturbation, kStep, number);
      std::vector<std::vector<double>> decisions;
      std::vector<double> costs;
      for (std::size_t pair = 0; pair < kPairs; ++pair) {
        std::vector<double> noise(outputs), probe(outputs), decision(outputs);
        for (double& value : noise) value = random.normal();
        for (const double side : {1.0, -1.0}) {
          for (std::size_t o = 0; o < outputs; ++o) probe[o] = prediction[o] + side * kNoise * noise[o];
          task.problem->decide(probe, instance, decision);
          decisions.push_back(decision);
          costs.push_back(task.problem->cost(decision, {tile.truth, tile.shape.truth}, instance));
        }
      }
      const double n = 2 * kPairs;
      const double mean_cost = std::accumulate(costs.begin(), costs.end(), 0.0) / n;
      for (std::size_t o = 0; o < outputs; ++o) {
        double mean = 0, sum = 0;
        for (const auto& decision : decisions) mean += decision[o] / n;
        for (std::size_t s = 0; s < decisions.size(); ++s)
          sum += (costs[s] - mean_cost) * (decisions[s][o] - mean);
        gradient[o] = -sign * 100 / mean_cost * sum / ((n - 1) * kNoise) / static_cast<double>(rows.rows());
      }
      task.predictor->add_gradient(theta, tile, gradient.data(), expected);
    }
    ASSERT_EQ(found.gradient.size(), expected.size());
    for (std::size_t p = 0; p < expected.size(); ++p)
      EXPECT_NEAR(found.gradient[p], expected[p], 1e-10 * (1 + std::abs(expected[p])));
    EXPECT_EQ(found.solves.requested, rows.rows() * 2 * kPairs);
    EXPECT_GT(found.flips, 0u);
  }
}

TEST(CovarianceProbes, LearnToMinimiseAndToMaximise) {
  for (const Sense sense : {Sense::kMaximise, Sense::kMinimise}) {
    const Task task = spanning_tree_task(false, sense);
    const Options options =
        options_of(task, "polystepor-output", "best", {{"steps", "150"}, {"rate", "0.02"}, {"decay", "0"}});
    const TrainingResult result = train(task, find_method("polystepor-output", "test"), options, {.seed = 0});
    ThreadTeam team(1);
    Evaluator evaluator(task, team);
    const TiledRows rows(task.data.training);
    // The prior: minus the length, or the length.
    const std::vector<double> prior = {static_cast<double>(static_cast<int>(sense)), 0, 0, 0};
    const double optimal = evaluator.optimal(rows).mean_cost;
    const double before = evaluator.evaluate(prior, rows).mean_cost - optimal;
    EXPECT_LT(evaluator.evaluate(result.parameters, rows).mean_cost - optimal, 0.25 * before);
  }
}

TEST(CovarianceProbes, AreRefusedWhereNothingSaysWhatDecisionsOptimise) {
  Task task = spanning_tree_task(false);
  struct Silent final : Problem {
    using Problem::Problem;
    SolveStatus decide(std::span<const double>, std::size_t, std::span<double>) const override {
      return SolveStatus::kSolved;
    }
    double cost(std::span<const double>, std::span<const double>, std::size_t) const override { return 1; }
  };
  task.problem = std::make_unique<Silent>(task.problem->instances());
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const auto refusal = [&](const Values& values, const char* method) {
    const Options options = options_of(task, method, "", values);
    return input_error([&] { find_method(method, "test").make({evaluator, options, 0}); });
  };
  EXPECT_NE(refusal({{"estimator", "covariance"}}, "polystepor-output").find("does not optimise"),
            std::string::npos);
  for (const char* method : {"polystepor-output", "polystepor"})
    EXPECT_EQ(refusal({{"fit", "prior"}}, method),
              "fit is prior, but the problem states no prediction of its own, expected another fit");
}

TEST(OutputLearner, AveragesTheLastStepsAndDecays) {
  const Task task = spanning_tree_task(true);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const Values common = {{"steps", "10"}, {"prior-steps", "5"}};
  const auto with = [&](const char* name, const char* value) {
    Values values = common;
    values.emplace_back(name, value);
    return options_of(task, "polystepor-output", "best", values);
  };
  const Options plain = with("average-last", "0"), averaged = with("average-last", "0.3");
  OutputLearner one({evaluator, plain, 4}), other({evaluator, averaged, 4});
  prepare(one);
  prepare(other);
  std::vector<double> sum(task.predictor->parameters());
  for (int step = 0; step < 10; ++step) {
    one.step();
    other.step();
    if (step < 7) {
      EXPECT_TRUE(std::ranges::equal(one.parameters(), other.parameters()));
      continue;
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.parameters()[i];
    for (std::size_t i = 0; i < sum.size(); ++i)
      EXPECT_NEAR(other.parameters()[i], sum[i] / (step - 6), 1e-12);
  }
}

TEST(PriorStart, FitsWhatTheProblemWouldPredict) {
  const Task task = spanning_tree_task(false);
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  std::vector<std::size_t> rows(task.data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::vector<double> theta =
      prior_start(evaluator, task.data.training, rows, {.steps = 1500, .batch = 8, .rate = 0.03}, 2,
                  InitialDraw::kStreams);
  // Minus the length is linear in the features: all of it can be fitted.
  double mean = 0, squares = 0, count = 0;
  std::vector<double> prior, prediction;
  const TiledRows tiles(task.data.training);
  for (std::size_t number = 0; number < tiles.tiles(); ++number) {
    const Tile& tile = tiles.tile(number);
    prior.resize(task.predictor->outputs_of(tile));
    prediction.resize(prior.size());
    task.problem->prior(tile.instance[0], prior);
    for (const double value : prior) mean += value, squares += value * value, count += 1;
  }
  mean /= count;
  const double deviation = std::sqrt(squares / count - mean * mean);
  for (std::size_t number = 0; number < tiles.tiles(); ++number) {
    const Tile& tile = tiles.tile(number);
    prior.resize(task.predictor->outputs_of(tile));
    prediction.resize(prior.size());
    task.problem->prior(tile.instance[0], prior);
    task.predictor->predict(theta, tile, prediction.data());
    for (std::size_t o = 0; o < prior.size(); ++o)
      EXPECT_NEAR(prediction[o], 3 * (prior[o] - mean) / deviation, 0.1);
  }
}

// With one row per update and common noise, the first update's gradient can be written down.
TEST(FenchelYoung, ImitatesAveragedReferencesBySeveralSamples) {
  const Task task = spanning_tree_task(false);
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  const Options options =
      options_of(task, "fenchel-young", "districtnet", {{"shuffle", "false"}, {"samples", "18"}});
  const auto learner = make_prepared(find_method("fenchel-young", "test"), {evaluator, options, 5});
  const std::vector<double> theta(learner->parameters().begin(), learner->parameters().end());
  learner->step();
  const Split& training = task.data.training;
  const TiledRows rows(training);
  const Tile& tile = rows.tile(0);
  const std::size_t outputs = task.predictor->outputs_of(tile), instance = tile.instance[0];
  std::vector<double> prediction(outputs), perturbed(outputs), decision(outputs), target(outputs),
      gradient(outputs), expected(theta.size());
  task.predictor->predict(theta, tile, prediction.data());
  task.problem->averaged_reference(instance, training.truth_row(0), target);
  RandomStream noise(5, Purpose::kPerturbation, ~std::uint64_t{0});
  for (std::size_t sample = 0; sample < 18; ++sample) {
    for (std::size_t o = 0; o < outputs; ++o) perturbed[o] = prediction[o] + noise.normal();
    task.problem->decide(perturbed, instance, decision);
    for (std::size_t o = 0; o < outputs; ++o) gradient[o] += decision[o] / 18;
  }
  for (std::size_t o = 0; o < outputs; ++o) gradient[o] -= target[o];  // maximised: more of the target
  task.predictor->add_gradient(theta, tile, gradient.data(), expected);
  ArchiveWriter writer;
  learner->save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  reader.get<std::uint64_t>();                     // updates
  reader.get_doubles(theta.size(), "parameters");  // after the step
  reader.get<std::uint64_t>();                     // Adam's steps
  const std::vector<double> first = reader.get_doubles(theta.size(), "Adam's mean gradient");
  for (std::size_t p = 0; p < theta.size(); ++p) EXPECT_NEAR(first[p], 0.1 * expected[p], 1e-12);
}

TEST(GradientLearner, LowersTheRateByTheEpochWhereAsked) {
  const Task task = spanning_tree_task(false);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const Options options = options_of(task, "fenchel-young", "districtnet",
                                     {{"epochs", "300"}, {"batch", "1000"}, {"samples", "1"}});
  const auto learner = make_prepared(find_method("fenchel-young", "test"), {evaluator, options, 5});
  std::vector<double> rates;
  for (int epoch = 0; epoch < 260; ++epoch) rates.push_back(learner->step().figures.front().second);
  EXPECT_DOUBLE_EQ(rates[0], 1e-3);  // epochs count from 1
  EXPECT_DOUBLE_EQ(rates[8], 1e-3);
  EXPECT_DOUBLE_EQ(rates[9], 0.9e-3);
  EXPECT_DOUBLE_EQ(rates[19], 0.81e-3);
  EXPECT_DOUBLE_EQ(rates[259], 1e-4);
}

}  // namespace
}  // namespace polystep
