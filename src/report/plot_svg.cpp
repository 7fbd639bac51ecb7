#include "report/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "report/html_text.hpp"

namespace polystep {
namespace {

// Pixels of the picture, and of the frame that holds the curves.
constexpr double kHeight = 460;
constexpr double kLeft = 78, kRight = 552, kTop = 64, kBottom = 404;
constexpr double kSideRoom = 24;
constexpr double kLegendMarks = 46;   // beside the frame, before the names
constexpr double kLetterWidth = 7.2;  // generous: fonts differ
constexpr double kMarkerSize = 4.5;

// Colours that people with the usual forms of colour blindness can tell apart, for light and for dark ground.
constexpr std::array kLight = {"#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#0f766e", "#be185d"};
constexpr std::array kDark = {"#7cc0ff", "#ff9f6b", "#7ee2a0", "#d3a6ff", "#f0ce6a", "#6fe0d3", "#ff9ac9"};

using Text = std::back_insert_iterator<std::string>;

std::string style_sheet() {
  std::string css =
      "<style>\n"
      ".ground{fill:#fff}.ink{fill:#1f2328}.faint{fill:#59636e}.frame{stroke:#59636e;fill:none}"
      ".grid{stroke:#d1d9e0;stroke-width:1}\n";
  for (std::size_t k = 0; k < kLight.size(); ++k)
    css += fmt::format(".s{0}{{stroke:{1};fill:{1}}}", k, kLight[k]);
  css +=
      "\n"
      "@media (prefers-color-scheme:dark){\n"
      ".ground{fill:#0d1117}.ink{fill:#e6edf3}.faint{fill:#9198a1}.frame{stroke:#9198a1}"
      ".grid{stroke:#30363d}\n";
  for (std::size_t k = 0; k < kDark.size(); ++k)
    css += fmt::format(".s{0}{{stroke:{1};fill:{1}}}", k, kDark[k]);
  // Last, since lines are not filled on either ground.
  return css +
         "\n}\n.line{fill:none;stroke-width:2;stroke-linejoin:round}.dashed{stroke-dasharray:6 "
         "4}\n</style>\n";
}

std::vector<double> all_of(const std::vector<PlotSeries>& series, std::vector<double> PlotSeries::*side) {
  std::vector<double> values;
  for (const PlotSeries& one : series) values.insert(values.end(), (one.*side).begin(), (one.*side).end());
  return values;
}

class Picture {
 public:
  explicit Picture(const Plot& plot)
      : plot_(plot),
        x_(all_of(plot.series, &PlotSeries::x), plot.x.scale),
        y_(all_of(plot.series, &PlotSeries::y), plot.y.scale) {
    std::size_t longest = 0;
    for (const PlotSeries& series : plot.series) longest = std::max(longest, series.name.size());
    width_ = kRight + kSideRoom;
    if (longest > 0) width_ += kLegendMarks + kLetterWidth * static_cast<double>(longest);
  }

  std::string draw() {
    fmt::format_to(text_,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                   "height=\"{1}\" role=\"img\" aria-label=\"{2}\" "
                   "font-family=\"system-ui,sans-serif\" font-size=\"13\">\n",
                   width_, kHeight, html(plot_.title));
    out_ += style_sheet();
    fmt::format_to(text_, "<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", width_, kHeight);
    words(kLeft, 28, plot_.title, "ink", "start", "font-size=\"17\" font-weight=\"600\"");
    words(kLeft, 48, plot_.note, "faint");
    draw_axes();
    for (std::size_t k = 0; k < plot_.series.size(); ++k) draw_series(k);
    draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  double across(double value) const { return kLeft + x_.position(value) * (kRight - kLeft); }
  double down(double value) const { return kBottom - y_.position(value) * (kBottom - kTop); }
  bool shown(const PlotSeries& series, std::size_t i) const {
    return x_.shows(series.x[i]) && y_.shows(series.y[i]);
  }

  void words(double x, double y, const std::string& what, const char* kind, const char* anchor = "start",
             const std::string& more = {}) {
    if (what.empty()) return;
    fmt::format_to(text_, "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n",
                   kind, x, y, anchor, more, html(what));
  }

  void rule(double x1, double y1, double x2, double y2) {
    fmt::format_to(text_, "<path class=\"grid\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x1, y1, x2, y2);
  }

  void draw_axes() {
    for (const PlotTick& tick : x_.ticks()) {
      rule(across(tick.value), kTop, across(tick.value), kBottom);
      words(across(tick.value), kBottom + 18, tick.text, "faint", "middle");
    }
    for (const PlotTick& tick : y_.ticks()) {
      rule(kLeft, down(tick.value), kRight, down(tick.value));
      words(kLeft - 8, down(tick.value) + 4, tick.text, "faint", "end");
    }
    fmt::format_to(text_, "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft,
                   kTop, kRight - kLeft, kBottom - kTop);
    words((kLeft + kRight) / 2, kBottom + 42, plot_.x.label, "ink", "middle");
    const double middle = (kTop + kBottom) / 2;
    words(20, middle, plot_.y.label, "ink", "middle", fmt::format("transform=\"rotate(-90 20 {})\"", middle));
  }

  void draw_series(std::size_t k) {
    const PlotSeries& series = plot_.series[k];
    if (series.line) draw_line(series, k);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!shown(series, i)) continue;
      if (series.markers) marker(across(series.x[i]), down(series.y[i]), k);
      if (!series.labels.empty())
        words(across(series.x[i]) + 8, down(series.y[i]) - 7, series.labels[i], "faint", "start",
              "font-size=\"11\"");
    }
  }

  void draw_line(const PlotSeries& series, std::size_t k) {
    std::string path;
    bool down_on_paper = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const bool here = shown(series, i);
      if (here)
        path +=
            fmt::format("{}{:.1f} {:.1f}", down_on_paper ? 'L' : 'M', across(series.x[i]), down(series.y[i]));
      down_on_paper = here;
    }
    if (!path.empty()) stroke(path, series.dashed, k);
  }

  void stroke(const std::string& path, bool dashed, std::size_t k) {
    fmt::format_to(text_, "<path class=\"s{} line{}\" d=\"{}\"/>\n", k % kLight.size(),
                   dashed ? " dashed" : "", path);
  }

  void marker(double x, double y, std::size_t k) {
    const double r = kMarkerSize;
    const std::string shapes[] = {
        fmt::format("M{:.1f} {:.1f}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0", x - r, y, fmt::arg("r", r),
                    fmt::arg("d", 2 * r)),
        fmt::format("M{:.1f} {:.1f}h{d}v{d}h-{d}z", x - r, y - r, fmt::arg("d", 2 * r)),
        fmt::format("M{:.1f} {:.1f}l{r} {d}h-{d}z", x, y - r, fmt::arg("r", r), fmt::arg("d", 2 * r)),
        fmt::format("M{:.1f} {:.1f}l{r} {r}l-{r} {r}l-{r} -{r}z", x, y - 1.2 * r, fmt::arg("r", 1.2 * r)),
    };
    fmt::format_to(text_, "<path class=\"s{}\" d=\"{}\"/>\n", k % kLight.size(),
                   shapes[k % std::size(shapes)]);
  }

  void draw_legend() {
    const double x = kRight + 14;
    double y = kTop + 12;
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
      const PlotSeries& series = plot_.series[k];
      if (series.name.empty()) continue;
      if (series.line) stroke(fmt::format("M{:.1f} {:.1f}h24", x, y), series.dashed, k);
      if (series.markers) marker(x + 12, y, k);
      words(x + 32, y + 4, series.name, "ink");
      y += 22;
    }
  }

  const Plot& plot_;
  PlotAxis x_, y_;
  double width_ = 0;
  std::string out_;
  Text text_{out_};
};

}  // namespace

std::string plot_svg(const Plot& plot) {
  for (const PlotSeries& series : plot.series)
    if (series.x.size() != series.y.size() ||
        (!series.labels.empty() && series.labels.size() != series.x.size()))
      throw std::invalid_argument("plot: a series has unequal numbers of x, y and labels");
  return Picture(plot).draw();
}

}  // namespace polystep
