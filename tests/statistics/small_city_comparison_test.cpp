// Gaps and paired tests over small cities, against figures worked out by hand.
#include "statistics/small_city_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"

namespace polystep {
namespace {

TEST(SmallCityComparison, AveragesSeedsBeforeItPairsCities) {
  const std::vector<double> optimal = {100, 200, 50};
  const std::vector<SmallCityCosts> found = {
      {"ours", "1", {101, 202, 50}},  // gaps 1, 1, 0
      {"ours", "2", {103, 206, 50}},  // gaps 3, 3, 0
      {"theirs", "-", {104, 202, 50}},
  };
  const std::vector<SmallCityRow> rows = compare_small_cities(found, optimal);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].method, "ours");
  EXPECT_EQ(rows[0].seeds, 2u);
  EXPECT_NEAR(rows[0].gap, 4.0 / 3, 1e-12);
  EXPECT_NEAR(rows[0].least_gap, 2.0 / 3, 1e-12);
  EXPECT_NEAR(rows[0].most_gap, 2.0, 1e-12);
  EXPECT_EQ(rows[0].difference, 0);
  EXPECT_EQ(rows[0].equal, 3u);
  EXPECT_NEAR(rows[1].gap, 5.0 / 3, 1e-12);
  // 104 against 102, 202 against 204, 50 against 50: differences 2, -1 and 0 per cent.
  EXPECT_NEAR(rows[1].difference, 1.0 / 3, 1e-12);
  EXPECT_NEAR(rows[1].standard_error, std::sqrt(7.0 / 9), 1e-12);  // deviation sqrt(7/3), by sqrt(3)
  EXPECT_EQ(rows[1].cheaper, 1u);
  EXPECT_EQ(rows[1].equal, 1u);
  EXPECT_NEAR(rows[1].mean_cost, 356.0 / 3, 1e-12);
  EXPECT_EQ(rows[1].wilcoxon, 1);
}

TEST(SmallCityComparison, SeesADifferenceThatAllCitiesShow) {
  std::vector<double> optimal, good, bad;
  for (int city = 0; city < 40; ++city) {
    optimal.push_back(100 + city);
    good.push_back(101 + city);
    bad.push_back(102 + city + 0.01 * city);
  }
  const std::vector<SmallCityCosts> found = {{"good", "1", good}, {"bad", "1", bad}};
  const std::vector<SmallCityRow> rows = compare_small_cities(found, optimal);
  EXPECT_LT(rows[1].wilcoxon, 1e-6);
  EXPECT_LT(rows[1].sign_flip, 1e-4);
  EXPECT_EQ(rows[1].cheaper, 0u);
}

TEST(SmallCityComparison, RefusesCostsOfOtherCities) {
  const std::vector<SmallCityCosts> found = {{"ours", "1", {1, 2}}};
  EXPECT_NE(input_error([&] {
              compare_small_cities(found, std::vector<double>{1, 2, 3});
            }).find("2 costs"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
