#include "statistics/diagnosis.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

// A run of 20 steps with a check every 4 of them, by what its curves look like.
struct Curves {
  double flip_rate = 0.05;
  double training_from = 10, training_to = 10;
  std::vector<double> checks = {};  // validation costs, the first at step 0
  std::optional<double> blend = {};
};

std::vector<StepMetrics> steps_of(const Curves& curves) {
  std::vector<StepMetrics> steps;
  for (std::size_t t = 0; t <= 20; ++t) {
    StepMetrics step;
    step.step = t;
    if (t > 0) {
      step.flip_rate = curves.flip_rate;
      step.training_cost = curves.training_from +
                           (curves.training_to - curves.training_from) * static_cast<double>(t - 1) / 19;
    }
    if (t % 4 == 0 && t / 4 < curves.checks.size()) {
      step.validation_cost = curves.checks[t / 4];
      if (t > 0) step.blend = curves.blend;
    }
    steps.push_back(step);
  }
  return steps;
}

Limit limit_of(const Curves& curves) { return diagnose(steps_of(curves)).limit; }

TEST(Diagnose, PlateauWhereHardlyAProbeChangesADecision) {
  Curves curves{.checks = {10, 10, 10, 10, 10, 10}};
  curves.flip_rate = 0.0002;
  EXPECT_EQ(limit_of(curves), Limit::kPlateau);
  EXPECT_NE(diagnose(steps_of(curves)).paragraph.find("0.02 %"), std::string::npos);
  curves.flip_rate = 0.002;
  EXPECT_EQ(limit_of(curves), Limit::kNone);
}

TEST(Diagnose, PlateauIsJudgedByTheLastQuarter) {
  std::vector<StepMetrics> steps = steps_of({.checks = {10, 9, 8, 8, 8, 8}});
  for (std::size_t t = 16; t <= 20; ++t) steps[t].flip_rate = 0;
  EXPECT_EQ(diagnose(steps).limit, Limit::kPlateau);
  for (std::size_t t = 1; t <= 20; ++t) steps[t].flip_rate = t < 16 ? 0.0 : 0.1;
  EXPECT_NE(diagnose(steps).limit, Limit::kPlateau);
}

TEST(Diagnose, OverfittingWhereTrainingFallsAndChecksRise) {
  EXPECT_EQ(limit_of({.training_to = 7, .checks = {10, 9.8, 10, 10.3, 10.6, 11}}), Limit::kOverfitting);
  EXPECT_NE(limit_of({.training_to = 10, .checks = {10, 9.8, 10, 10.3, 10.6, 11}}), Limit::kOverfitting);
  EXPECT_NE(limit_of({.training_to = 7, .checks = {10, 9, 8, 7.5, 7.2, 7.2}}), Limit::kOverfitting);
}

TEST(Diagnose, OverfittingWhereHeldOutRowsConfirmLittle) {
  Curves curves{.training_to = 7, .checks = {10, 10, 10, 10, 10, 10}, .blend = 0.1};
  EXPECT_EQ(limit_of(curves), Limit::kOverfitting);
  EXPECT_NE(diagnose(steps_of(curves)).paragraph.find("confirmed only 10 %"), std::string::npos);
  curves.blend = 0.8;
  EXPECT_EQ(limit_of(curves), Limit::kNone);
}

TEST(Diagnose, NoiseWhereChecksGoUpAboutAsMuchAsDown) {
  EXPECT_EQ(limit_of({.checks = {10, 9, 9.8, 8.9, 9.9, 9}}), Limit::kNoise);
  EXPECT_EQ(limit_of({.checks = {10, 9, 9}}), Limit::kNone);                        // too few to tell
  EXPECT_EQ(limit_of({.checks = {10, 10.001, 10, 10.001, 10, 10}}), Limit::kNone);  // too small to matter
}

TEST(Diagnose, BudgetWhereTheEndStillImproves) {
  EXPECT_EQ(limit_of({.training_to = 5, .checks = {10, 9, 8, 7, 6, 5}}), Limit::kBudget);
  EXPECT_EQ(limit_of({.training_to = 5, .checks = {10, 6, 5, 5, 5, 5}}), Limit::kNone);
  EXPECT_EQ(limit_of({.checks = {10, 5}}), Limit::kNone);  // finished in one step
  EXPECT_EQ(limit_of({.training_to = -12, .checks = {-10, -10.5, -11, -11.5, -12, -13}}), Limit::kBudget);
}

TEST(Diagnose, TrustsTheLearnersOwnJudgementWhereItHasOne) {
  std::vector<StepMetrics> steps = steps_of({.checks = {10, 9, 10, 9, 10, 9}});
  EXPECT_EQ(diagnose(steps).limit, Limit::kNoise);
  for (std::size_t t = 4; t <= 20; t += 4) steps[t].held_out_cost = 10 - 0.1 * static_cast<double>(t);
  EXPECT_EQ(diagnose(steps).limit, Limit::kBudget);
}

TEST(Diagnose, AMethodWithoutProbesHasNoFlipRate) {
  std::vector<StepMetrics> steps(2);
  steps[0].validation_cost = 10;
  steps[1].step = 1;
  steps[1].validation_cost = 10;
  const Diagnosis diagnosis = diagnose(steps);
  EXPECT_EQ(diagnosis.limit, Limit::kNone);
  EXPECT_FALSE(diagnosis.late_flip_rate);
  EXPECT_EQ(to_text(diagnosis.limit), "none");
}

// Checks that jump are questions about other predictions, no noise.
TEST(Diagnose, LearningFromAnswersIsJudgedByWhatHeldOutRowsSayAtTheEnd) {
  std::vector<StepMetrics> steps(7);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    steps[t].step = t;
    steps[t].validation_cost = t % 2 == 0 ? 10 : 9;
    if (t > 0) steps[t].solves = 100;
  }
  EXPECT_EQ(diagnose(steps).limit, Limit::kNoise);
  steps.back().guarded = 0;
  steps.back().blend = 1;
  EXPECT_EQ(diagnose(steps).limit, Limit::kNone);
  EXPECT_NE(diagnose(steps).paragraph.find("100 % of what was learned from 600 answers"), std::string::npos);
  steps.back().blend = 0.1;
  EXPECT_EQ(diagnose(steps).limit, Limit::kOverfitting);
  steps.back().blend = 0;
  steps.back().guarded = 1;
  EXPECT_EQ(diagnose(steps).limit, Limit::kOverfitting);
  EXPECT_NE(diagnose(steps).paragraph.find("spoke against"), std::string::npos);
}

}  // namespace
}  // namespace polystep
