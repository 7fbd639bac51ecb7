// Methods compared over the problems of the districting benchmark.
#include "statistics/districting_comparison.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

DistrictingRecord record(const std::string& method, const std::string& seed, std::size_t target,
                         double cost) {
  DistrictingRecord r;
  r.group = "cities", r.city = "London", r.units = 120, r.target = target, r.method = method, r.seed = seed,
  r.cost = cost;
  return r;
}

TEST(DistrictingComparison, TakesMeansOverSeedsAndProblems) {
  const auto tables =
      compare_districtings({record("net", "1", 3, 90), record("net", "2", 3, 110), record("net", "1", 6, 50),
                            record("net", "2", 6, 50), record("bd", "-", 3, 110), record("bd", "-", 6, 45),
                            record("net", "1", 12, 7), record("other", "-", 3, 1)},
                           {"net", "bd"});
  ASSERT_EQ(tables.size(), 1u);
  const DistrictingTable& table = tables[0];
  EXPECT_EQ(table.problems.size(), 2u);
  EXPECT_EQ(table.incomplete, 1u);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].seeds, 2u);
  EXPECT_DOUBLE_EQ(table.rows[0].mean_cost, 75);
  EXPECT_DOUBLE_EQ(table.rows[0].relative_percent, 0);
  EXPECT_EQ(table.rows[0].ties, 2u);
  EXPECT_DOUBLE_EQ(table.rows[1].mean_cost, 77.5);
  EXPECT_NEAR(table.rows[1].relative_percent, 0, 1e-12);
  EXPECT_EQ(table.rows[1].wins, 1u);
  EXPECT_DOUBLE_EQ(table.rows[1].wilcoxon, 1);
  EXPECT_EQ(table.published_problems, 2u);
  EXPECT_DOUBLE_EQ(table.published_mean[0], (745.08 + 494.70) / 2);
  EXPECT_DOUBLE_EQ(table.published_relative[4], 0);
}

// Over the five cities at hand: what the released figures come to.
TEST(DistrictingComparison, PublishedMeansOverFiveCities) {
  double sum[5] = {};
  std::size_t problems = 0;
  for (const PublishedDistricting& row : published_districtings()) {
    if (row.city == "Bristol" || row.city == "Lyon" || row.units != 120) continue;
    for (std::size_t m = 0; m < 5; ++m) sum[m] += row.cost[m] / 25;
    ++problems;
  }
  EXPECT_EQ(problems, 25u);
  const double expected[] = {452.16, 452.56, 460.03, 434.88, 418.78};
  for (std::size_t m = 0; m < 5; ++m) EXPECT_NEAR(sum[m], expected[m], 0.006);
}

}  // namespace
}  // namespace polystep
