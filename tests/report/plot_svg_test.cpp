// Plots: axes hold their values, ticks are round, and a picture shows what it was given and nothing else.
#include "report/plot_svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace polystep {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Plot two_curves() {
  Plot plot;
  plot.title = "cost < price & \"more\"";
  plot.x.label = "share";
  plot.series.push_back({.name = "first", .x = {0.1, 0.2, 0.4}, .y = {3, 2, 1}});
  plot.series.push_back({.name = "second", .x = {0.3}, .y = {2.5}, .labels = {"here"}, .line = false});
  return plot;
}

TEST(PlotAxis, HoldsItsValuesBetweenRoundTicks) {
  const PlotAxis axis({0.031, 0.29, 0.11}, AxisScale::kLinear);
  EXPECT_GE(axis.position(0.031), 0);
  EXPECT_LE(axis.position(0.29), 1);
  EXPECT_LT(axis.position(0.031), axis.position(0.11));
  ASSERT_EQ(axis.ticks().size(), 6u);
  EXPECT_EQ(axis.ticks().front().text, "0.05");
  EXPECT_EQ(axis.ticks().back().text, "0.3");
}

TEST(PlotAxis, StartsAtZeroRatherThanBelowIt) {
  EXPECT_EQ(PlotAxis({0, 10}, AxisScale::kLinear).position(0), 0);
  EXPECT_GT(PlotAxis({-1, 10}, AxisScale::kLinear).position(-1), 0);
}

TEST(PlotAxis, SpreadsPowersOfTenEvenly) {
  const PlotAxis axis({1, 1000}, AxisScale::kLogarithmic);
  EXPECT_NEAR(axis.position(10) - axis.position(1), axis.position(1000) - axis.position(100), 1e-12);
  EXPECT_FALSE(axis.shows(0));
  ASSERT_EQ(axis.ticks().size(), 4u);
  EXPECT_EQ(axis.ticks()[2].value, 100);
}

TEST(PlotAxis, HasTicksWhateverTheRange) {
  for (const double low : {1e-7, 0.5, 3.0, 1e5})
    for (const double factor : {1.0, 1.01, 1.7, 30.0, 1e5, 1e12})
      for (const AxisScale scale : {AxisScale::kLinear, AxisScale::kLogarithmic}) {
        const PlotAxis axis({low, low * factor}, scale);
        EXPECT_GE(axis.ticks().size(), 2u) << low << " " << factor;
        EXPECT_LE(axis.ticks().size(), 16u) << low << " " << factor;
        for (const PlotTick& tick : axis.ticks()) {
          EXPECT_GE(axis.position(tick.value), -1e-9);
          EXPECT_LE(axis.position(tick.value), 1 + 1e-9);
        }
      }
  EXPECT_FALSE(PlotAxis({}, AxisScale::kLinear).ticks().empty());
}

TEST(PlotSvg, DrawsEverySeriesAndNamesItOnce) {
  const std::string svg = plot_svg(two_curves());
  EXPECT_EQ(count(svg, ">first</text>"), 1u);
  EXPECT_EQ(count(svg, ">here</text>"), 1u);
  EXPECT_EQ(count(svg, "class=\"s0 line\""), 2u);  // the curve, and its sample in the legend
  EXPECT_EQ(count(svg, "class=\"s0\""), 4u);       // three markers and one in the legend
  EXPECT_EQ(count(svg, "class=\"s1 line\""), 0u);
  EXPECT_NE(svg.find("cost &lt; price &amp; &quot;more&quot;"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(svg, plot_svg(two_curves()));
}

TEST(PlotSvg, BreaksALineWhereAPointCannotBeShown) {
  Plot plot;
  plot.y.scale = AxisScale::kLogarithmic;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  plot.series.push_back({.name = "", .x = {1, 2, 3, 4, 5}, .y = {1, 10, 0, 100, nan}, .markers = false});
  const std::string svg = plot_svg(plot);
  const std::size_t path = svg.find("class=\"s0 line\"");
  ASSERT_NE(path, std::string::npos);
  const std::string d = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(count(d, "M"), 2u);
  EXPECT_EQ(count(d, "L"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(PlotSvg, RefusesSeriesOfUnequalLength) {
  Plot plot;
  plot.series.push_back({.name = "one", .x = {1, 2}, .y = {1}});
  EXPECT_THROW(plot_svg(plot), std::invalid_argument);
}

}  // namespace
}  // namespace polystep
