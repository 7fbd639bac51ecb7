// Preset `helped` of the baselines: each of its options does what it says, and none is on where it is not
// asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "constraint_tasks.hpp"
#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kSeed = 4;
const Given kShort = {{"epochs", "1"}, {"rates", "3"}, {"starts", "2"}};
const Given kShortSfge = {{"epochs", "3"}};

struct Case {
  const char* method;
  const char* problem;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.method) + "_" + info.param.problem;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
}

std::vector<double> parameters_of(const Learner& learner) {
  return {learner.parameters().begin(), learner.parameters().end()};
}

class Helped : public testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return find_method(GetParam().method, "test"); }
  bool sfge() const { return method().name == "sfge"; }
  Options options() const {
    return method_options(GetParam().method, "helped", GetParam().problem, sfge() ? kShortSfge : kShort);
  }
  Task task_ = constraint_task(GetParam().problem);
};

TEST_P(Helped, GivesTheSameBitsForAnyThreads) {
  const TrainingResult one = train(task_, method(), options(), {.seed = kSeed});
  for (const std::size_t threads : {2, 7}) {
    const TrainingResult result = train(task_, method(), options(), {.seed = kSeed, .threads = threads});
    EXPECT_EQ(result.parameters, one.parameters) << threads;
    EXPECT_EQ(result.solves.requested, one.solves.requested) << threads;
  }
}

// Every few steps, so that some cuts fall before, after and at the change of the rate.
TEST_P(Helped, ResumesToTheSameBits) {
  const Options chosen = options();
  ThreadTeam team(1);
  Evaluator evaluator(task_, team);
  const LearnerContext context{evaluator, chosen, kSeed};
  const auto unbroken = make_prepared(method(), context);
  const std::size_t steps = unbroken->plan().steps;
  const std::size_t every = std::max<std::size_t>(1, steps / 6);
  auto broken = make_prepared(method(), context);
  for (std::size_t step = 0; step < steps; ++step) {
    unbroken->step();
    if (step % every == 0) {
      ArchiveWriter writer;
      broken->save(writer);
      broken = make_prepared(method(), context);
      ArchiveReader reader(writer.bytes(), "test");
      broken->load(reader);
      EXPECT_TRUE(reader.exhausted());
    }
    broken->step();
    ASSERT_EQ(parameters_of(*unbroken), parameters_of(*broken)) << step;
  }
}

// But for what polystepor learned by itself where predictions enter constraints.
TEST_P(Helped, StartsWherePolysteporDoes) {
  const Options chosen = options();
  const Options best = method_options("polystepor", "best", GetParam().problem,
                                      {{"bags", "1"}, {"blend", "false"}, {"fit", "least-squares"}});
  ThreadTeam team(1);
  Evaluator evaluator(task_, team);
  const auto helped = make_prepared(method(), {evaluator, chosen, kSeed});
  const auto polystepor = make_prepared(find_method("polystepor", "test"), {evaluator, best, kSeed});
  EXPECT_EQ(parameters_of(*helped), parameters_of(*polystepor));
  EXPECT_TRUE(helped->plan().keep_best);
  EXPECT_TRUE(helped->plan().judge_start);
}

INSTANTIATE_TEST_SUITE_P(Methods, Helped,
                         testing::Values(Case{"spo+", "shortest-path"}, Case{"dbb", "knapsack"},
                                         Case{"imle", "shortest-path"}, Case{"fenchel-young", "knapsack"},
                                         Case{"listwise", "knapsack"}, Case{"pairwise", "shortest-path"},
                                         Case{"pairwise-diff", "knapsack"}, Case{"map", "shortest-path"},
                                         Case{"sfge", "knapsack-weight"}, Case{"sfge", "set-cover"},
                                         Case{"sfge", "knapsack"}),
                         name_of);

// Trained on rows that were prepared by hand, without any option, and then folded: the same.
TEST(HelpedOptions, TrainOnPreparedRowsAndHandOverParametersForRawOnes) {
  for (const char* name : {"spo+", "imle", "map", "mse"}) {
    SCOPED_TRACE(name);
    const Task task = constraint_task("shortest-path");
    Task by_hand = constraint_task("shortest-path");
    const PreparedData data = prepare_data(task, true, true);
    by_hand.data.training = data.training;
    by_hand.data.validation = data.validation;
    const MethodEntry& method = find_method(name, "test");
    Options plain(method.options);
    if (method.name == "mse") plain.set_text("fit", "adam", "test");
    Options helped = plain;
    helped.set_text("standardise", "true", "test");
    helped.set_text("instance-weights", "true", "test");
    ThreadTeam team(1);
    Evaluator evaluator(task, team), evaluator_by_hand(by_hand, team);
    const auto learner = make_prepared(method, {evaluator, helped, kSeed});
    const auto learner_by_hand = make_prepared(method, {evaluator_by_hand, plain, kSeed});
    for (int step = 0; step < 40; ++step) {
      learner->step();
      learner_by_hand->step();
    }
    EXPECT_EQ(parameters_of(*learner), data.fold(*task.predictor, learner_by_hand->parameters()));
  }
}

TEST(HelpedOptions, WeightedLeastSquaresIsTheStart) {
  const Task task = constraint_task("knapsack");
  const Options fit = method_options("mse", "weighted", "knapsack");
  const Options helped = method_options("spo+", "helped", "knapsack");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const auto spo = make_prepared(find_method("spo+", "test"), {evaluator, helped, kSeed});
  EXPECT_EQ(train(task, find_method("mse", "test"), fit).parameters, parameters_of(*spo));
}

// What training hands over is the start or epoch of lowest validation regret of a training watched by hand.
TEST(HelpedOptions, KeepBestHandsOverTheBestValidatedEpoch) {
  const Task task = constraint_task("shortest-path");
  const MethodEntry& method = find_method("spo+", "test");
  const Options options = method_options("spo+", "paper", "shortest-path",
                                         {{"epochs", "6"}, {"keep-best", "true"}, {"rates", "2"}});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const TiledRows validation(task.data.validation);
  const Evaluation optimal = evaluator.optimal(validation);
  const auto learner = make_prepared(method, {evaluator, options, kSeed});
  const TrainingPlan plan = learner->plan();
  double lowest = INFINITY;
  std::size_t best_step = 0;
  std::vector<double> best;
  for (std::size_t step = 0; step <= plan.steps; ++step) {
    if (step > 0) learner->step();
    if (step % plan.check_every != 0) continue;
    const Evaluation decided = evaluator.evaluate(learner->parameters(), validation);
    const double regret = mean_regret(task.metric, decided, optimal.costs);
    learner->observe({.cost = decided.mean_cost, .regret = regret, .selection_cost = {}});
    if (!(regret < lowest)) continue;
    lowest = regret;
    best_step = step;
    best = parameters_of(*learner);
  }
  EXPECT_LT(best_step, plan.steps);  // else keeping the last would do
  EXPECT_EQ(train(task, method, options, {.seed = kSeed}).parameters, best);
}

TEST(HelpedOptions, EveryRateStartsFromTheSamePlace) {
  const Task task = constraint_task("shortest-path");
  const MethodEntry& method = find_method("spo+", "test");
  const Given given = {{"epochs", "2"}, {"keep-best", "true"}, {"rate", "0.05"}};
  Options two = method_options("spo+", "paper", "shortest-path", given), first = two, second = two;
  two.set_text("rates", "2", "test");
  second.set_text("rate", "0.005", "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const auto both = make_prepared(method, {evaluator, two, kSeed});
  for (const Options* alone : {&first, &second}) {
    const auto learner = make_prepared(method, {evaluator, *alone, kSeed});
    for (std::size_t step = 0; step < learner->plan().steps; ++step) {
      learner->step();
      both->step();
      for (std::size_t i = 0; i < learner->parameters().size(); ++i)
        ASSERT_NEAR(both->parameters()[i], learner->parameters()[i], 1e-9);
    }
  }
  two.set_text("keep-best", "false", "test");
  const std::string sentence = input_error([&] { method.make({evaluator, two, kSeed}); });
  EXPECT_NE(sentence.find("keep-best"), std::string::npos) << sentence;
}

TEST(HelpedOptions, AreOffInEveryOtherPreset) {
  const ProblemRegistry problems = builtin_problems();
  for (const MethodEntry& method : methods()) {
    if (method.name.starts_with("polystepor")) continue;
    for (const Preset& preset : method.presets) {
      if (preset.name == "helped" || preset.name == "weighted") continue;
      for (const ProblemEntry& problem : problems.entries()) {
        Options options(method.options);
        const Options settings(problem.options);
        for (const auto& [key, value] : preset.values(PresetContext::of(problem, settings)))
          options.set(key, value, "test");
        for (const char* flag : {"standardise", "instance-weights", "keep-best", "relative-costs", "margin"})
          if (const OptionSpec* spec = method.options.find(flag);
              spec != nullptr && std::holds_alternative<bool>(spec->fallback) &&
              !std::get<bool>(spec->fallback)) {  // what is on by default belongs to the method as published
            EXPECT_FALSE(options.flag(flag)) << method.name << " " << preset.name << " " << flag;
          }
        if (method.options.find("start") != nullptr) {
          EXPECT_NE(options.text("start"), "fitted") << method.name << " " << preset.name;
        }
      }
    }
  }
}

// Takes the cheapest of two, three or four things.
struct CheapestOfSome final : Problem {
  explicit CheapestOfSome(const std::vector<InstanceShape>& shapes, const std::vector<std::size_t>& groups)
      : Problem(std::make_shared<const Instances>(shapes, groups)) {}
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    std::ranges::fill(decision, 0.0);
    decision[static_cast<std::size_t>(std::ranges::min_element(prediction) - prediction.begin())] = 1;
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < decision.size(); ++k) sum += decision[k] * truth[k];
    return sum;
  }
};

Task ragged_task(std::unique_ptr<Predictor> predictor) {
  RandomStream random(6, Purpose::kTest);
  std::vector<InstanceShape> shapes;
  std::vector<std::size_t> groups;
  Split rows;
  for (std::size_t instance = 0; instance < 80; ++instance) {
    const std::size_t things = groups.emplace_back(2 + random.below(3));
    shapes.push_back({.outputs = things, .decision = things});
    std::vector<double> features(2 * things), truth(things);
    random.fill_normal(features);
    for (std::size_t k = 0; k < things; ++k)
      truth[k] = 1000 * std::exp(features[2 * k] + 0.3 * random.normal());
    rows.add_row(features, truth, instance);
  }
  return {"", std::make_unique<CheapestOfSome>(shapes, groups), std::move(predictor),
          split_at_random(rows, 0.25, 0.25, 1)};
}

// No published settings, rows of any shape, and a network without a closed-form fit.
TEST(HelpedOptions, SuitProblemsOfOnesOwn) {
  const Options none{OptionTable()};
  const PresetContext context{linear_facts(Sense::kMinimise), "", none};
  for (const bool network : {false, true}) {
    const Task task = ragged_task(network ? make_shared_mlp(2, {4}, 0) : make_shared_linear(2, 0));
    for (const char* name :
         {"spo+", "dbb", "imle", "fenchel-young", "listwise", "pairwise", "pairwise-diff", "map"}) {
      const MethodEntry& method = find_method(name, "test");
      Options options(method.options);
      for (const auto& [key, value] : method.preset("helped", "test").values(context))
        options.set(key, value, "test");
      options.set_text("epochs", "3", "test");
      const TrainingResult result = train(task, method, options, {.seed = kSeed});
      EXPECT_LT(result.test_regret, 0.5) << name << (network ? ", network" : "");
    }
  }
}

}  // namespace
}  // namespace polystep
