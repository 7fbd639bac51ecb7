// Draws x-y series as one self-contained SVG picture: lines, markers, linear or logarithmic axes, a legend.
//
// Colours follow the reader's light or dark setting through a style sheet inside the picture. Series differ
// in marker and dashing as well as in colour, so that a print in grey stays readable. The same plot gives the
// same bytes.
//
//   Plot plot;
//   plot.title = "Regret against solver calls";
//   plot.x = {.label = "solver calls", .scale = AxisScale::kLogarithmic};
//   plot.y = {.label = "relative regret"};
//   plot.series.push_back({.name = "polystepor", .x = calls, .y = regrets});
//   write_file(path, plot_svg(plot));
#pragma once

#include <string>
#include <vector>

#include "report/plot_axis.hpp"

namespace polystep {

struct PlotSeries {
  std::string name;  // in the legend; empty: not in it
  std::vector<double> x;
  std::vector<double> y;                 // as many
  std::vector<std::string> labels = {};  // beside the points; as many, or none
  bool line = true;                      // false: points only
  bool dashed = false;
  bool markers = true;
};

struct PlotSide {
  std::string label = {};
  AxisScale scale = AxisScale::kLinear;
};

struct Plot {
  std::string title = {};
  std::string note = {};  // a line of small print under the title
  PlotSide x = {};
  PlotSide y = {};
  std::vector<PlotSeries> series = {};
};

// Points that an axis cannot show are left out; a line is broken there. Throws std::invalid_argument where a
// series has more of x than of y, or labels for some points only.
std::string plot_svg(const Plot& plot);

}  // namespace polystep
