// The limit on infeasible decisions: how a margin is chosen, and trainings that keep to it.
#include "methods/constraints/infeasibility_limit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "methods/constraint_tasks.hpp"
#include "methods/polystepor/polystepor_learner.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

// Safer by one deviation: a tenth of the infeasible decisions is left, and cost grows with the square of the
// distance from the cheapest margin, 1.
std::function<MarginFigures(double)> made_up(double direction, std::size_t rows) {
  return [=](double margin) {
    const double safe = direction * margin;
    const double share = std::min(1.0, std::pow(10.0, -safe));
    return MarginFigures{(safe - 1) * (safe - 1), static_cast<std::size_t>(share * static_cast<double>(rows)),
                         rows};
  };
}

TEST(MarginFigures, CountTheRowThatSetTheMargin) {
  EXPECT_TRUE((MarginFigures{0, 9, 99}.within(0.1)));
  EXPECT_FALSE((MarginFigures{0, 10, 99}.within(0.1)));  // 11 of 100 for a fresh row
  EXPECT_TRUE((MarginFigures{0, 0, 10}.within(0.001)));
}

TEST(MarginFigures, RankParametersByCostWithinTheLimitAndBySafetyBeyond) {
  EXPECT_EQ((MarginFigures{5.5, 1, 100}.selection_cost(0.1)), 5.5);
  const double beyond = MarginFigures{-3, 20, 100}.selection_cost(0.1);
  EXPECT_GT(beyond, 1e300);
  EXPECT_LT(beyond, (MarginFigures{-4, 21, 100}.selection_cost(0.1)));
}

TEST(ChooseMargin, TakesTheCheapestWhereTheLimitDoesNotBind) {
  const MarginChoice choice = choose_margin(made_up(1, 100000), 0.5);
  EXPECT_NEAR(choice.margin, 1, 0.03);
  EXPECT_EQ(choice.price, 0);
}

TEST(ChooseMargin, GoesJustFarEnoughInTheSafeDirectionAndTellsWhatThatCosts) {
  for (const double direction : {1.0, -1.0}) {
    const MarginChoice choice = choose_margin(made_up(direction, 100000), 0.001);
    EXPECT_NEAR(direction * choice.margin, 3, 0.02);
    EXPECT_LE(choice.figures.share(), 0.001);
    // Over 2.5 to 3.5: cost grows by 2.5^2 - 1.5^2 while the share falls by 10^-2.5 - 10^-3.5.
    EXPECT_NEAR(choice.price, 4 / (std::pow(10, -2.5) - std::pow(10, -3.5)), 60);
  }
}

TEST(ChooseMargin, GivesTheSafestWhereTheLimitCannotBeMet) {
  const MarginChoice choice = choose_margin(
      [](double margin) {
        return MarginFigures{std::abs(margin), margin > 5 ? std::size_t{40} : 60, 100};
      },
      0.1);
  EXPECT_EQ(choice.figures.infeasible, 40u);
  EXPECT_GT(choice.margin, 5);
}

struct Case {
  const char* method;
  const char* problem;
};

class LimitedTraining : public testing::TestWithParam<Case> {
 protected:
  TrainingResult train_within(const char* limit, std::size_t threads = 1) const {
    const auto [method, problem] = GetParam();
    const Options options =
        method_options(method, "best", problem,
                       {{"max-infeasibility", limit}, {"steps", "12"}, {"checks", "3"}, {"batch", "64"}});
    return train(task_, find_method(method, "test"), options, {.seed = 2, .threads = threads});
  }

  // Recourse so cheap that many decisions are infeasible unless held to a limit.
  Task task_ = constraint_task(GetParam().problem, {{"rho", "1.5"}});
};

TEST_P(LimitedTraining, KeepsToTheLimitOnValidationRowsAndPaysForIt) {
  const TrainingResult free = train_within("1"), tight = train_within("0.05");
  ASSERT_TRUE(free.validation_infeasible && tight.validation_infeasible);
  EXPECT_LE(*tight.validation_infeasible, 0.05);
  EXPECT_LT(*tight.validation_infeasible, *free.validation_infeasible);
  EXPECT_LT(*tight.test_infeasible, *free.test_infeasible);
  EXPECT_GT(tight.validation_cost, free.validation_cost);
}

TEST_P(LimitedTraining, SameBitsForAnyNumberOfThreads) {
  const TrainingResult one = train_within("0.1"), three = train_within("0.1", 3);
  EXPECT_TRUE(one.parameters == three.parameters);
  EXPECT_EQ(one.solves.requested, three.solves.requested);
}

INSTANTIATE_TEST_SUITE_P(Methods, LimitedTraining,
                         testing::Values(Case{"polystepor", "set-cover"},
                                         Case{"polystepor-output", "set-cover"},
                                         Case{"polystepor", "knapsack-capacity"}),
                         [](const auto& info) {
                           std::string name = std::string(info.param.method) + "_" + info.param.problem;
                           std::erase(name, '-');
                           return name;
                         });

TEST(LimitedTraining, GoesOnToTheSameBitsFromASavedState) {
  const Task task = constraint_task("set-cover");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const Options options = method_options("polystepor", "best", "set-cover",
                                         {{"max-infeasibility", "0.1"}, {"steps", "8"}, {"checks", "4"}});
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
  for (int step = 5; step < 7; ++step) second.step();
  EXPECT_TRUE(std::ranges::equal(second.parameters(), whole.parameters()));
  EXPECT_EQ(second.selection_cost(), whole.selection_cost());
}

TEST(LimitedTraining, IsRefusedWhereNothingCanBeInfeasible) {
  const Task task = constraint_task("shortest-path");
  const Options options =
      method_options("polystepor", "best", "shortest-path", {{"max-infeasibility", "0.1"}});
  EXPECT_EQ(input_error([&] { train(task, find_method("polystepor", "test"), options, {}); }),
            "max-infeasibility is 0.1, but no decision of this problem can turn out infeasible, expected 1");
}

}  // namespace
}  // namespace polystep
