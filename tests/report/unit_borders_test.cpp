// Borders of units: every pair that touches has one, of the right length, whether or not rings share corners.
#include "report/unit_borders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "brick_districting.hpp"

namespace polystep {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::map<Pair, double> lengths(const std::vector<UnitBorder>& borders) {
  std::map<Pair, double> sums;
  for (const UnitBorder& border : borders) {
    EXPECT_GE(border.line.size(), 2u);
    EXPECT_LT(border.unit, border.across);
    for (std::size_t i = 1; i < border.line.size(); ++i)
      sums[{border.unit, border.across}] +=
          std::hypot(border.line[i].x - border.line[i - 1].x, border.line[i].y - border.line[i - 1].y);
  }
  return sums;
}

// Bricks side by side share a side of length 1, bricks in neighbouring rows half a side.
void expect_brick_borders(const City& city, std::uint32_t columns, double tolerance) {
  std::map<Pair, double> sums = lengths(unit_borders(city));
  double outside = 0, inside = 0;
  for (const auto& [pair, length] : sums) (pair.second == kOutside ? outside : inside) += length;
  for (const Pair& pair : city.adjacent) {
    const double expected = pair.second == pair.first + 1 && pair.second % columns != 0 ? 1 : 0.5;
    EXPECT_NEAR(sums[pair], expected, tolerance) << pair.first << " and " << pair.second;
  }
  const double perimeters = 4.0 * static_cast<double>(city.units.size());
  EXPECT_NEAR(2 * inside + outside, perimeters, tolerance * perimeters);
}

TEST(UnitBorders, OfRingsThatShareCorners) {
  expect_brick_borders(brick_city(4, 3), 4, 1e-9);
  expect_brick_borders(brick_city(1, 1), 1, 1e-9);
  expect_brick_borders(brick_city(7, 9), 7, 1e-9);
}

TEST(UnitBorders, DoNotDependOnTheTurnOrStartOfRings) {
  std::mt19937 draw(1);
  for (int round = 0; round < 20; ++round) {
    City city = brick_city(5, 4);
    for (CityUnit& unit : city.units) {
      if (draw() % 2) std::reverse(unit.ring.begin(), unit.ring.end());
      std::rotate(unit.ring.begin(), unit.ring.begin() + draw() % unit.ring.size(), unit.ring.end());
    }
    expect_brick_borders(city, 5, 1e-9);
  }
}

// Long sides with two units across them are cut in pieces, found to a tenth of a brick.
TEST(UnitBorders, OfRingsThatDoNotShareCorners) { expect_brick_borders(brick_city(6, 5, false), 6, 0.051); }

// Rings simplified one by one leave gaps and overlaps of a small share of a unit.
TEST(UnitBorders, AcrossSmallGapsAndOverlaps) {
  std::mt19937 draw(2);
  std::uniform_real_distribution<double> shift(-0.006, 0.006);
  for (int round = 0; round < 20; ++round) {
    City city = brick_city(6, 5, round % 2 == 0);
    for (CityUnit& unit : city.units)
      for (Point& corner : unit.ring) corner = {corner.x + shift(draw), corner.y + shift(draw)};
    expect_brick_borders(city, 6, 0.13);
  }
}

// A short stretch across which nothing is near is a gap between rings, not an edge of the city in its middle.
TEST(UnitBorders, HaveNoEdgeInTheMiddleOfTheCity) {
  City city = brick_city(3, 3, false);
  city.units[4].ring = {{1.5, 1}, {2.5, 1}, {2.5, 1.44}, {2.5, 1.56}, {2.5, 2}, {1.5, 2}};
  city.units[5].ring = {{2.5, 1},    {3.5, 1},    {3.5, 2},    {2.5, 2},
                        {2.5, 1.56}, {2.6, 1.56}, {2.6, 1.44}, {2.5, 1.44}};
  const std::map<Pair, double> sums = lengths(unit_borders(city));
  EXPECT_FALSE(sums.contains({4, kOutside}));
  EXPECT_NEAR(sums.at({4, 5}), 1, 1e-9);
}

TEST(UnitBorders, OfUnitsInSeveralParts) {
  City city = brick_city(2, 1);
  city.units[0].other_parts = {{{5, 5}, {6, 5}, {6, 6}, {5, 6}}};  // an island
  const std::map<Pair, double> sums = lengths(unit_borders(city));
  EXPECT_NEAR(sums.at({0, 1}), 1, 1e-9);
  EXPECT_NEAR(sums.at({0, kOutside}), 3 + 4, 1e-9);
}

TEST(UnitBorders, OfRingsWithoutArea) {
  City city = brick_city(2, 1);
  city.units[1].ring = {{3, 3}, {3, 3}, {3, 3}};
  EXPECT_FALSE(unit_borders(city).empty());
}

}  // namespace
}  // namespace polystep
