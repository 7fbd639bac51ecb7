#include "data/cities/geojson_city.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/files.hpp"
#include "data/cities/polyconic.hpp"
#include "data/cities/touching_units.hpp"
#include "polystep/error.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep {
namespace {

using Json = nlohmann::json;
using Part = Rings;  // an outer ring, then its holes

constexpr double kWidestCity = 60;              // degrees
constexpr double kKilometresPerDegree = 111.2;  // of latitude, roughly
constexpr const char* kPublishedProperties[] = {"AREA",          "PERIMETER", "DENSITY",
                                                "LIST_ADJACENT", "centre",    "POINTS"};

std::string shown(const Json& json) {
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

class Reader {
 public:
  Reader(std::string_view text, std::string path) : path_(std::move(path)) {
    try {
      root_ = Json::parse(text);
    } catch (const Json::parse_error& error) {
      fail(fmt::format("found something that is not JSON at byte {}, expected GeoJSON", error.byte));
    } catch (const Json::exception&) {
      fail("found a number beyond the range of numbers, expected GeoJSON");
    }
  }

  City city() {
    if (!root_.is_object() || root_.value("type", Json()) != "FeatureCollection") {
      fail("found no FeatureCollection, expected one with a feature per unit");
    }
    const auto features = root_.find("features");
    if (features == root_.end() || !features->is_array())
      fail("found no list of features, expected one per unit");
    if (features->size() < 2)
      fail(fmt::format("found {} features, expected at least 2 units", features->size()));
    City city;
    city.name = std::filesystem::path(path_).stem().string();
    std::size_t published = 0;
    for (feature_ = 0; feature_ < features->size(); ++feature_) {
      read_feature((*features)[feature_], city);
      published += is_published((*features)[feature_]["properties"]);
    }
    check_distinct(city);
    set_reference(city);
    if (published == features->size()) {
      for (feature_ = 0; feature_ < features->size(); ++feature_) {
        take_published((*features)[feature_]["properties"], city);
      }
      check_symmetric(city);
    } else {
      work_out(city);
    }
    check_connected(city);
    return city;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", path_, what));
  }
  [[noreturn]] void fail_feature(const std::string& what) const {
    fail(fmt::format("feature {}: {}", feature_, what));
  }

  double number(const Json& json, const char* name) const {
    if (!json.is_number()) fail_feature(fmt::format("found {} as {}, expected a number", shown(json), name));
    return json.get<double>();  // the parser refuses numbers that are not finite
  }

  Point point(const Json& json, const char* name) const {
    if (!json.is_array() || json.size() < 2) {
      fail_feature(fmt::format("found {} as {}, expected two numbers", shown(json), name));
    }
    return {number(json[0], name), number(json[1], name)};
  }

  Point degrees(const Json& json, const char* name) const {
    const Point p = point(json, name);
    if (!(std::abs(p.x) <= 180 && std::abs(p.y) < 90)) {
      fail_feature(
          fmt::format("found {} as {}, expected a longitude of -180 to 180 and a latitude between -90 and 90",
                      shown(json), name));
    }
    return p;
  }

  // Without the repeated first vertex and without vertices that repeat the one before.
  std::vector<Point> ring(const Json& json, bool in_degrees) const {
    const char* const name = in_degrees ? "position" : "point of POINTS";
    if (!json.is_array() || json.size() < 4) {
      fail_feature(fmt::format("found {} as a ring, expected at least 4 positions", shown(json)));
    }
    std::vector<Point> vertices;
    for (const Json& position : json) {
      const Point p = in_degrees ? degrees(position, name) : point(position, name);
      if (vertices.empty() || vertices.back().x != p.x || vertices.back().y != p.y) vertices.push_back(p);
    }
    if (vertices.front().x != vertices.back().x || vertices.front().y != vertices.back().y ||
        vertices.size() < 4) {
      fail_feature(fmt::format("found a ring from {} to {}, expected a closed one of at least 3 vertices",
                               shown(json.front()), shown(json.back())));
    }
    vertices.pop_back();
    if (signed_area(vertices) == 0) fail_feature("found a ring without area, expected one around the unit");
    return vertices;
  }

  Part part(const Json& json) const {
    if (!json.is_array() || json.empty()) {
      fail_feature(fmt::format("found {} as a polygon, expected a list of rings", shown(json)));
    }
    Part rings;
    for (const Json& one : json) {
      rings.push_back(ring(one, true));
      if (const auto at = self_contact(rings.back()); at >= 0) {
        const Point p = rings.back()[static_cast<std::size_t>(at)];
        fail_feature(fmt::format(
            "found a ring that crosses or touches itself near {} {}, expected one that does not", p.x, p.y));
      }
    }
    return rings;
  }

  void read_feature(const Json& feature, City& city) {
    if (!feature.is_object() || feature.value("type", Json()) != "Feature") {
      fail_feature(fmt::format("found {}, expected a Feature", shown(feature)));
    }
    const auto properties = feature.find("properties");
    if (properties == feature.end() || !properties->is_object())
      fail_feature("found no properties, expected POPULATION");
    const auto geometry = feature.find("geometry");
    const Json none;
    const Json& shape = geometry == feature.end() || !geometry->is_object() ? none : *geometry;
    const std::string type = shape.is_object() && shape.contains("type") && shape["type"].is_string()
                                 ? shape["type"].get<std::string>()
                                 : std::string();
    if ((type != "Polygon" && type != "MultiPolygon") || !shape.contains("coordinates")) {
      fail_feature(fmt::format("found {} as geometry, expected a Polygon or a MultiPolygon", shown(shape)));
    }
    const Json& coordinates = shape["coordinates"];
    std::vector<Part> parts;
    if (type == "Polygon") {
      parts.push_back(part(coordinates));
    } else {
      if (!coordinates.is_array() || coordinates.empty()) {
        fail_feature(fmt::format("found {} as coordinates, expected a list of polygons", shown(coordinates)));
      }
      for (const Json& one : coordinates) parts.push_back(part(one));
    }
    CityUnit unit;
    unit.population = population(*properties);
    unit.box_degrees = box_of(parts.front().front());
    for (const Part& one : parts) {
      const Box box = box_of(one.front());
      unit.box_degrees.x_min = std::min(unit.box_degrees.x_min, box.x_min);
      unit.box_degrees.x_max = std::max(unit.box_degrees.x_max, box.x_max);
      unit.box_degrees.y_min = std::min(unit.box_degrees.y_min, box.y_min);
      unit.box_degrees.y_max = std::max(unit.box_degrees.y_max, box.y_max);
    }
    city.units.push_back(std::move(unit));
    parts_.push_back(std::move(parts));
  }

  double population(const Json& properties) const {
    const Json* found = nullptr;
    for (const auto& [key, value] : properties.items()) {
      std::string name = key;
      std::ranges::transform(name, name.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      if (name != "POPULATION") continue;
      if (found != nullptr) fail_feature("found the property POPULATION twice, expected it once");
      found = &value;
    }
    if (found == nullptr) fail_feature("found no property POPULATION, expected the number of inhabitants");
    const double value = number(*found, "POPULATION");
    if (value < 0) fail_feature(fmt::format("found {} as POPULATION, expected at least 0", value));
    return value;
  }

  static bool is_published(const Json& properties) {
    return std::ranges::all_of(kPublishedProperties,
                               [&](const char* name) { return properties.contains(name); });
  }

  void set_reference(City& city) {
    Box all = city.units.front().box_degrees;
    for (const CityUnit& unit : city.units) {
      const Box& box = unit.box_degrees;
      all = {std::min(all.x_min, box.x_min), std::max(all.x_max, box.x_max), std::min(all.y_min, box.y_min),
             std::max(all.y_max, box.y_max)};
    }
    if (all.x_max - all.x_min > kWidestCity || all.y_max - all.y_min > kWidestCity) {
      fail(fmt::format(
          "found longitudes {} to {} and latitudes {} to {}, expected a city of at most {} degrees across",
          all.x_min, all.x_max, all.y_min, all.y_max, kWidestCity));
    }
    city.reference_degrees = {0.5 * (all.x_min + all.x_max), 0.5 * (all.y_min + all.y_max)};
    const auto metadata = root_.find("metadata");
    if (metadata == root_.end() || !metadata->is_object() || !metadata->contains("REFERENCE_LONGLAT")) return;
    feature_ = 0;
    city.reference_degrees = degrees((*metadata)["REFERENCE_LONGLAT"], "metadata.REFERENCE_LONGLAT");
  }

  std::vector<Point> in_plane(const std::vector<Point>& vertices, const City& city,
                              PolyconicForm form) const {
    std::vector<Point> plane;
    for (const Point p : vertices) plane.push_back(polyconic(p, city.reference_degrees, form));
    return plane;
  }

  void take_published(const Json& properties, City& city) const {
    CityUnit& unit = city.units[feature_];
    if (properties.contains("ID") && properties["ID"] != feature_) {
      fail_feature(
          fmt::format("found ID {}, expected {}, its place in the file", shown(properties["ID"]), feature_));
    }
    unit.area = number(properties["AREA"], "AREA");
    unit.perimeter = number(properties["PERIMETER"], "PERIMETER");
    if (!(unit.area > 0 && unit.perimeter > 0)) {
      fail_feature(fmt::format("found area {} and perimeter {}, expected positive numbers", unit.area,
                               unit.perimeter));
    }
    unit.density = number(properties["DENSITY"], "DENSITY");
    unit.centre_degrees = degrees(properties["centre"], "centre");
    unit.ring = ring(properties["POINTS"], false);
    unit.box_plane = box_of(unit.ring);
    for (std::size_t k = 1; k < parts_[feature_].size(); ++k) {
      unit.other_parts.push_back(in_plane(parts_[feature_][k].front(), city, PolyconicForm::kPublished));
    }
    const Json& beside = properties["LIST_ADJACENT"];
    if (!beside.is_array())
      fail_feature(fmt::format("found {} as LIST_ADJACENT, expected a list", shown(beside)));
    for (const Json& other : beside) {
      if (!other.is_number_unsigned() || other.get<std::size_t>() >= city.units.size() ||
          other.get<std::size_t>() == feature_) {
        fail_feature(
            fmt::format("found {} in LIST_ADJACENT, expected the ID of another feature", shown(other)));
      }
      city.adjacent.emplace_back(static_cast<std::uint32_t>(feature_), other.get<std::uint32_t>());
    }
  }

  // Both ends name each other; each pair is kept once.
  void check_symmetric(City& city) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> named;  // bit 0: by the smaller end
    for (const auto& [from, to] : city.adjacent) {
      int& ends = named[std::minmax(from, to)];
      const int bit = from < to ? 1 : 2;
      if (ends & bit)
        fail(fmt::format("feature {}: found {} twice in LIST_ADJACENT, expected once", from, to));
      ends |= bit;
    }
    city.adjacent.clear();
    for (const auto& [pair, ends] : named) {
      if (ends != 3) {
        const auto [from, to] = ends == 1 ? pair : std::pair(pair.second, pair.first);
        fail(fmt::format("feature {}: found {} in LIST_ADJACENT, expected feature {} to have {} in its own",
                         from, to, to, from));
      }
      city.adjacent.push_back(pair);
    }
  }

  // Lines of GeoJSON are straight in degrees; in the plane of the city they bend by centimetres, enough to
  // pull borders apart that have vertices in different places. So borders are looked for in scaled degrees.
  static std::vector<Point> straight(const std::vector<Point>& vertices, const City& city) {
    const double per_longitude =
        kKilometresPerDegree * std::cos(city.reference_degrees.y * std::numbers::pi / 180);
    std::vector<Point> scaled;
    for (const Point p : vertices) {
      scaled.push_back({per_longitude * (p.x - city.reference_degrees.x),
                        kKilometresPerDegree * (p.y - city.reference_degrees.y)});
    }
    return scaled;
  }

  void work_out(City& city) const {
    std::vector<Rings> outlines;
    for (std::size_t k = 0; k < city.units.size(); ++k) {
      CityUnit& unit = city.units[k];
      Rings& rings = outlines.emplace_back();
      double weight = 0, largest = 0;
      Point centre;
      for (const Part& part : parts_[k]) {
        std::vector<Point> outer;
        double own_area = 0;
        for (std::size_t hole = 0; hole < part.size(); ++hole) {
          std::vector<Point> plane = in_plane(part[hole], city, PolyconicForm::kTrue);
          const double sign = hole == 0 ? 1 : -1;
          own_area += sign * std::abs(signed_area(plane));
          unit.perimeter += ring_length(plane);
          const double share = sign * std::abs(signed_area(part[hole]));
          const Point middle = ring_centroid(part[hole]);
          centre.x += share * middle.x, centre.y += share * middle.y, weight += share;
          if (hole == 0) outer = std::move(plane);
          rings.push_back(straight(part[hole], city));
        }
        unit.area += own_area;
        if (own_area > largest) {
          if (!unit.ring.empty()) unit.other_parts.push_back(std::move(unit.ring));
          largest = own_area;
          unit.ring = std::move(outer);
        } else {
          unit.other_parts.push_back(std::move(outer));
        }
      }
      if (!(unit.area > 0 && largest > 0 && weight > 0)) {
        fail(fmt::format("feature {}: found holes as large as the unit, expected some area", k));
      }
      unit.centre_degrees = {centre.x / weight, centre.y / weight};
      unit.density = unit.population / unit.area;
      unit.box_plane = box_of(unit.ring);
    }
    city.adjacent = touching_units(outlines);
  }

  // A unit that a file holds twice would count its inhabitants twice.
  void check_distinct(const City& city) const {
    std::map<std::vector<std::pair<double, double>>, std::size_t> seen;
    for (std::size_t k = 0; k < city.units.size(); ++k) {
      std::vector<std::pair<double, double>> corners;
      for (const Part& part : parts_[k])
        for (const auto& ring : part)
          for (const Point p : ring) corners.emplace_back(p.x, p.y);
      std::ranges::sort(corners);  // wherever a ring begins
      const auto [entry, added] = seen.try_emplace(std::move(corners), k);
      if (!added)
        fail(fmt::format("features {} and {} have the same outline, expected every unit once", entry->second,
                         k));
    }
  }

  void check_connected(const City& city) const {
    const auto component = solvers::components_of(city.units.size(), city.adjacent);
    std::map<std::uint32_t, std::vector<std::size_t>> members;
    for (std::size_t k = 0; k < component.size(); ++k) members[component[k]].push_back(k);
    if (members.size() == 1) return;
    const auto smallest =
        std::ranges::min_element(members, {}, [](const auto& entry) { return entry.second.size(); })->second;
    std::string names;
    for (std::size_t k = 0; k < smallest.size() && k < 5; ++k) {
      names += fmt::format("{}{}", k == 0 ? "" : ", ", smallest[k]);
    }
    if (smallest.size() > 5) names += fmt::format(" and {} more", smallest.size() - 5);
    fail(fmt::format("found {} {} without a common border with the other units, expected a city in one piece",
                     smallest.size() == 1 ? "feature" : "features", names));
  }

  std::string path_;
  Json root_;
  std::size_t feature_ = 0;               // at hand, for messages
  std::vector<std::vector<Part>> parts_;  // [units], in degrees
};

}  // namespace

City parse_geojson_city(std::string_view text, const std::string& path) { return Reader(text, path).city(); }

City read_geojson_city(const std::string& path) { return parse_geojson_city(read_file(path), path); }

}  // namespace polystep
