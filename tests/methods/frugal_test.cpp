// Frugal training: as many solver calls as were granted and not one more, the same bits for any number of
// threads and after a restart, better than its start, never led astray by solves that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "constraint_tasks.hpp"
#include "declining_problem.hpp"
#include "input_error.hpp"
#include "methods/frugal/choice_lessons.hpp"
#include "methods/frugal/frugal_learner.hpp"
#include "methods/frugal/frugal_start.hpp"
#include "methods/frugal/question_plan.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

Options frugal_options(const std::string& problem, const char* calls, Given given = {}) {
  given.insert(given.begin(), {{"fidelity", "frugal"}, {"calls", calls}});
  return method_options("polystepor", "best", problem, given);
}

TrainingResult train_frugally(const Task& task, const Options& options, std::size_t threads = 1,
                              std::uint64_t seed = 3) {
  return train(task, find_method("polystepor", "test"), options, {.seed = seed, .threads = threads});
}

std::uint64_t calls_of(const TrainingResult& result) {
  return result.setup_solves.performed + result.training_solves.performed +
         result.validation_solves.performed;
}

void keep_rows(Task& task, std::size_t training, std::size_t validation, std::size_t test) {
  for (const auto& [split, rows] : {std::pair(&task.data.training, training),
                                    {&task.data.validation, validation},
                                    {&task.data.test, test}}) {
    if (split->rows <= rows) continue;
    split->rows = rows;
    split->features.resize(rows * split->feature_columns);
    split->truth.resize(rows * split->truth_columns);
    if (!split->instances.empty()) split->instances.resize(rows);
  }
}

Task small_task(const std::string& problem, const Given& given = {}) {
  Task task = constraint_task(problem, given);
  keep_rows(task, 60, 15, 40);
  return task;
}

std::vector<std::size_t> every_row(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(QuestionPlan, AsksWhatWasGranted) {
  for (const std::size_t rows : {1, 7, 250})
    for (const std::size_t calls : {1, 2, 3, 6, 7, 20, 249, 250, 251, 750, 2500, 25000}) {
      SCOPED_TRACE(testing::Message() << calls << " calls for " << rows << " rows");
      const std::vector<QuestionPass> passes = plan_questions(calls, rows);
      ASSERT_FALSE(passes.empty());
      EXPECT_EQ(passes.front().round, 0u);
      EXPECT_EQ(passes.front().noise, 0);
      std::size_t sum = 0, round = 0;
      for (const QuestionPass& pass : passes) {
        sum += pass.questions;
        EXPECT_GT(pass.questions, 0u);
        EXPECT_LE(pass.questions, rows);
        EXPECT_EQ(pass.begins_round, pass.round != round);
        EXPECT_TRUE(!pass.begins_round || pass.noise == 0);
        EXPECT_TRUE(pass.tempting == 0 || (pass.round > 0 && pass.noise > 0));
        EXPECT_TRUE(!pass.at_truth || (pass.round == 0 && pass.noise > 0 && pass.questions == rows));
        round = pass.round;
      }
      EXPECT_EQ(std::ranges::count(passes, true, &QuestionPass::at_truth), calls >= 10 * rows);
      EXPECT_EQ(sum, calls);
      EXPECT_LE(round, 6u);
    }
}

TEST(QuestionPlan, AsksAboutWhatItHandsOverWhereAnswersJudge) {
  for (const bool margins : {false, true})
    for (const std::size_t rows : {1, 7, 250})
      for (const std::size_t calls : {1, 2, 3, 6, 7, 20, 249, 250, 251, 750, 2500, 25000}) {
        SCOPED_TRACE(testing::Message() << calls << " calls for " << rows << " rows");
        const std::vector<QuestionPass> passes = plan_judging_questions(calls, rows, margins);
        std::size_t sum = 0, round = 0;
        for (const QuestionPass& pass : passes) {
          sum += pass.questions;
          EXPECT_GT(pass.questions, 0u);
          EXPECT_LE(pass.questions, rows);
          EXPECT_EQ(pass.begins_round, pass.round != round);
          EXPECT_TRUE(!pass.begins_round || (pass.noise == 0 && pass.margin == 0));
          EXPECT_TRUE(margins || pass.margin == 0);
          EXPECT_TRUE(pass.margin == 0 || (pass.noise == 0 && pass.judges));
          round = pass.round;
        }
        EXPECT_EQ(sum, calls);
        EXPECT_EQ(passes.front().round, 0u);
        EXPECT_EQ(passes.back().judges, calls > rows);
      }
}

TEST(QuestionPlan, DrawsRowsThatDiffer) {
  const QuestionPass pass{.questions = 30};
  const std::vector<std::size_t> asked = asked_rows(pass, 4, 100, 1);
  EXPECT_EQ(asked.size(), 30u);
  EXPECT_EQ(std::set<std::size_t>(asked.begin(), asked.end()).size(), 30u);
  EXPECT_LT(asked.back(), 100u);
  EXPECT_EQ(asked, asked_rows(pass, 4, 100, 1));
  EXPECT_NE(asked, asked_rows(pass, 5, 100, 1));
  EXPECT_EQ(asked_rows({.questions = 100}, 4, 100, 1).size(), 100u);
}

// Any decision of five entries; each instance admits those whose entries add up to at most its number.
class Sums final : public Problem, public FeasibleSets {
 public:
  explicit Sums(Sense sense) : Problem(5, 5), sense_(sense) {}
  ProblemFacts facts() const override { return linear_facts(sense_); }
  SolveStatus decide(std::span<const double>, std::size_t, std::span<double>) const override {
    return SolveStatus::kFailed;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) sum += decision[k] * truth[k];
    return static_cast<int>(sense_) * sum;
  }
  bool common() const override { return false; }
  bool admits(std::span<const double> decision, std::size_t instance) const override {
    double sum = 0;
    for (const double entry : decision) sum += entry;
    return sum <= static_cast<double>(instance);
  }

 private:
  Sense sense_;
};

class Remembered : public testing::TestWithParam<Sense> {
 protected:
  static Split twelve_rows() {
    Split rows;
    rows.rows = 12;
    rows.truth_columns = 5;
    rows.truth.resize(60);
    RandomStream(3, Purpose::kTest).fill_normal(std::span<double>(rows.truth));
    return rows;
  }
  Remembered() {
    RandomStream stream(1, Purpose::kTest);
    for (std::size_t i = 0; i < 400; ++i) {
      std::vector<double> decision(5);
      for (double& entry : decision) entry = static_cast<double>(stream.below(3));
      const std::size_t row = stream.below(rows.rows);
      given[row].push_back(decision);
      numbers.push_back(decisions.remember(row, decision));
      stored.emplace_back(numbers.back(), decision);
    }
  }
  std::vector<double> prediction(std::uint64_t index) const {
    std::vector<double> values(5);
    RandomStream stream(2, Purpose::kTest, index);
    stream.fill_normal(std::span<double>(values));
    return values;
  }

  Sums problem{GetParam()};
  Split rows = twelve_rows();
  RememberedDecisions decisions{problem, rows};
  std::vector<std::uint32_t> numbers;
  std::map<std::size_t, std::vector<std::vector<double>>> given;
  std::vector<std::pair<std::uint32_t, std::vector<double>>> stored;
};

TEST_P(Remembered, EachDecisionOnceWithItsCost) {
  std::set<std::vector<double>> all;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::set<std::vector<double>> distinct(given[row].begin(), given[row].end());
    all.insert(distinct.begin(), distinct.end());
    ASSERT_EQ(decisions.members(row).size(), distinct.size());
    double lowest = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& decision : distinct)
      lowest = std::min(lowest, problem.cost(decision, rows.truth_row(row), row));
    EXPECT_NEAR(decisions.members(row)[decisions.cheapest(row)].cost, lowest, 1e-12);
  }
  EXPECT_EQ(decisions.distinct(), all.size());
}

TEST_P(Remembered, ChoosesAsASolverWithTheseAloneWould) {
  for (std::size_t row = 0; row < rows.rows; ++row)
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
      const std::vector<double> values = prediction(draw);
      double lowest = std::numeric_limits<double>::infinity(), cost = 0;
      for (const std::vector<double>& decision : given[row])
        if (const double value = problem.cost(decision, values, row); value < lowest - 1e-12) {
          lowest = value;
          cost = problem.cost(decision, rows.truth_row(row), row);
        }
      EXPECT_NEAR(decisions.members(row)[decisions.chosen(row, values)].cost, cost, 1e-12);
    }
}

TEST_P(Remembered, TakesFromOthersWhatTheRowAdmits) {
  const std::vector<std::uint32_t> offered = decisions.offered(100000);
  EXPECT_EQ(offered.size(), decisions.distinct());
  for (std::size_t row = 0; row < rows.rows; ++row)
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const std::vector<double> values = prediction(draw);
      double lowest = std::numeric_limits<double>::infinity();
      for (const auto& [number, decision] : stored)
        if (problem.admits(decision, row)) lowest = std::min(lowest, problem.cost(decision, values, row));
      // Beside another prediction, which must not matter.
      constexpr std::size_t kTogether = RememberedDecisions::kTogether;
      const std::vector<double> other = prediction(draw + 100);
      std::vector<double> together(values.size() * kTogether, 0.0);
      for (std::size_t o = 0; o < values.size(); ++o) {
        together[o * kTogether] = other[o];
        together[o * kTogether + 1] = values[o];
      }
      const std::vector<std::uint32_t> best = decisions.best_of(offered, row, together, 2);
      ASSERT_EQ(best.size(), std::isfinite(lowest) ? 2u : 0u);
      if (best.empty()) continue;
      EXPECT_NEAR(decisions.value(best[1], values.data()), lowest, 1e-12);
    }
}

TEST_P(Remembered, AReferenceIsKnownAndNoMember) {
  EXPECT_FALSE(decisions.has_references());
  const std::vector<double> best = {7, 0, 7, 0, 7};
  const std::size_t members = decisions.members(4).size();
  const std::uint32_t number = decisions.remember_reference(4, best);
  EXPECT_TRUE(decisions.has_references());
  EXPECT_EQ(decisions.reference(3), nullptr);
  ASSERT_NE(decisions.reference(4), nullptr);
  EXPECT_EQ(decisions.reference(4)->decision, number);
  EXPECT_NEAR(decisions.reference(4)->cost, problem.cost(best, rows.truth_row(4), 4), 1e-12);
  EXPECT_EQ(decisions.members(4).size(), members);
}

TEST_P(Remembered, IsTheSameAfterALoad) {
  decisions.remember_reference(5, std::vector<double>{7, 0, 7, 0, 7});
  ArchiveWriter writer;
  decisions.save(writer);
  RememberedDecisions copy(problem, rows);
  ArchiveReader reader(writer.bytes(), "test");
  copy.load(reader);
  EXPECT_TRUE(reader.exhausted());
  ArchiveWriter again;
  copy.save(again);
  EXPECT_EQ(again.bytes(), writer.bytes());
  EXPECT_EQ(copy.offered(5), decisions.offered(5));
  EXPECT_EQ(copy.reference(5)->cost, decisions.reference(5)->cost);
  EXPECT_EQ(copy.reference(6), nullptr);
}

INSTANTIATE_TEST_SUITE_P(BothSenses, Remembered, testing::Values(Sense::kMinimise, Sense::kMaximise));

struct FrugalCase {
  const char* problem;
  const char* calls;
};

class FrugalOn : public testing::TestWithParam<FrugalCase> {
 protected:
  Task task = small_task(GetParam().problem);
  Options options = frugal_options(GetParam().problem, GetParam().calls);
};

TEST_P(FrugalOn, MakesTheCallsThatWereGranted) {
  const TrainingResult result = train_frugally(task, options);
  const double granted = std::stod(GetParam().calls) * static_cast<double>(task.data.training.rows);
  EXPECT_EQ(static_cast<double>(calls_of(result)), granted);
  EXPECT_EQ(result.reference_solves.performed, task.data.test.rows);  // those of the final figures
  const auto learner = find_method("polystepor", "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  // Where there is recourse, the final figures look at validation rows once more.
  const double final_look =
      task.problem->facts().has_recourse ? static_cast<double>(task.data.validation.rows) : 0;
  EXPECT_NEAR(learner.make({evaluator, options, 3})->counted()->training(), granted - final_look, 1e-6);
}

TEST_P(FrugalOn, SameBitsForAnyNumberOfThreads) {
  const TrainingResult expected = train_frugally(task, options);
  for (const std::size_t threads : {2, 5}) {
    const TrainingResult result = train_frugally(task, options, threads);
    EXPECT_TRUE(result.parameters == expected.parameters) << threads << " threads";
    EXPECT_EQ(result.validation_cost, expected.validation_cost);
  }
}

TEST_P(FrugalOn, GoesOnToTheSameBitsFromASavedState) {
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const LearnerContext context{evaluator, options, 3};
  const auto learner = make_prepared(find_method("polystepor", "test"), context);
  const std::size_t steps = learner->plan().steps;
  for (std::size_t stop = 0; stop < steps; ++stop) {
    ArchiveWriter writer;
    learner->save(writer);
    Evaluator other_evaluator(task, team);
    const auto other = make_prepared(find_method("polystepor", "test"), {other_evaluator, options, 3});
    ArchiveReader reader(writer.bytes(), "test");
    other->load(reader);
    EXPECT_TRUE(reader.exhausted());
    EXPECT_EQ(other_evaluator.failure_cost(), evaluator.failure_cost());
    const LearnerReport one = learner->step(), two = other->step();
    EXPECT_EQ(one.solves.performed, two.solves.performed);
    EXPECT_TRUE(std::ranges::equal(learner->parameters(), other->parameters())) << "step " << stop;
    EXPECT_EQ(dynamic_cast<SelfJudging&>(*learner).own_validation().cost,
              dynamic_cast<SelfJudging&>(*other).own_validation().cost);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, FrugalOn,
                         testing::Values(FrugalCase{"shortest-path", "1"}, FrugalCase{"shortest-path", "3.5"},
                                         FrugalCase{"knapsack", "8"}, FrugalCase{"portfolio", "4"},
                                         FrugalCase{"knapsack-weight", "2"},
                                         FrugalCase{"knapsack-weight", "9"}, FrugalCase{"set-cover", "4.5"},
                                         FrugalCase{"set-cover", "16"}, FrugalCase{"multi-knapsack", "8"}),
                         [](const auto& info) {
                           std::string name = std::string(info.param.problem) + info.param.calls;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

double start_regret(const Task& task) {
  const MethodEntry& mse = find_method("mse", "test");
  Options options(mse.options);
  for (const auto& [key, value] :
       mse.preset("least-squares", "test").values({{}, "", Options{OptionTable()}}))
    options.set(key, value, "test");
  return train(task, mse, options, {}).test_regret;
}

// Degree 8, where a linear predictor is far from right, is where there is much to learn.
TEST(Frugal, LearnsMuchFromTenCallsPerRow) {
  Task task = constraint_task("shortest-path", {{"degree", "8"}});
  keep_rows(task, 400, 100, 1000);
  const double least_squares = start_regret(task);
  for (const char* share : {"false", "true"}) {
    const TrainingResult result =
        train_frugally(task, frugal_options("shortest-path", "10", {{"share-decisions", share}}));
    EXPECT_LT(result.test_regret, 0.6 * least_squares) << "shared: " << share;
  }
}

TEST(Frugal, TrainsNetworksThroughTheirGradient) {
  Task task = constraint_task("shortest-path", {{"degree", "8"}});
  keep_rows(task, 200, 50, 500);
  task.predictor =
      make_mlp(task.data.training.feature_columns, {2}, task.problem->outputs());  // too small to fit
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const Options options = frugal_options("shortest-path", "10");
  const auto learner = make_prepared(find_method("polystepor", "test"), {evaluator, options, 1});
  const TiledRows test(task.data.test);
  const Evaluation optimal = evaluator.optimal(test);
  const double before =
      mean_regret(task.metric, evaluator.evaluate(learner->parameters(), test), optimal.costs);
  for (std::size_t step = 0; step < learner->plan().steps; ++step) learner->step();
  const double after =
      mean_regret(task.metric, evaluator.evaluate(learner->parameters(), test), optimal.costs);
  EXPECT_GT(*learner->trained_share(), 0);
  EXPECT_LT(after, before);
}

TEST(Frugal, CountsFailuresAndNeverChoosesThem) {
  for (const char* problem : {"knapsack", "knapsack-weight", "set-cover"}) {
    SCOPED_TRACE(problem);
    Task task = small_task(problem);
    task.data.training.instances.clear();
    task.problem = std::make_unique<DecliningProblem>(std::move(task.problem),
                                                      [](std::size_t instance) { return instance % 3 == 0; });
    const Options options = frugal_options(problem, "6");
    const TrainingResult result = train_frugally(task, options);
    EXPECT_EQ(calls_of(result), 6 * task.data.training.rows);
    EXPECT_GT(result.training_solves.failed, 0u);
    EXPECT_TRUE(std::isfinite(result.validation_cost));
    for (const double parameter : result.parameters) EXPECT_TRUE(std::isfinite(parameter));
    task.problem = std::make_unique<DecliningProblem>(std::move(task.problem), every_instance);
    EXPECT_NE(input_error([&] { train_frugally(task, options); }).find("the solver failed on all of"),
              std::string::npos);
  }
}

// Remembers what it was asked about its first instance. It decides by the prediction's direction, so that no
// decision comes back, or by its sign alone.
class Questioned final : public Problem {
 public:
  Questioned(std::size_t outputs, bool few_decisions)
      : Problem(outputs, outputs), outputs_(outputs), few_decisions_(few_decisions) {}
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    if (instance == 0) asked.emplace_back(prediction.begin(), prediction.end());
    double squares = 0, sum = 0;
    for (const double value : prediction) squares += value * value, sum += value;
    for (std::size_t k = 0; k < outputs_; ++k)
      decision[k] = few_decisions_ ? (sum < 100 ? 1 : -1) : -prediction[k] / std::sqrt(squares);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < outputs_; ++k) sum += decision[k] * truth[k];
    return sum;
  }

  mutable std::vector<std::vector<double>> asked;

 private:
  std::size_t outputs_;
  bool few_decisions_;
};

// Where decisions are not all known anyway, one question is at the truth, and those of a round but the first
// are at what tempts what was trained: one bag asks so once in every round, and around it from then on.
TEST(Frugal, AsksForWhatTemptsWhereDecisionsDiffer) {
  for (const bool few_decisions : {false, true}) {
    SCOPED_TRACE(few_decisions);
    Task task = small_task("shortest-path");
    task.data.training.instances.clear();
    const std::span<const double> truth = task.data.training.truth_row(0);
    auto problem = std::make_unique<Questioned>(truth.size(), few_decisions);
    const Questioned& questioned = *problem;
    task.problem = std::move(problem);
    train_frugally(
        task, frugal_options("shortest-path", "30", {{"instance-weights", "false"}, {"frugal-bags", "1"}}));
    int tempting = 0, at_truth = 0;
    for (const std::vector<double>& plain : questioned.asked) {
      at_truth += std::ranges::equal(plain, truth);
      for (const std::vector<double>& other : questioned.asked) {
        double largest = 0;
        for (std::size_t k = 0; k < truth.size(); ++k)
          largest = std::max(largest, std::abs(2 * plain[k] - truth[k] - other[k]));
        tempting += largest < 1e-9 && &plain != &other;
      }
    }
    EXPECT_EQ(tempting, few_decisions ? 0 : 6);
    EXPECT_EQ(at_truth, few_decisions ? 0 : 1);
  }
}

// The same decisions in units of which it takes more.
class InSmallUnits final : public Problem {
 public:
  InSmallUnits(std::unique_ptr<Problem> inner, double units)
      : Problem(inner->instances()), inner_(std::move(inner)), units_(units) {}
  ProblemFacts facts() const override {
    ProblemFacts facts = inner_->facts();
    facts.has_margins = facts.has_references = facts.binary_decisions = false;
    return facts;
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    const SolveStatus status = inner_->decide(prediction, instance, decision);
    for (double& entry : decision) entry *= units_;
    return status;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < decision.size(); ++k) sum += decision[k] * truth[k];
    return sum;
  }

 private:
  std::unique_ptr<Problem> inner_;
  double units_;
};

// What is learned from the same answers, up to the hundred-millionth of a step of Adam that depends on them.
TEST(Frugal, DoesNotCareInWhatUnitsDecisionsAre) {
  for (const char* problem : {"shortest-path", "portfolio"}) {
    std::vector<std::vector<double>> trained;
    for (const double units : {1.0, 4096.0}) {
      Task task = small_task(problem);
      task.problem = std::make_unique<InSmallUnits>(std::move(task.problem), units);
      ThreadTeam team(1);
      Evaluator evaluator(task, team);
      const Options options = frugal_options(problem, "6");
      const LearnerContext context{evaluator, options, 1};
      const PreparedData data = prepare_data(task, true, true);
      const std::vector<std::size_t> rows = every_row(data.training.rows);
      const auto start = *least_squares_start(*task.predictor, data.training, rows);
      ChoiceLessons lessons(context, data, data.training);
      lessons.begin(start);
      const RowLayout places(*task.problem, data.training, rows);
      std::vector<double> decisions(places.total());
      const std::vector<double> solved(rows.size(), 1.0);
      for (std::size_t shift = 0; shift < 5; ++shift) {
        for (const std::size_t row : rows)
          ASSERT_EQ(task.problem->decide(data.training.truth_row((row + shift) % rows.size()),
                                         data.training.instance(row), places.row(decisions, row)),
                    SolveStatus::kSolved);
        lessons.remember(rows, places, decisions, solved, false, team);
      }
      const std::vector<std::vector<std::size_t>> nobody(1);
      const UnseenPredictions unseen(*task.predictor, data.training, nobody);
      lessons.study(unseen, unseen.of(std::vector<std::vector<double>>{start}, team), 0, team);
      trained.push_back(lessons.train(TiledRows(data.training), start, lessons.ways().front(), true));
    }
    double length = 0, apart = 0;
    for (std::size_t i = 0; i < trained[0].size(); ++i) {
      length += std::abs(trained[0][i]);
      apart += std::abs(trained[1][i] - trained[0][i]);
    }
    EXPECT_LT(apart, 1e-6 * length) << problem;
  }
}

// Returns that no feature tells: what was lucky for a row is no lesson, and hardly anything should be bought.
TEST(Frugal, GoesByCostsAloneWhereDecisionsMoveSmoothly) {
  Task task = constraint_task("portfolio", {{"degree", "16"}});
  keep_rows(task, 1000, 250, 1000);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const std::vector<double> optimal = evaluator.optimal(TiledRows(task.data.test)).costs;
  const double gained =
      -std::accumulate(optimal.begin(), optimal.end(), 0.0) / static_cast<double>(optimal.size());
  const TrainingResult result =
      train_frugally(task, frugal_options("portfolio", "6", {{"frugal-bags", "6"}}));
  EXPECT_LT(result.test_regret, 1.2 * gained);
  EXPECT_GT(start_regret(task), 10 * gained);
}

// What a plan rests on: learning is done where rounds begin and at the end, by as many bags as there are.
TEST(Frugal, SaysWhenItLearns) {
  for (const char* problem : {"shortest-path", "knapsack-weight"}) {
    const Task task = small_task(problem);
    ThreadTeam team(1);
    Evaluator evaluator(task, team);
    const Options options = frugal_options(problem, "10", {{"frugal-bags", "5"}});
    const FrugalLearner learner({evaluator, options, 1});
    std::size_t learning = 0;
    for (std::size_t step = 0; step < learner.plan().steps; ++step) {
      const double units = learner.learning_units(step);
      EXPECT_EQ(std::fmod(units, 5), 0) << step;
      learning += units > 0;
    }
    EXPECT_GE(learning, 2u);
    EXPECT_LT(learning, learner.plan().steps);
    EXPECT_GT(learner.learning_unit_seconds(), 0);
  }
}

// Where predictions enter constraints, least squares is a start from which most of the way is left.
TEST(Frugal, LearnsWhatRecourseCostsFromTenCallsPerRow) {
  for (const char* problem : {"knapsack-weight", "set-cover"}) {
    SCOPED_TRACE(problem);
    Task task = constraint_task(problem, {{"rho", "10"}});
    keep_rows(task, 300, 60, 200);
    const double least_squares = start_regret(task);
    EXPECT_LT(train_frugally(task, frugal_options(problem, "10")).test_regret, 0.5 * least_squares);
  }
}

// Nothing moves: what is handed over is the start. Ten calls per row teach more than least squares knows of
// weights; of covers validation rows tell.
TEST(FrugalStart, IsWhereProbesBeginWhereItIsCheaper) {
  for (const char* problem : {"knapsack-weight", "set-cover"}) {
    SCOPED_TRACE(problem);
    Task task = constraint_task(problem, {{"rho", "10"}});
    keep_rows(task, 300, 60, 200);
    const Given still = {{"steps", "1"},  {"step-start", "0"},    {"step-end", "0"},
                         {"calls", "10"}, {"fidelity", "probes"}, {"batch", "8"}};
    const Options options = method_options("polystepor", "best", problem, still);
    EXPECT_EQ(options.text("fit"), "frugal");
    Given from_fit = still;
    from_fit.emplace_back("fit", "least-squares");
    const TrainingResult frugal = train_frugally(task, options);
    const TrainingResult fitted =
        train_frugally(task, method_options("polystepor", "best", problem, from_fit));
    EXPECT_LE(frugal.validation_cost, fitted.validation_cost);
    if (problem == std::string("knapsack-weight")) {
      EXPECT_LT(frugal.test_regret, 0.7 * fitted.test_regret);
    }
    EXPECT_EQ(train_frugally(task, options, 3).parameters, frugal.parameters);
  }
}

TEST(FrugalStart, MakesTheCallsThatWereGrantedOnTrainingRowsAlone) {
  Task task = constraint_task("knapsack-weight");
  keep_rows(task, 100, 20, 20);
  const Options options = method_options("polystepor", "best", "knapsack-weight", {{"calls", "7"}});
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  ASSERT_TRUE(serves_frugal_start(task, options));
  const Found start = frugal_start({evaluator, options, 3});
  EXPECT_EQ(start.solves.performed, 7 * task.data.training.rows - task.data.validation.rows);
  const Found again = frugal_start({evaluator, options, 3});
  EXPECT_EQ(start.numbers, again.numbers);
  for (double& value : task.data.validation.truth) value *= 2;
  EXPECT_EQ(frugal_start({evaluator, options, 3}).numbers, start.numbers);
}

TEST(FrugalStart, IsLeastSquaresWhereAnswersTeachNothingMore) {
  Task task = constraint_task("knapsack-capacity");
  keep_rows(task, 60, 20, 20);
  Given given = {{"steps", "2"}, {"batch", "16"}, {"fidelity", "probes"}};
  const Options options = method_options("polystepor", "best", "knapsack-capacity", given);
  EXPECT_FALSE(serves_frugal_start(task, options));
  given.emplace_back("fit", "least-squares");
  EXPECT_EQ(
      train_frugally(task, options).parameters,
      train_frugally(task, method_options("polystepor", "best", "knapsack-capacity", given)).parameters);
}

// Where rows are not shown: probes of predictions, within the calls that were granted.
TEST(Frugal, FallsBackToProbesOfPredictionsWhereAnswersTeachNothingMore) {
  const char* problem = "knapsack-capacity";
  for (const char* calls : {"20", "90"}) {
    SCOPED_TRACE(calls);
    Task task = constraint_task(problem);
    keep_rows(task, 150, 30, 50);
    const Options options = frugal_options(problem, calls);
    EXPECT_FALSE(FrugalLearner::serves(task, options));
    const TrainingResult result = train_frugally(task, options);
    const std::uint64_t made = calls_of(result) + result.reference_solves.performed - task.data.test.rows;
    EXPECT_LE(static_cast<double>(made), std::stod(calls) * static_cast<double>(task.data.training.rows));
    EXPECT_GT(result.steps, 1u);
  }
}

// A limit on infeasible decisions is held by probes, whatever the problem shows.
TEST(Frugal, LeavesLimitsToProbes) {
  const Task task = constraint_task("set-cover");
  EXPECT_TRUE(FrugalLearner::serves(task, frugal_options("set-cover", "20")));
  EXPECT_FALSE(
      FrugalLearner::serves(task, frugal_options("set-cover", "20", {{"max-infeasibility", "0.2"}})));
}

}  // namespace
}  // namespace polystep
