#include "report/districting_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/district_colours.hpp"
#include "report/html_text.hpp"
#include "web/districting_map_page.hpp"  // written by the build from web/

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

// Positions become whole numbers of steps, each line as a start and the way from point to point: less than
// half the bytes. A step is a power of ten, small enough that nobody sees it at the largest zoom.
class Grid {
 public:
  explicit Grid(const Box& frame) {
    const double extent = std::max({frame.x_max - frame.x_min, frame.y_max - frame.y_min, 1e-6});
    step_ = std::pow(10, std::floor(std::log10(extent / 2e5)));
    origin_ = {frame.x_min, frame.y_min};
  }

  double step() const { return step_; }
  Point origin() const { return origin_; }
  std::int64_t x(const Point& p) const { return std::llround((p.x - origin_.x) / step_); }
  std::int64_t y(const Point& p) const { return std::llround((p.y - origin_.y) / step_); }

  void append(Json& list, const std::vector<Point>& line) const {
    std::int64_t last_x = 0, last_y = 0;
    for (const Point& p : line) {
      list.push_back(x(p) - last_x);
      list.push_back(y(p) - last_y);
      last_x = x(p);
      last_y = y(p);
    }
  }

 private:
  double step_ = 1;
  Point origin_;
};

double rounded(double value, double digits) { return std::round(value * digits) / digits; }

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json units_of(const City& city, const Grid& grid) {
  Json units = Json::array();
  for (const CityUnit& unit : city.units) {
    Json rings = Json::array();
    rings.push_back(Json::array());
    grid.append(rings.back(), unit.ring);
    for (const std::vector<Point>& part : unit.other_parts) {
      rings.push_back(Json::array());
      grid.append(rings.back(), part);
    }
    units.push_back(
        Json{{"population", unit.population}, {"area", rounded(unit.area, 1e6)}, {"rings", rings}});
  }
  return units;
}

Json borders_of(const std::vector<UnitBorder>& borders, const Grid& grid) {
  Json list = Json::array();
  for (const UnitBorder& border : borders) {
    Json entry =
        Json::array({border.unit, border.across == kOutside ? -1 : static_cast<std::int64_t>(border.across)});
    grid.append(entry, border.line);
    list.push_back(std::move(entry));
  }
  return list;
}

Json plan_of(const DistrictingPlan& plan, const DrawnPlan& drawn, const Grid& grid, bool tours) {
  Json districts = Json::array();
  for (std::size_t d = 0; d < plan.districts.size(); ++d) {
    const PlannedDistrict& district = plan.districts[d];
    const DrawnDistrict& look = drawn.districts[d];
    Json entry{{"units", district.units},
               {"cost", number_or_null(district.cost)},
               {"customers", number_or_null(district.customers)},
               {"colour", look.colour},
               {"label", Json::array({grid.x(look.label), grid.y(look.label)})},
               {"sizeAllowed", look.size_allowed},
               {"connected", look.connected}};
    if (tours && !district.tour.empty()) {
      entry["tour"] = Json::array();
      grid.append(entry["tour"], district.tour);
    }
    districts.push_back(std::move(entry));
  }
  return Json{{"method", plan.method}, {"total", number_or_null(cost_of(plan))}, {"districts", districts}};
}

std::string data_of(const DistrictingMap& map, bool tours) {
  const Grid grid(map.frame);
  Json adjacent = Json::array();
  for (const auto& [first, second] : map.file.city.adjacent) {
    adjacent.push_back(first);
    adjacent.push_back(second);
  }
  Json plans = Json::array();
  for (std::size_t p = 0; p < map.plans.size(); ++p)
    plans.push_back(plan_of(map.file.plans[p], map.plans[p], grid, tours));
  const Json data{{"city", map.file.city.name},
                  {"target", map.file.target},
                  {"smallest", map.file.smallest},
                  {"largest", map.file.largest},
                  {"step", grid.step()},
                  {"depot", Json::array({grid.x(map.file.depot), grid.y(map.file.depot)})},
                  {"fills", {{"light", light_fills(map.colours)}, {"dark", dark_fills(map.colours)}}},
                  {"units", units_of(map.file.city, grid)},
                  {"borders", borders_of(map.borders, grid)},
                  {"adjacent", adjacent},
                  {"plans", plans}};
  // No "<" stays, so that no text can end the element that the data stand in.
  std::string text;
  for (const char letter : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (letter == '<')
      text += "\\u003c";
    else
      text += letter;
  }
  return text;
}

// The template with each {{name}} replaced once; what is put in is not looked at again.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const auto& one) { return one.first == name; });
    if (value == values.end()) throw std::logic_error(fmt::format("the page has a place for {}", name));
    out += value->second;
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string districting_page(const DistrictingMap& map, bool tours) {
  const std::string data = data_of(map, tours), title = html(map.file.city.name);
  return filled(
      kDistrictingMapHtml,
      {{"title", title}, {"style", kDistrictingMapCss}, {"script", kDistrictingMapJs}, {"data", data}});
}

}  // namespace polystep
