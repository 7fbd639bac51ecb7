#include "report/districting_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/district_colours.hpp"
#include "report/html_text.hpp"

namespace polystep {
namespace {

// Pixels: a panel is as wide as this, and as high as the city asks.
constexpr double kPanel = 460;
constexpr double kTallest = 620;
constexpr double kMargin = 16;
constexpr double kCaption = 46;  // above a panel
constexpr double kFoot = 30;     // below it, for the scale
constexpr double kLabelRoom = 24;

using Text = std::back_insert_iterator<std::string>;

class Picture {
 public:
  Picture(const DistrictingMap& map, bool tours) : map_(map), tours_(tours) {
    const double wide = std::max(map.frame.x_max - map.frame.x_min, 1e-9);
    const double high = std::max(map.frame.y_max - map.frame.y_min, 1e-9);
    scale_ = std::min(kPanel / wide, kTallest / high);
    width_ = wide * scale_;
    height_ = high * scale_;
    for (std::size_t p = 0; p < map.file.plans.size(); ++p)
      caption_ = std::max(caption_, 7.6 * static_cast<double>(map.file.plans[p].method.size()));
    step_x_ = std::max(width_, std::min(caption_, kPanel)) + 2 * kMargin;
    step_y_ = kCaption + height_ + kFoot + kMargin;
  }

  std::string draw() {
    const std::size_t columns = std::min<std::size_t>(2, map_.plans.size());
    const std::size_t rows = (map_.plans.size() + columns - 1) / columns;
    const double all_x = step_x_ * static_cast<double>(columns), all_y = step_y_ * static_cast<double>(rows);
    fmt::format_to(
        text_,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.1f} {1:.1f}\" width=\"{0:.1f}\" "
        "height=\"{1:.1f}\" role=\"img\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"11\">\n"
        "<title>{2}: districts</title>\n<rect width=\"{0:.1f}\" height=\"{1:.1f}\" fill=\"#fff\"/>\n",
        all_x, all_y, html(map_.file.city.name));
    for (std::size_t p = 0; p < map_.plans.size(); ++p) {
      left_ = step_x_ * static_cast<double>(p % columns) + (step_x_ - width_) / 2;
      top_ = step_y_ * static_cast<double>(p / columns) + kCaption;
      draw_plan(p);
    }
    return out_ + "</svg>\n";
  }

 private:
  double x(const Point& p) const { return left_ + (p.x - map_.frame.x_min) * scale_; }
  double y(const Point& p) const { return top_ + (map_.frame.y_max - p.y) * scale_; }

  // To a tenth of a pixel; points that fall on the one before are left out.
  void add_line(std::string& path, const std::vector<Point>& line) const {
    char pen = 'M';
    double last_x = 0, last_y = 0;
    for (const Point& p : line) {
      const double here_x = std::round(10 * x(p)) / 10, here_y = std::round(10 * y(p)) / 10;
      if (pen == 'L' && here_x == last_x && here_y == last_y) continue;
      fmt::format_to(Text(path), "{}{:.1f} {:.1f}", pen, here_x, here_y);
      pen = 'L';
      last_x = here_x;
      last_y = here_y;
    }
  }

  void draw_plan(std::size_t p) {
    const DistrictingPlan& plan = map_.file.plans[p];
    const DrawnPlan& drawn = map_.plans[p];
    fmt::format_to(text_, "<g>\n");
    draw_caption(p);
    draw_districts(plan, drawn);
    draw_borders(drawn);
    if (tours_) draw_tours(plan);
    draw_labels(drawn);
    draw_depot();
    draw_scale();
    fmt::format_to(text_, "</g>\n");
  }

  void draw_caption(std::size_t p) {
    const DistrictingPlan& plan = map_.file.plans[p];
    std::string cost;
    if (const auto total = cost_of(plan)) {
      cost = kilometres(*total);
      if (const auto base = cost_of(map_.file.plans[0]); p > 0 && base && *base > 0)
        cost += fmt::format(" ({})", difference_percent(*total, *base));
      cost += ", ";
    }
    fmt::format_to(text_,
                   "<text x=\"{0:.1f}\" y=\"{1:.1f}\" font-size=\"14\" font-weight=\"700\">{3}</text>\n"
                   "<text x=\"{0:.1f}\" y=\"{2:.1f}\" fill=\"#555\">{4}{5} districts</text>\n",
                   left_, top_ - 26, top_ - 10, html(plan.method), cost, plan.districts.size());
  }

  void draw_districts(const DistrictingPlan& plan, const DrawnPlan& drawn) {
    const std::vector<std::string> fills = light_fills(map_.colours);
    for (std::size_t d = 0; d < plan.districts.size(); ++d) {
      std::string path;
      for (const std::uint32_t unit : plan.districts[d].units) {
        add_line(path, map_.file.city.units[unit].ring);
        path += 'Z';
        for (const std::vector<Point>& part : map_.file.city.units[unit].other_parts) {
          add_line(path, part);
          path += 'Z';
        }
      }
      // A stroke of the same colour closes the hairlines between units.
      fmt::format_to(text_, "<path fill=\"{0}\" stroke=\"{0}\" stroke-width=\"0.6\" d=\"{1}\"/>\n",
                     fills[drawn.districts[d].colour], path);
    }
  }

  void draw_borders(const DrawnPlan& drawn) {
    std::string thin, thick;
    for (const UnitBorder& border : map_.borders)
      add_line(divides_districts(border, drawn) ? thick : thin, border.line);
    const auto stroke = [&](const std::string& path, const char* look) {
      if (!path.empty())
        fmt::format_to(
            text_, "<path fill=\"none\" {} stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"{}\"/>\n",
            look, path);
    };
    stroke(thin, "stroke=\"#1f2328\" stroke-opacity=\"0.28\" stroke-width=\"0.35\"");
    stroke(thick, "stroke=\"#1f2328\" stroke-width=\"1.2\"");
  }

  void draw_tours(const DistrictingPlan& plan) {
    std::string rounds, legs;
    for (const PlannedDistrict& district : plan.districts) {
      if (district.tour.empty()) continue;
      add_line(rounds, district.tour);
      add_line(legs, {map_.file.depot, district.tour.front()});
      add_line(legs, {district.tour.back(), map_.file.depot});
    }
    if (rounds.empty()) return;
    fmt::format_to(
        text_,
        "<path fill=\"none\" stroke=\"#7a1f3d\" stroke-opacity=\"0.35\" stroke-width=\"0.5\" "
        "stroke-dasharray=\"2 2\" d=\"{}\"/>\n"
        "<path fill=\"none\" stroke=\"#7a1f3d\" stroke-width=\"0.7\" stroke-linejoin=\"round\" d=\"{}\"/>\n",
        legs, rounds);
  }

  void draw_labels(const DrawnPlan& drawn) {
    for (std::size_t d = 0; d < drawn.districts.size(); ++d) {
      const DrawnDistrict& district = drawn.districts[d];
      if (std::sqrt(district.area) * scale_ < kLabelRoom) continue;
      fmt::format_to(
          text_,
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-weight=\"700\" fill=\"#1f2328\" "
          "stroke=\"#fff\" stroke-opacity=\"0.75\" stroke-width=\"2.4\" paint-order=\"stroke\">{}</text>\n",
          x(district.label), y(district.label) + 4, shown_number(d));
    }
  }

  void draw_depot() {
    const Point& depot = map_.file.depot;
    fmt::format_to(text_,
                   "<path fill=\"#1f2328\" stroke=\"#fff\" stroke-width=\"1.6\" paint-order=\"stroke\" "
                   "d=\"M{:.1f} {:.1f}l6.5 6.5l-6.5 6.5l-6.5 -6.5z\"/>\n",
                   x(depot), y(depot) - 6.5);
  }

  // A bar of a round length, about a fifth of the panel.
  void draw_scale() {
    const double wanted = width_ / scale_ / 5;
    const double ten = std::pow(10, std::floor(std::log10(wanted)));
    const double length = wanted >= 5 * ten ? 5 * ten : wanted >= 2 * ten ? 2 * ten : ten;
    const double bottom = top_ + height_ + 14;
    fmt::format_to(text_,
                   "<path fill=\"none\" stroke=\"#555\" d=\"M{:.1f} {:.1f}v4h{:.2f}v-4\"/>\n"
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#555\" font-size=\"10\">{:g} km</text>\n",
                   left_, bottom - 4, length * scale_, left_ + length * scale_ + 6, bottom + 1, length);
  }

  const DistrictingMap& map_;
  bool tours_;
  double scale_ = 1, width_ = 0, height_ = 0, caption_ = 0, step_x_ = 0, step_y_ = 0;
  double left_ = 0, top_ = 0;  // of the panel that is drawn
  std::string out_;
  Text text_{out_};
};

}  // namespace

std::string districting_svg(const DistrictingMap& map, bool tours) { return Picture(map, tours).draw(); }

}  // namespace polystep
