#include "statistics/published_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polystep {
namespace {

double mean_of(const std::string& problem, const std::string& setting, const std::string& method) {
  const auto value = published_result(problem, setting, method);
  EXPECT_TRUE(value) << problem << " " << setting << " " << method;
  return value ? value->mean : NAN;
}

TEST(PublishedResults, SpotValues) {
  EXPECT_EQ(mean_of("shortest-path", "degree=8", "fenchel-young"), .106);
  EXPECT_EQ(mean_of("knapsack", "capacity=120", "pairwise"), .217);
  EXPECT_EQ(mean_of("energy-scheduling", "load=3", "polystepor"), .010);
  EXPECT_EQ(mean_of("matching", "type=1", "map"), .928);
  EXPECT_EQ(published_result("matching", "type=3", "polystepor")->deviation, .024);
}

TEST(PublishedResults, PortfolioIsKeptUnscaled) {
  EXPECT_DOUBLE_EQ(mean_of("portfolio", "degree=16", "mse"), 3.576e-3);
  EXPECT_EQ(find_published_problem("portfolio")->scale, 1000);
}

// Every method is there in every setting, and the pooled mean is that of the settings: a slip in a digit
// would show. Printed values are rounded to three decimals.
TEST(PublishedResults, PooledMeansAgreeWithTheSettings) {
  for (const PublishedProblem& problem : published_problems()) {
    for (const std::string& method : published_methods()) {
      double sum = 0;
      for (const std::string& setting : problem.settings)
        sum += mean_of(problem.name, problem.option + "=" + setting, method);
      const double rounding = 0.0006 / problem.scale;
      EXPECT_NEAR(mean_of(problem.name, kPooled, method), sum / static_cast<double>(problem.settings.size()),
                  rounding)
          << problem.name << " " << method;
    }
  }
}

TEST(PublishedResults, TestsOfEverySetting) {
  for (const PublishedProblem& problem : published_problems()) {
    for (const std::string& setting : problem.settings) {
      const auto p = published_p_value(problem.name, problem.option + "=" + setting);
      ASSERT_TRUE(p) << problem.name << " " << setting;
      EXPECT_GE(*p, 0.002);
    }
    EXPECT_TRUE(published_p_value(problem.name, kPooled));
  }
  EXPECT_EQ(*published_p_value("energy-scheduling", kPooled), 1);
}

TEST(PublishedResults, NothingIsMadeUp) {
  EXPECT_FALSE(published_result("shortest-path", "degree=3", "mse"));
  EXPECT_FALSE(published_result("shortest-path", "degree=8 grid=5 noise=0.5 data-seed=0", "mse"));
  EXPECT_FALSE(published_result("shortest-path", "degree=8", "qptl"));
  EXPECT_FALSE(published_result("travelling-salesman", "degree=8", "mse"));
  EXPECT_FALSE(published_p_value("knapsack", "capacity=61"));
}

TEST(PublishedResults, ConstraintProblemsAreComplete) {
  for (const PublishedProblem& problem : constraint_problems())
    for (const std::string& value : problem.settings) {
      const std::string setting = problem.setting(value);
      EXPECT_TRUE(published_p_value(problem.name, setting)) << setting;
      for (const std::string& method : constraint_methods()) {
        const bool run = method != "comboptnet" || problem.name != "knapsack-capacity";
        EXPECT_EQ(published_result(problem.name, setting, method).has_value(), run)
            << setting << " " << method;
        EXPECT_EQ(published_feasibility(problem.name, setting, method).has_value(), run);
      }
    }
  EXPECT_FALSE(published_result("knapsack-weight", kPooled, "sfge"));
  EXPECT_EQ(published_test_baselines("set-cover"), std::vector<std::string>{"sfge"});
}

// Published set-cover figures of CombOptNet are linear in the price of shortages, once listed where it is
// paid.
TEST(PublishedResults, CombOptNetIsListedAtThePriceItPays) {
  for (const std::string size : {"10x50", "5x25"}) {
    const auto at = [&](int rho) {
      return mean_of("set-cover", "size=" + size + " rho=" + std::to_string(rho), "comboptnet");
    };
    const double slope = (at(100) - at(1)) / 99;
    for (const int rho : {5, 10, 25}) EXPECT_NEAR(at(rho), at(1) + slope * (rho - 1), 0.06) << size << rho;
  }
}

}  // namespace
}  // namespace polystep
