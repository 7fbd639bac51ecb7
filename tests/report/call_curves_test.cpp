// Runs that were cut to some calls become one line per method, through means over seeds.
#include "report/call_curves.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

TEST(CallCurves, MeansOverSeedsInTheOrderOfCalls) {
  const std::vector<CallCurve> curves = call_curves({{"b", "ours", 10, 9, 0.1},
                                                     {"b", "ours", 3, 3, 0.4},
                                                     {"b", "ours", 10, 11, 0.3},
                                                     {"a", "other", 3, 3, 0.5},
                                                     {"b", "ours", 0, 1000, 0.05},
                                                     {"b", "fit", 0, 1.5, 0.6},
                                                     {"b", "fit", 0, 1.5, 0.8}});
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].setting, "b");
  EXPECT_EQ(curves[1].setting, "a");
  const std::vector<PlotSeries>& series = curves[0].plot.series;
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].name, "ours");
  EXPECT_EQ(series[0].x, (std::vector<double>{3, 10}));
  EXPECT_EQ(series[0].y, (std::vector<double>{0.4, 0.2}));
  EXPECT_TRUE(series[0].line);
  EXPECT_EQ(series[1].x, (std::vector<double>{1.5}));
  EXPECT_DOUBLE_EQ(series[1].y[0], 0.7);
  EXPECT_FALSE(series[1].line);
  EXPECT_EQ(curves[0].plot.note, "means of up to 2 runs");
}

TEST(CallCurves, FilesAreNamedByLettersAndDigits) {
  EXPECT_EQ(file_stem("shortest path, degree 8"), "shortest-path-degree-8");
  EXPECT_EQ(file_stem("../x/"), "x");
  EXPECT_EQ(file_stem("??"), "setting");
}

TEST(CallCurves, TablesAreReadByTheNamesOfColumns) {
  const TemporaryDirectory directory;
  const auto file = directory / "runs.csv";
  write_file(file, "seed,regret,method,\"setting\",made,calls\n7,0.25,ours,\"a, b\",2.5,3\n");
  const std::vector<CutRun> runs = read_cut_runs(file);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].setting, "a, b");
  EXPECT_EQ(runs[0].method, "ours");
  EXPECT_EQ(runs[0].calls, 3);
  EXPECT_EQ(runs[0].made, 2.5);
  EXPECT_EQ(runs[0].regret, 0.25);
}

}  // namespace
}  // namespace polystep
