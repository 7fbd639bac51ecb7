#include "optimizer/cost_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polystep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr VertexRows kTwoByThree{2, 3, 3};
const std::vector<double> kCosts = {1, 2, 6, -4, -4, 0};  // row shifts: 0 1 5 and 0 0 4

CostRows scaled(const std::vector<double>& costs, CostScale scale, double fixed = 1) {
  CostRows rows(kTwoByThree);
  rows.assign(costs, 1, scale, fixed);
  return rows;
}

void expect_scaled(CostScale scale, std::vector<double> divisors, double fixed = 1) {
  const CostRows rows = scaled(kCosts, scale, fixed);
  const std::vector<double> shifted = {0, 1, 5, 0, 0, 4};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(rows.scaled()[i], shifted[i] / divisors[i / 3]);
}

TEST(CostRows, EachScaleDividesByItsOwnNumber) {
  expect_scaled(CostScale::kRowShiftMatrixMean, {10.0 / 6, 10.0 / 6});
  expect_scaled(CostScale::kRowShiftRowMean, {2, 4.0 / 3});
  expect_scaled(CostScale::kMatrixShiftMatrixMean, {25.0 / 6, 25.0 / 6});
  expect_scaled(CostScale::kRawMean, {17.0 / 6, 17.0 / 6});
  expect_scaled(CostScale::kMax, {6, 6});
  expect_scaled(CostScale::kFixed, {4, 4}, 4);
  expect_scaled(CostScale::kNone, {1, 1});
}

TEST(CostRows, AveragesOverRadii) {
  CostRows rows({1, 2, 2});
  rows.assign(std::vector<double>{1, 2, 6, 10, 20, 60}, 3, CostScale::kNone, 1);
  EXPECT_EQ(rows.raw()[0], 3);
  EXPECT_EQ(rows.raw()[1], 30);
  EXPECT_EQ(rows.mean(), 16.5);
  EXPECT_EQ(rows.lowest(), 3);
}

TEST(CostRows, NonFiniteCostsBecomeVeryBad) {
  const CostRows small = scaled({1, std::nan(""), 3, kInfinity, -kInfinity, 2}, CostScale::kNone);
  EXPECT_EQ(small.replaced(), 3u);
  EXPECT_EQ(small.raw()[1], 1e6);
  EXPECT_EQ(small.raw()[3], 1e6);
  EXPECT_EQ(small.raw()[4], 1e6);
  const CostRows large = scaled({1, std::nan(""), -3e7, 0, 0, 2}, CostScale::kNone);
  EXPECT_EQ(large.raw()[1], 6e7 + 1);
  const CostRows huge = scaled({1, std::nan(""), 1.5e308, 0, 0, 2}, CostScale::kNone);
  EXPECT_TRUE(std::isfinite(huge.raw()[1]));
}

TEST(CostRows, AllNonFiniteIsAPlateau) {
  EXPECT_EQ(scaled(std::vector<double>(6, kInfinity), CostScale::kRowShiftMatrixMean).flat_rows(), 2u);
}

TEST(CostRows, PlateauStaysFlatUnderEveryScale) {
  for (const auto& [name, scale] : kCostScales) {
    const CostRows rows = scaled({7.7, 7.7, 7.7, -3, -3, -3}, scale);
    EXPECT_EQ(rows.flat_rows(), 2u) << name;
    for (const double cost : rows.scaled()) EXPECT_EQ(cost, 0) << name;
  }
}

TEST(CostRows, RoundingNoiseOnAPlateauIsNotAmplified) {
  const double noisy = std::nextafter(1e6, 2e6);
  for (const CostScale scale :
       {CostScale::kRowShiftMatrixMean, CostScale::kRowShiftRowMean, CostScale::kMatrixShiftMatrixMean}) {
    const CostRows rows = scaled({1e6, noisy, 1e6, 1e6, 1e6, 1e6}, scale);
    for (const double cost : rows.scaled()) EXPECT_LT(cost, 2e-4);
  }
}

TEST(CostRows, LargeCommonOffsetKeepsSmallDifferences) {
  const CostRows rows = scaled({1e9, 1e9 + 1, 1e9 + 5, 1e9, 1e9, 1e9 + 4}, CostScale::kRowShiftMatrixMean);
  EXPECT_DOUBLE_EQ(rows.scaled()[2], 5 / (10.0 / 6));
}

TEST(CostRows, LastRowMayBeShorter) {
  CostRows rows({2, 3, 1});
  rows.assign(std::vector<double>{1, 2, 6, 9}, 1, CostScale::kRowShiftRowMean, 1);
  EXPECT_FALSE(rows.flat(0));
  EXPECT_TRUE(rows.flat(1));
  EXPECT_EQ(rows.scaled()[3], 0);
}

}  // namespace
}  // namespace polystep
