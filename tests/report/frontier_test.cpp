// The frontier: what runs come to, in the table and in the picture.
#include "report/frontier.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

RunRecord run_of(const char* method, const char* preset, double infeasible, double regret) {
  RunRecord run;
  run.problem = "set-cover";
  run.method = method;
  run.preset = preset;
  run.test_infeasible = infeasible;
  run.test_regret = regret;
  return run;
}

std::vector<RunRecord> some_runs() {
  std::vector<RunRecord> runs = {
      run_of("sfge", "paper", 0.8, 1.1), run_of("polystepor", "best max-infeasibility=0.3", 0.3, 1.5),
      run_of("polystepor", "best max-infeasibility=0.03", 0.02, 6.0),
      run_of("polystepor", "best max-infeasibility=0.3", 0.2, 2.5), run_of("polystepor", "best", 0.7, 0.9)};
  runs.push_back(run_of("polystepor", "best", 0, 100));
  runs.back().test_infeasible.reset();  // a problem without recourse has no place here
  return runs;
}

TEST(Frontier, IsMeansByLimitThenByMethod) {
  const std::vector<FrontierPoint> points = tabulate_frontier(some_runs());
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].limit, 0.03);
  EXPECT_EQ(points[1].limit, 0.3);
  EXPECT_EQ(points[1].runs, 2u);
  EXPECT_DOUBLE_EQ(points[1].infeasible, 0.25);
  EXPECT_DOUBLE_EQ(points[1].regret, 2);
  EXPECT_NEAR(points[1].deviation, 0.5, 1e-12);
  EXPECT_EQ(points[2].method, "sfge");
  EXPECT_FALSE(points[3].limit.has_value());
  EXPECT_DOUBLE_EQ(points[3].regret, 0.9);
}

TEST(Frontier, TheTableHasALinePerPoint) {
  EXPECT_EQ(frontier_csv(tabulate_frontier({run_of("sfge", "paper", 0.5, 1.25),
                                            run_of("polystepor", "best max-infeasibility=0.3", 0.25, 2)})),
            "method,max_infeasibility,test_infeasible,test_regret,test_regret_deviation,runs,failed\n"
            "polystepor,0.3,0.25,2,0,1,0\n"
            "sfge,,0.5,1.25,0,1,0\n");
}

TEST(Frontier, SharesOfFailedRowsAreTold) {
  RunRecord run = run_of("sfge", "paper", 0.5, 1.25);
  EXPECT_EQ(frontier_text(tabulate_frontier({run})).find("no decision"), std::string::npos);
  run.reference_failed = 0.125;
  EXPECT_NE(frontier_csv(tabulate_frontier({run})).find("sfge,,0.5,1.25,0,1,0.125\n"), std::string::npos);
  EXPECT_NE(frontier_text(tabulate_frontier({run})).find("sfge, limit none: 12.5 % of test rows"),
            std::string::npos);
}

TEST(Frontier, ThePictureHasALineForLimitsAndAMarkPerMethod) {
  const Plot plot = frontier_plot(tabulate_frontier(some_runs()), "title");
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_TRUE(plot.series[0].line);
  EXPECT_EQ(plot.series[0].x, (std::vector<double>{0.02, 0.25}));
  EXPECT_EQ(plot.series[0].labels, (std::vector<std::string>{"0.03", "0.3"}));
  EXPECT_EQ(plot.series[1].name, "sfge");
  EXPECT_FALSE(plot.series[1].line);
}

}  // namespace
}  // namespace polystep
