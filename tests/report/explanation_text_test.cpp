#include "report/explanation_text.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

TEST(SampledSteps, KeepBothEnds) {
  std::vector<StepMetrics> steps(101);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].step = i;
  const std::vector<StepMetrics> sampled = sampled_steps(steps, 11);
  ASSERT_EQ(sampled.size(), 11u);
  for (std::size_t i = 0; i < sampled.size(); ++i) EXPECT_EQ(sampled[i].step, 10 * i);
  EXPECT_EQ(sampled_steps(steps, 200).size(), 101u);
}

TEST(StepsTable, ShowsShareOfProbesAndRowsInPercent) {
  StepMetrics step;
  step.step = 7;
  step.flip_rate = 0.0123;
  step.moving_share = 0.5;
  const std::string table = steps_table(std::span(&step, 1));
  EXPECT_NE(table.find("1.23"), std::string::npos) << table;
  EXPECT_NE(table.find(" 50\n"), std::string::npos) << table;
}

TEST(StepsTable, HasTheColumnsOfWhichThereAreFigures) {
  std::vector<StepMetrics> steps(2);
  steps[0].validation_cost = 3;
  steps[1].flip_rate = 0.5;
  const std::string table = steps_table(steps);
  EXPECT_NE(table.find("flips %"), std::string::npos) << table;
  EXPECT_NE(table.find("validation"), std::string::npos) << table;
  EXPECT_EQ(table.find("radius"), std::string::npos) << table;
  EXPECT_EQ(table.find("blend"), std::string::npos) << table;
  EXPECT_NE(table.find(" - "), std::string::npos) << table;  // each row lacks one of the two
}

TEST(Quantile, Interpolates) {
  const std::vector<double> values = {1, 2, 4};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile(values, 0.75), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{5}, 0.3), 5);
}

TEST(HalfDecades, HoldEveryValueOnce) {
  const std::vector<double> values = {1e-8, 0.2, 0.5, 2, 2, 4, 50, 1e9};
  const std::vector<HistogramBin> bins = half_decades(values, 6);
  ASSERT_EQ(bins.size(), 6u);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    sum += bins[i].count;
    if (i > 0) {
      EXPECT_DOUBLE_EQ(bins[i].low, bins[i - 1].high);
    }
  }
  EXPECT_EQ(sum, values.size());
  EXPECT_EQ(bins.front().low, 1e-8);
  EXPECT_EQ(bins.back().high, 1e9);
}

TEST(FlipDistancesText, SaysHowManyLieWithinReach) {
  const FlipDistances found{.distances = {1, 2, 3}, .pairs = 10, .certain = true};
  const std::string text = flip_distances_text(found, 2.5);
  EXPECT_NE(text.find("10 pairs of instance and direction, 7 of which never change"), std::string::npos)
      << text;
  EXPECT_NE(text.find("within reach of the last probes, 2.5: 20 %"), std::string::npos) << text;
  const std::string none = flip_distances_text({.distances = {}, .pairs = 4, .certain = true}, 1);
  EXPECT_NE(none.find("4 of which never change"), std::string::npos) << none;
}

}  // namespace
}  // namespace polystep
