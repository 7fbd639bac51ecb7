#include "runtime/plan/budget_choice.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace polystep {
namespace {

constexpr Pace kPreset = {.bags = 16, .steps = 30, .batch = 500, .checks = 5};

// 500 training rows, halves as bags: a step of the preset takes 16 x 250 rows.
WorkModel some_model() {
  WorkModel model;
  model.start = {500, 0.1};
  model.rehearsed_fits = 3;
  model.row_step = {100, 1e-4};
  model.check = {1000, 0.01};
  model.validation = {50, 0.001};
  model.evaluation = {2000, 0.02};
  model.training_rows = 500;
  model.bag_share = 0.5;
  return model;
}

TEST(Forecast, AddsUpItsParts) {
  const Forecast forecast = some_model().forecast(kPreset);
  EXPECT_DOUBLE_EQ(forecast.setup.solves, 500);
  EXPECT_DOUBLE_EQ(forecast.setup.seconds, 0.1 * 17 / 3);
  EXPECT_DOUBLE_EQ(forecast.training.solves, 30 * 16 * 250 * 100.0 + 5 * 1000);
  EXPECT_DOUBLE_EQ(forecast.validation.solves, 6 * 50);
  EXPECT_DOUBLE_EQ(forecast.evaluation.seconds, 0.02);
  EXPECT_DOUBLE_EQ(forecast.total().solves, 500 + 12000000 + 5000 + 300 + 2000);
}

TEST(Forecast, KnowsHowManyRowsAStepTakes) {
  WorkModel model = some_model();
  EXPECT_EQ(model.rows_per_step({.bags = 4, .steps = 1, .batch = 100, .checks = 1}), 400);
  EXPECT_EQ(model.rows_per_step({.bags = 4, .steps = 1, .batch = 300, .checks = 1}), 1000);
  EXPECT_EQ(model.rows_per_step({.bags = 1, .steps = 1, .batch = 900, .checks = 1}), 500);
  model.repeats_rows = true;
  EXPECT_EQ(model.rows_per_step({.bags = 1, .steps = 1, .batch = 900, .checks = 1}), 900);
  model.bags_count = false;
  EXPECT_EQ(model.rows_per_step(kPreset), 500);
}

TEST(Forecast, CountsChecksAsTheLearnerDoes) {
  EXPECT_EQ(checks_made(kPreset), 5);
  EXPECT_EQ(checks_made({.bags = 1, .steps = 31, .batch = 1, .checks = 5}), 6);  // every 6 steps and the last
  EXPECT_EQ(checks_made({.bags = 1, .steps = 3, .batch = 1, .checks = 20}), 3);
}

TEST(Ladder, RisesThroughThePresetAndKeepsWhatIsGiven) {
  const std::vector<Pace> rungs = ladder(kPreset, {});
  const WorkModel model = some_model();
  bool has_preset = false;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (i > 0) {
      EXPECT_GT(model.forecast(rungs[i]).total().solves, model.forecast(rungs[i - 1]).total().solves) << i;
    }
    has_preset |=
        rungs[i].bags == 16 && rungs[i].steps == 30 && rungs[i].batch == 500 && rungs[i].checks == 5;
  }
  EXPECT_TRUE(has_preset);
  EXPECT_EQ(rungs.front().bags, 1);
  for (const Pace& rung : ladder(kPreset, {.bags = true, .batch = true, .checks = true})) {
    EXPECT_EQ(rung.bags, 16);
    EXPECT_EQ(rung.batch, 500);
    EXPECT_EQ(rung.checks, 5);
  }
  for (const Pace& rung : ladder({.bags = 1, .steps = 150, .batch = 128, .checks = 20}, {}))
    EXPECT_EQ(rung.bags, 1);
}

TEST(FitToBudget, UsesMostOfAnyBudgetAndNeverMore) {
  const WorkModel model = some_model();
  const std::vector<Pace> rungs = ladder(kPreset, {});
  for (const double solves : {2e5, 1e6, 3e6, 1.3e7, 5e7, 2e8}) {
    const BudgetChoice choice = fit_to_budget({BudgetUnit::kSolves, solves}, rungs, model, "");
    EXPECT_LE(choice.forecast.total().solves, solves);
    EXPECT_GE(choice.forecast.total().solves, 0.5 * solves) << solves;
    EXPECT_FALSE(choice.at_top);
    EXPECT_EQ(model.forecast(choice.pace).total().solves, choice.forecast.total().solves);
  }
  const BudgetChoice time = fit_to_budget({BudgetUnit::kSeconds, 20}, rungs, model, "");
  EXPECT_LE(time.forecast.total().seconds, 20);
  EXPECT_GE(time.forecast.total().seconds, 10);
}

TEST(FitToBudget, StopsGrowingAtTheTopAndRefusesWhatIsTooSmall) {
  const WorkModel model = some_model();
  const std::vector<Pace> rungs = ladder(kPreset, {});
  const BudgetChoice top = fit_to_budget({BudgetUnit::kSolves, 1e15}, rungs, model, "");
  EXPECT_TRUE(top.at_top);
  EXPECT_EQ(top.pace.bags, rungs.back().bags);
  EXPECT_EQ(top.pace.steps, rungs.back().steps);
  const double least = model.forecast(rungs.front()).total().solves;
  EXPECT_EQ(fit_to_budget({BudgetUnit::kSolves, least}, rungs, model, "").pace.batch, rungs.front().batch);
  const std::string sentence = input_error([&] {
    fit_to_budget({BudgetUnit::kSolves, 10}, rungs, model, "--budget");
  });
  EXPECT_EQ(sentence, "--budget: found solves=10, expected at least " +
                          to_text({BudgetUnit::kSolves, least}) + ", which the shortest run takes");
}

}  // namespace
}  // namespace polystep
