#include "report/districting_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "report/district_colours.hpp"

namespace polystep {
namespace {

std::vector<std::uint32_t> districts_of_units(const DistrictingPlan& plan, std::size_t units) {
  std::vector<std::uint32_t> district_of(units);
  for (std::uint32_t d = 0; d < plan.districts.size(); ++d)
    for (const std::uint32_t unit : plan.districts[d].units) district_of[unit] = d;
  return district_of;
}

void grow(Box& box, const Point& p) {
  box.x_min = std::min(box.x_min, p.x);
  box.x_max = std::max(box.x_max, p.x);
  box.y_min = std::min(box.y_min, p.y);
  box.y_max = std::max(box.y_max, p.y);
}

Box frame_of(const DistrictingFile& file) {
  Box box = {file.depot.x, file.depot.x, file.depot.y, file.depot.y};
  for (const CityUnit& unit : file.city.units) {
    for (const Point& corner : unit.ring) grow(box, corner);
    for (const std::vector<Point>& part : unit.other_parts)
      for (const Point& corner : part) grow(box, corner);
  }
  for (const DistrictingPlan& plan : file.plans)
    for (const PlannedDistrict& district : plan.districts)
      for (const Point& stop : district.tour) grow(box, stop);
  return box;
}

// The centre of gravity of a ring; of one without area, its first corner.
Point centre(const std::vector<Point>& ring) {
  double twice = 0, x = 0, y = 0;
  const Point o = ring[0];  // near the ring, which keeps rounding small
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
    const double cross = (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
    twice += cross;
    x += cross * (a.x + b.x - 2 * o.x);
    y += cross * (a.y + b.y - 2 * o.y);
  }
  if (std::abs(twice) < 1e-12) return o;
  return {o.x + x / (3 * twice), o.y + y / (3 * twice)};
}

bool is_connected(const std::vector<std::uint32_t>& units,
                  const std::vector<std::vector<std::uint32_t>>& neighbours,
                  const std::vector<std::uint32_t>& district_of) {
  std::vector<std::uint32_t> reached = {units[0]};
  std::vector<bool> seen(district_of.size());
  seen[units[0]] = true;
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const std::uint32_t other : neighbours[reached[k]])
      if (!seen[other] && district_of[other] == district_of[units[0]]) {
        seen[other] = true;
        reached.push_back(other);
      }
  return reached.size() == units.size();
}

// The middle of the unit nearest to the district's centre: a place that is surely within.
Point label_place(const City& city, const std::vector<std::uint32_t>& units) {
  double x = 0, y = 0, weight = 0;
  for (const std::uint32_t unit : units) {
    const Point at = centre(city.units[unit].ring);
    const double area = city.units[unit].area;
    x += area * at.x;
    y += area * at.y;
    weight += area;
  }
  Point best = centre(city.units[units[0]].ring);
  if (weight <= 0) return best;
  const Point middle = {x / weight, y / weight};
  const auto distance = [&](const Point& p) { return std::hypot(p.x - middle.x, p.y - middle.y); };
  for (const std::uint32_t unit : units)
    if (const Point at = centre(city.units[unit].ring); distance(at) < distance(best)) best = at;
  return best;
}

}  // namespace

DistrictingMap lay_out_map(DistrictingFile file) {
  DistrictingMap map;
  map.frame = frame_of(file);
  map.borders = unit_borders(file.city);
  std::vector<std::vector<std::uint32_t>> neighbours(file.city.units.size());
  for (const auto& [first, second] : file.city.adjacent) {
    neighbours[first].push_back(second);
    neighbours[second].push_back(first);
  }
  std::vector<std::uint32_t> first_colours;
  for (const DistrictingPlan& plan : file.plans) {
    DrawnPlan drawn;
    const std::size_t count = plan.districts.size();
    drawn.district_of = districts_of_units(plan, file.city.units.size());
    std::vector<int> wishes;
    if (!map.plans.empty())
      wishes = colours_alike(drawn.district_of, count, map.plans[0].district_of, first_colours);
    const std::vector<std::uint32_t> colours =
        colour_districts(district_graph(file.city.adjacent, drawn.district_of, count), wishes);
    if (map.plans.empty()) first_colours = colours;
    for (std::size_t d = 0; d < count; ++d) {
      const std::vector<std::uint32_t>& units = plan.districts[d].units;
      DrawnDistrict district;
      district.colour = colours[d];
      map.colours = std::max<std::size_t>(map.colours, colours[d] + 1);
      district.label = label_place(file.city, units);
      for (const std::uint32_t unit : units) {
        district.population += file.city.units[unit].population;
        district.area += file.city.units[unit].area;
      }
      district.size_allowed = units.size() >= file.smallest && units.size() <= file.largest;
      district.connected = is_connected(units, neighbours, drawn.district_of);
      drawn.districts.push_back(district);
    }
    map.plans.push_back(std::move(drawn));
  }
  map.file = std::move(file);
  return map;
}

DistrictingFile join_districtings(std::vector<DistrictingFile> files,
                                  const std::vector<std::string>& places) {
  DistrictingFile joined = files[0];
  joined.plans.clear();
  std::map<std::string, std::size_t> uses;
  for (const DistrictingFile& file : files)
    for (const DistrictingPlan& plan : file.plans) ++uses[plan.method];
  for (std::size_t f = 0; f < files.size(); ++f) {
    const City &city = files[f].city, &first = files[0].city;
    const bool same =
        city.units.size() == first.units.size() && city.adjacent == first.adjacent &&
        std::equal(city.units.begin(), city.units.end(), first.units.begin(),
                   [](const CityUnit& a, const CityUnit& b) { return a.population == b.population; });
    if (!same || city.name != first.name)
      throw InputError(fmt::format(
          "{} is of city {} with {} units and {} of city {} with {} units, expected the same city", places[0],
          in_quotes(first.name), first.units.size(), places[f], in_quotes(city.name), city.units.size()));
    if (files[f].target != files[0].target)
      throw InputError(fmt::format("{} has target size {} and {} has {}, expected the same", places[0],
                                   files[0].target, places[f], files[f].target));
    for (DistrictingPlan& plan : files[f].plans) {
      if (uses[plan.method] > 1 && files.size() > 1) plan.method += fmt::format(" ({})", places[f]);
      joined.plans.push_back(std::move(plan));
    }
  }
  return joined;
}

void keep_methods(DistrictingFile& file, const std::vector<std::string>& methods, const std::string& where) {
  std::vector<DistrictingPlan> kept;
  for (const std::string& method : methods) {
    const auto found = std::find_if(file.plans.begin(), file.plans.end(),
                                    [&](const DistrictingPlan& plan) { return plan.method == method; });
    if (found == file.plans.end()) {
      std::vector<std::string> known;
      for (const DistrictingPlan& plan : file.plans) known.push_back(plan.method);
      throw InputError(fmt::format("{}: found {}, expected methods among {}", where, in_quotes(method),
                                   fmt::join(known, ", ")));
    }
    kept.push_back(*found);
  }
  file.plans = std::move(kept);
}

bool divides_districts(const UnitBorder& border, const DrawnPlan& plan) {
  return border.across == kOutside || plan.district_of[border.unit] != plan.district_of[border.across];
}

std::string kilometres(double cost) {
  std::string text = fmt::format("{:.1f}", cost);
  for (std::size_t point = text.find('.'); point > 3; point -= 3) text.insert(point - 3, ",");
  return text + " km";
}

std::string difference_percent(double cost, double base) {
  if (base <= 0) return "";
  return fmt::format("{:+.2f} %", 100 * (cost / base - 1));
}

}  // namespace polystep
