#include "data/cities/districting_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "polystepor districting";
constexpr int kVersion = 1;
constexpr double kFarthest = 1e6;     // km: beyond this, positions are a mistake and not a city
constexpr double kMostPeople = 1e12;  // likewise
constexpr double kSameTotal = 1e-6;   // relative: a total is the sum of its parts

double to_millimetre(double kilometres) { return std::round(kilometres * 1e6) / 1e6 + 0.0; }

bool is_position(double value) { return std::abs(value) <= kFarthest; }  // no for nan
bool is_amount(double value, double most) { return value >= 0 && value <= most; }

// ---- What holds for every districting, read or written -------------------------------------------------

void check_ring(const std::vector<Point>& ring, const std::string& where) {
  if (ring.size() < 3)
    throw InputError(fmt::format("{} has {} corners, expected at least 3", where, ring.size()));
  for (const Point& point : ring)
    if (!is_position(point.x) || !is_position(point.y))
      throw InputError(fmt::format("{} has a corner at ({}, {}), expected kilometres from -1e6 to 1e6", where,
                                   point.x, point.y));
}

void check_city(const City& city, const std::string& name) {
  if (city.units.empty())
    throw InputError(fmt::format("{}: the city has no units, expected at least one", name));
  for (std::size_t i = 0; i < city.units.size(); ++i) {
    const CityUnit& unit = city.units[i];
    const std::string where = fmt::format("{}: unit {}", name, i);
    if (!is_amount(unit.population, kMostPeople))
      throw InputError(
          fmt::format("{} has population {}, expected a number from 0 to 1e12", where, unit.population));
    check_ring(unit.ring, where + " part 0");
    for (std::size_t part = 0; part < unit.other_parts.size(); ++part)
      check_ring(unit.other_parts[part], fmt::format("{} part {}", where, part + 1));
  }
  for (std::size_t e = 0; e < city.adjacent.size(); ++e) {
    const auto [first, second] = city.adjacent[e];
    if (first >= second || second >= city.units.size())
      throw InputError(fmt::format("{}: adjacent units {} and {}, expected two of 0 to {}, the smaller first",
                                   name, first, second, city.units.size() - 1));
    if (e > 0 && city.adjacent[e - 1] >= city.adjacent[e])
      throw InputError(
          fmt::format("{}: adjacent units {} and {} stand after {} and {}, expected pairs in rising order "
                      "and each once",
                      name, first, second, city.adjacent[e - 1].first, city.adjacent[e - 1].second));
  }
}

void check_amount(const std::optional<double>& value, const char* key, const std::string& where) {
  if (value && !is_amount(*value, 1e15))
    throw InputError(fmt::format("{} has {} {}, expected a number from 0 to 1e15", where, key, *value));
}

void check_plan(const DistrictingPlan& plan, std::size_t units, const std::string& where) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> district_of(units, kNone);
  double sum = 0;
  bool all_costs = true;
  for (std::size_t d = 0; d < plan.districts.size(); ++d) {
    const PlannedDistrict& district = plan.districts[d];
    const std::string here = fmt::format("{} district {}", where, d);
    if (district.units.empty()) throw InputError(fmt::format("{} has no units, expected at least one", here));
    for (const std::uint32_t unit : district.units) {
      if (unit >= units)
        throw InputError(fmt::format("{} has unit {}, expected units from 0 to {}", here, unit, units - 1));
      if (district_of[unit] != kNone)
        throw InputError(
            fmt::format("{} has unit {}, which district {} has already, expected every unit once", here, unit,
                        district_of[unit]));
      district_of[unit] = d;
    }
    check_amount(district.cost, "cost", here);
    check_amount(district.customers, "customers", here);
    for (const Point& stop : district.tour)
      if (!is_position(stop.x) || !is_position(stop.y))
        throw InputError(fmt::format("{} has a tour to ({}, {}), expected kilometres from -1e6 to 1e6", here,
                                     stop.x, stop.y));
    all_costs = all_costs && district.cost.has_value();
    sum += district.cost.value_or(0);
  }
  const auto missing = std::find(district_of.begin(), district_of.end(), kNone);
  if (missing != district_of.end())
    throw InputError(fmt::format("{}: unit {} is in no district, expected every unit once", where,
                                 missing - district_of.begin()));
  check_amount(plan.total_cost, "total_cost", where);
  if (plan.total_cost && all_costs && std::abs(*plan.total_cost - sum) > kSameTotal * (1 + sum))
    throw InputError(fmt::format("{} has total_cost {}, expected the sum of its districts' costs, {}", where,
                                 *plan.total_cost, sum));
}

void check(const DistrictingFile& file, const std::string& name) {
  check_city(file.city, name);
  if (!is_position(file.depot.x) || !is_position(file.depot.y))
    throw InputError(fmt::format("{}: depot is at ({}, {}), expected kilometres from -1e6 to 1e6", name,
                                 file.depot.x, file.depot.y));
  if (file.smallest < 1 || file.smallest > file.target || file.target > file.largest)
    throw InputError(
        fmt::format("{}: district sizes are {} to {} with target {}, expected at least 1 and the target "
                    "between the limits",
                    name, file.smallest, file.largest, file.target));
  if (file.plans.empty()) throw InputError(fmt::format("{} has no plans, expected at least one", name));
  for (std::size_t p = 0; p < file.plans.size(); ++p) {
    const std::string where = fmt::format("{}: plan {}", name, p);
    if (file.plans[p].method.empty())
      throw InputError(fmt::format("{} has an empty method, expected its name", where));
    check_plan(file.plans[p], file.city.units.size(), where);
  }
}

// ---- Reading -------------------------------------------------------------------------------------------

// What stands in a file, cut to a length that keeps the sentence readable.
std::string shown(const Json& value) {
  return in_quotes(value.dump(-1, ' ', true, Json::error_handler_t::replace));
}

const Json& object(const Json& value, const std::string& where, std::initializer_list<const char*> keys) {
  if (!value.is_object()) throw InputError(fmt::format("{} is {}, expected an object", where, shown(value)));
  for (const auto& [key, ignored] : value.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw InputError(fmt::format("{}: unknown field {}, expected {}", where, in_quotes(key),
                                   fmt::join(keys.begin(), keys.end(), ", ")));
  return value;
}

const Json& field(const Json& parent, const char* key, const std::string& where) {
  const auto found = parent.find(key);
  if (found == parent.end()) throw InputError(fmt::format("{}: no field '{}', expected one", where, key));
  return *found;
}

const Json& array(const Json& value, const std::string& where) {
  if (!value.is_array()) throw InputError(fmt::format("{} is {}, expected a list", where, shown(value)));
  return value;
}

double number(const Json& value, const std::string& where) {
  if (!value.is_number()) throw InputError(fmt::format("{} is {}, expected a number", where, shown(value)));
  return value.get<double>();
}

std::optional<double> maybe_number(const Json& parent, const char* key, const std::string& where) {
  const auto found = parent.find(key);
  if (found == parent.end()) return std::nullopt;
  return number(*found, fmt::format("{} {}", where, key));
}

std::uint32_t count(const Json& value, const std::string& where) {
  constexpr std::uint64_t kMost = 0xffffffff;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    throw InputError(
        fmt::format("{} is {}, expected a whole number from 0 to {}", where, shown(value), kMost));
  return value.get<std::uint32_t>();
}

std::string text(const Json& value, const std::string& where) {
  if (!value.is_string()) throw InputError(fmt::format("{} is {}, expected a text", where, shown(value)));
  return value.get<std::string>();
}

Point point(const Json& value, const std::string& where) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
    throw InputError(fmt::format("{} is {}, expected a position [x, y] in km", where, shown(value)));
  return {value[0].get<double>(), value[1].get<double>()};
}

std::vector<Point> points(const Json& value, const std::string& where) {
  std::vector<Point> list;
  for (const Json& one : array(value, where)) list.push_back(point(one, where));
  return list;
}

CityUnit unit(const Json& value, const std::string& where) {
  object(value, where, {"population", "parts"});
  CityUnit unit;
  unit.population = number(field(value, "population", where), where + " population");
  const Json& parts = array(field(value, "parts", where), where + " parts");
  if (parts.empty()) throw InputError(fmt::format("{} has no parts, expected at least one ring", where));
  unit.ring = points(parts[0], where + " part 0");
  for (std::size_t k = 1; k < parts.size(); ++k)
    unit.other_parts.push_back(points(parts[k], fmt::format("{} part {}", where, k)));
  return unit;
}

City city(const Json& value, const std::string& name) {
  object(value, name + ": city", {"name", "units", "adjacent"});
  City city;
  city.name = text(field(value, "name", name + ": city"), name + ": city name");
  for (const Json& one : array(field(value, "units", name + ": city"), name + ": city units"))
    city.units.push_back(unit(one, fmt::format("{}: unit {}", name, city.units.size())));
  for (const Json& pair : array(field(value, "adjacent", name + ": city"), name + ": city adjacent")) {
    const std::string where = fmt::format("{}: adjacent pair {}", name, city.adjacent.size());
    if (!pair.is_array() || pair.size() != 2)
      throw InputError(fmt::format("{} is {}, expected two unit numbers", where, shown(pair)));
    city.adjacent.emplace_back(count(pair[0], where), count(pair[1], where));
  }
  return city;
}

PlannedDistrict district(const Json& value, const std::string& where) {
  object(value, where, {"units", "cost", "customers", "tour"});
  PlannedDistrict district;
  for (const Json& one : array(field(value, "units", where), where + " units"))
    district.units.push_back(count(one, where + " unit"));
  std::sort(district.units.begin(), district.units.end());
  district.cost = maybe_number(value, "cost", where);
  district.customers = maybe_number(value, "customers", where);
  if (const auto tour = value.find("tour"); tour != value.end())
    district.tour = points(*tour, where + " tour");
  return district;
}

DistrictingPlan plan(const Json& value, const std::string& where) {
  object(value, where, {"method", "total_cost", "districts"});
  DistrictingPlan plan;
  plan.method = text(field(value, "method", where), where + " method");
  plan.total_cost = maybe_number(value, "total_cost", where);
  for (const Json& one : array(field(value, "districts", where), where + " districts"))
    plan.districts.push_back(district(one, fmt::format("{} district {}", where, plan.districts.size())));
  return plan;
}

// The figures of a unit that follow from its rings.
void measure(CityUnit& unit) {
  const auto add_ring = [&](const std::vector<Point>& ring) {
    double twice = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
      twice += a.x * b.y - b.x * a.y;
      unit.perimeter += std::hypot(b.x - a.x, b.y - a.y);
    }
    unit.area += std::abs(twice) / 2;
  };
  add_ring(unit.ring);
  for (const std::vector<Point>& part : unit.other_parts) add_ring(part);
  unit.density = unit.area > 0 ? unit.population / unit.area : 0;
  unit.box_plane = {unit.ring[0].x, unit.ring[0].x, unit.ring[0].y, unit.ring[0].y};
  for (const Point& corner : unit.ring) {
    unit.box_plane.x_min = std::min(unit.box_plane.x_min, corner.x);
    unit.box_plane.x_max = std::max(unit.box_plane.x_max, corner.x);
    unit.box_plane.y_min = std::min(unit.box_plane.y_min, corner.y);
    unit.box_plane.y_max = std::max(unit.box_plane.y_max, corner.y);
  }
}

// Deep nesting costs stack; a districting file has five levels.
Json parse(std::string_view bytes, const std::string& name) {
  constexpr int kDeepest = 8;
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw InputError(fmt::format("{} is nested deeper than a districting file", name));
    return true;
  };
  try {
    return Json::parse(bytes, shallow);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("{} is not JSON, expected a districting file: {}", name, in_quotes(error.what())));
  }
}

// ---- Writing -------------------------------------------------------------------------------------------

Json rounded(const Point& point) { return Json::array({to_millimetre(point.x), to_millimetre(point.y)}); }

Json rounded(const std::vector<Point>& line) {
  Json list = Json::array();
  for (const Point& point : line) list.push_back(rounded(point));
  return list;
}

// One entry per line, so that two files can be compared by line.
std::string lines(const std::vector<std::string>& entries, const char* indent) {
  return entries.empty()
             ? "[]"
             : fmt::format("[\n{0}{1}]", indent, fmt::join(entries, fmt::format(",\n{}", indent)));
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string rendered_city(const City& city) {
  std::vector<std::string> units, pairs;
  for (const CityUnit& unit : city.units) {
    Json parts = Json::array({rounded(unit.ring)});
    for (const std::vector<Point>& part : unit.other_parts) parts.push_back(rounded(part));
    units.push_back(dump(Json{{"population", unit.population}, {"parts", parts}}));
  }
  for (const auto& [first, second] : city.adjacent) pairs.push_back(fmt::format("[{},{}]", first, second));
  return fmt::format("{{\"name\":{},\n \"units\":{},\n \"adjacent\":[{}]}}", dump(Json(city.name)),
                     lines(units, "  "), fmt::join(pairs, ","));
}

std::string rendered_plan(const DistrictingPlan& plan) {
  std::vector<std::string> districts;
  for (const PlannedDistrict& district : plan.districts) {
    std::vector<std::uint32_t> units = district.units;
    std::sort(units.begin(), units.end());
    Json entry{{"units", units}};
    if (district.cost) entry["cost"] = *district.cost;
    if (district.customers) entry["customers"] = *district.customers;
    if (!district.tour.empty()) entry["tour"] = rounded(district.tour);
    districts.push_back(dump(entry));
  }
  const std::string total =
      plan.total_cost ? fmt::format("\"total_cost\":{},", dump(Json(*plan.total_cost))) : "";
  return fmt::format("{{\"method\":{},{}\"districts\":{}}}", dump(Json(plan.method)), total,
                     lines(districts, "   "));
}

}  // namespace

std::optional<double> cost_of(const DistrictingPlan& plan) {
  if (plan.total_cost) return plan.total_cost;
  double sum = 0;
  for (const PlannedDistrict& district : plan.districts) {
    if (!district.cost) return std::nullopt;
    sum += *district.cost;
  }
  return sum;
}

std::string render_districting(const DistrictingFile& file, const std::string& name) {
  check(file, name);
  std::vector<std::string> plans;
  for (const DistrictingPlan& plan : file.plans) plans.push_back(rendered_plan(plan));
  return fmt::format(
      "{{\"format\":\"{}\",\"version\":{},\n\"city\":{},\n\"depot\":{},\"target\":{},\"smallest\":{},"
      "\"largest\":{},\n"
      "\"plans\":{}}}\n",
      kFormat, kVersion, rendered_city(file.city), dump(rounded(file.depot)), file.target, file.smallest,
      file.largest, lines(plans, "  "));
}

DistrictingFile parse_districting(std::string_view text_of_file, const std::string& name) {
  const Json root = parse(text_of_file, name);
  if (!root.is_object() || !root.contains("format") || root["format"] != kFormat)
    throw InputError(fmt::format("{} is not a districting file, expected an object with \"format\": \"{}\"",
                                 name, kFormat));
  object(root, name, {"format", "version", "city", "depot", "target", "smallest", "largest", "plans"});
  if (const Json& version = field(root, "version", name); version != kVersion)
    throw InputError(fmt::format("{} has version {}, expected {}", name, shown(version), kVersion));
  DistrictingFile file;
  file.city = city(field(root, "city", name), name);
  file.depot = point(field(root, "depot", name), name + ": depot");
  file.target = count(field(root, "target", name), name + ": target");
  file.smallest = count(field(root, "smallest", name), name + ": smallest");
  file.largest = count(field(root, "largest", name), name + ": largest");
  for (const Json& one : array(field(root, "plans", name), name + ": plans"))
    file.plans.push_back(plan(one, fmt::format("{}: plan {}", name, file.plans.size())));
  check(file, name);
  for (CityUnit& unit : file.city.units) measure(unit);
  return file;
}

void write_districting(const std::filesystem::path& path, const DistrictingFile& file) {
  write_file(path, render_districting(file, path.string()));
}

DistrictingFile read_districting(const std::filesystem::path& place) {
  std::filesystem::path path = place;
  if (std::filesystem::is_directory(place)) {
    path = place / "districting.json";
    if (!std::filesystem::exists(path))
      throw InputError(fmt::format(
          "{} holds no districting.json, expected a districting file or a run that has one", place.string()));
  }
  return parse_districting(read_file(path), path.string());
}

}  // namespace polystep
