#include "data/cities/geojson_city.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/cities/polyconic.hpp"
#include "data/cities/touching_units.hpp"
#include "data/published_files.hpp"

namespace polystep {
namespace {

using Json = nlohmann::json;
using testing::TemporaryDirectory;
using testing::write_text;

City parse(const Json& json) { return parse_geojson_city(json.dump(), "my.geojson"); }

Json square(double x, double y, double width, double height) {
  return Json::array({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}, {x, y}});
}

Json feature(Json rings, double population) {
  return {{"type", "Feature"},
          {"properties", {{"Population", population}}},
          {"geometry", {{"type", "Polygon"}, {"coordinates", std::move(rings)}}}};
}

// Squares of a hundredth of a degree, in rows of `columns`.
Json grid(std::size_t columns, std::size_t rows) {
  Json features = Json::array();
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      features.push_back(feature(Json::array({square(10 + 0.01 * static_cast<double>(i),
                                                     50 + 0.01 * static_cast<double>(j), 0.01, 0.01)}),
                                 100));
    }
  }
  return {{"type", "FeatureCollection"}, {"features", features}};
}

TEST(Polyconic, HasItsCheckValue) {
  const Point reference{-1.5132964886427538, 52.37710064790915},
      centre{-1.5341795116668793, 52.27866418080489};
  const Point p = polyconic(centre, reference, PolyconicForm::kPublished);
  EXPECT_NEAR(p.x, -1.425282108, 1e-9);
  EXPECT_NEAR(p.y, -10.953049168, 1e-9);
  const Point q = polyconic(centre, reference);
  EXPECT_EQ(p.x, q.x);
  EXPECT_NEAR(p.y, q.y, 5e-4);
}

TEST(Polyconic, KeepsDistancesEverywhere) {
  // A degree of latitude and one of longitude by the ellipsoid's radii of curvature.
  const double a = 6378.137, f = 1 / 298.257223563, e2 = f * (2 - f), radian = std::acos(-1.0) / 180;
  for (const double latitude : {-70.0, -33.0, -1e-7, 0.0, 1e-7, 12.0, 48.0, 65.0}) {
    const double s = std::sin(latitude * radian), w = std::sqrt(1 - e2 * s * s);
    const Point reference{20, latitude};
    const Point east = polyconic({20.1, latitude}, reference),
                north = polyconic({20, latitude + 0.1}, reference);
    EXPECT_NEAR(east.x, a / w * std::cos(latitude * radian) * 0.1 * radian, 1e-4) << latitude;
    EXPECT_NEAR(east.y, 0, 0.01) << latitude;
    EXPECT_NEAR(north.x, 0, 1e-9);
    EXPECT_NEAR(north.y, a * (1 - e2) / (w * w * w) * 0.1 * radian, 1e-3) << latitude;
  }
}

TEST(GeojsonCity, WorksOutWhatPlainFilesDoNotSay) {
  const City city = parse(grid(3, 2));
  EXPECT_EQ(city.name, "my");
  ASSERT_EQ(city.units.size(), 6u);
  EXPECT_NEAR(city.reference_degrees.x, 10.015, 1e-12);
  // Corners alone are no borders.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 1}, {0, 3}, {1, 2}, {1, 4},
                                                                   {2, 5}, {3, 4}, {4, 5}};
  EXPECT_EQ(city.adjacent, pairs);
  const CityUnit& unit = city.units[1];
  EXPECT_EQ(unit.population, 100);
  EXPECT_NEAR(unit.centre_degrees.x, 10.015, 1e-9);
  EXPECT_NEAR(unit.centre_degrees.y, 50.005, 1e-9);
  EXPECT_NEAR(unit.area, 0.7168 * 1.1123, 2e-3);  // km per hundredth of a degree at 50 degrees
  EXPECT_NEAR(unit.perimeter, 2 * (0.7168 + 1.1123), 3e-3);
  EXPECT_NEAR(unit.density, 100 / unit.area, 1e-9);
  EXPECT_EQ(unit.ring.size(), 4u);
  EXPECT_NEAR(city.depot_plane().x, 0, 1e-3);
  EXPECT_NEAR(city.depot_degrees().y, 50.01, 1e-12);
}

TEST(GeojsonCity, FindsBordersWithoutCommonVertices) {
  Json json = grid(1, 1);
  auto& features = json["features"];
  features.push_back(feature(Json::array({square(10.01, 50.002, 0.01, 0.003)}), 5));  // within the east side
  features.push_back(
      feature(Json::array({square(9.99, 49.99, 0.01, 0.02)}), 5));  // longer than the west side
  features.push_back(feature(Json::array({square(10.00, 50.01, 0.005, 0.01)}), 5));    // from a corner, north
  features.push_back(feature(Json::array({square(10.01, 50.01, 0.005, 0.005)}), 5));   // a corner only
  features.push_back(feature(Json::array({square(10.005, 50.01, 0.005, 0.005)}), 5));  // between the last two
  const City city = parse(json);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 1}, {0, 2}, {0, 3},
                                                                   {0, 5}, {3, 5}, {4, 5}};
  EXPECT_EQ(city.adjacent, pairs);
}

TEST(GeojsonCity, PartsAndHolesCount) {
  Json json = grid(2, 1);
  json["features"][0]["geometry"] = {
      {"type", "MultiPolygon"},
      {"coordinates",
       Json::array({Json::array({square(9.9, 50, 0.001, 0.001)}),
                    Json::array({square(10, 50, 0.01, 0.01), square(10.002, 50.002, 0.005, 0.005)})})}};
  const City plain = parse(grid(2, 1)), city = parse(json);
  const double cell = plain.units[0].area;
  EXPECT_NEAR(city.units[0].area / cell, 0.75 + 0.01, 1e-4);
  EXPECT_EQ(city.units[0].other_parts.size(), 1u);  // the small first one
  EXPECT_NEAR(std::abs(signed_area(city.units[0].ring)) / cell, 1, 1e-4);
  EXPECT_NEAR(city.units[0].box_degrees.x_min, 9.9, 1e-12);
  EXPECT_NEAR(city.units[0].perimeter / plain.units[0].perimeter, 1.6, 1e-3);
  EXPECT_EQ(city.adjacent.size(), 1u);
}

TEST(GeojsonCity, ASyntheticCityComesBack) {
  const City made = synthetic_city(60);
  Json features = Json::array();
  const double per_longitude = 111.320 * std::cos(48.86 * std::acos(-1.0) / 180);
  for (const CityUnit& unit : made.units) {
    Json ring = Json::array();
    for (std::size_t k = 0; k <= unit.ring.size(); ++k) {
      const Point p = unit.ring[k % unit.ring.size()];
      ring.push_back({2.35 + p.x / per_longitude, 48.86 + p.y / 110.574});
    }
    features.push_back(feature(Json::array({ring}), unit.population));
  }
  const City city = parse({{"type", "FeatureCollection"}, {"features", features}});
  EXPECT_EQ(city.adjacent, made.adjacent);
  for (std::size_t k = 0; k < made.units.size(); ++k) {
    EXPECT_NEAR(city.units[k].area / made.units[k].area, 1,
                0.012);  // the recipe's degrees are not the ellipsoid's
    EXPECT_NEAR(city.units[k].centre_degrees.x, made.units[k].centre_degrees.x, 1e-6);
  }
}

Json published() {
  Json json = grid(2, 1);
  json["metadata"]["REFERENCE_LONGLAT"] = {10.5, 50.5};
  for (std::size_t k = 0; k < 2; ++k) {
    json["features"][k]["properties"] = {{"ID", k},
                                         {"POPULATION", 50.5},
                                         {"AREA", 2.5},
                                         {"PERIMETER", 6.5},
                                         {"DENSITY", 20.2},
                                         {"LIST_ADJACENT", Json::array({1 - k})},
                                         {"centre", {10.1, 50.1}},
                                         {"POINTS", square(static_cast<double>(k), 0, 1, 1)}};
  }
  return json;
}

TEST(GeojsonCity, PublishedPropertiesAreTakenAsTheyAre) {
  const City city = parse(published());
  EXPECT_EQ(city.reference_degrees.x, 10.5);
  EXPECT_EQ(city.units[0].area, 2.5);
  EXPECT_EQ(city.units[1].population, 50.5);
  EXPECT_EQ(city.units[1].centre_degrees.y, 50.1);
  EXPECT_EQ(city.units[1].ring.size(), 4u);
  EXPECT_EQ(city.units[1].box_plane.x_max, 2);
  EXPECT_EQ(city.adjacent.size(), 1u);
  Json json = published();
  json["features"][1]["properties"]["LIST_ADJACENT"] = Json::array();
  EXPECT_INPUT_ERROR(parse(json), "feature 0: found 1 in LIST_ADJACENT", "expected feature 1 to have 0");
  json["features"][1]["properties"]["LIST_ADJACENT"] = {0, 0};
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found 0 twice", "expected once");
  json["features"][1]["properties"]["LIST_ADJACENT"] = {2};
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found 2 in LIST_ADJACENT", "another feature");
  json = published();
  json["features"][1]["properties"]["ID"] = 7;
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found ID 7", "expected 1");
  json = published();
  json["features"][0]["properties"]["AREA"] = 0;
  EXPECT_INPUT_ERROR(parse(json), "feature 0", "area 0");
}

TEST(GeojsonCity, RefusesWhatItCannotUse) {
  EXPECT_INPUT_ERROR(parse_geojson_city("no json", "my.geojson"),
                     "my.geojson: found something that is not JSON", "byte 2");
  EXPECT_INPUT_ERROR(parse_geojson_city("[1, 1e999]", "my.geojson"), "my.geojson", "range");
  EXPECT_INPUT_ERROR(parse(Json::array()), "my.geojson", "no FeatureCollection");
  EXPECT_INPUT_ERROR(parse({{"type", "Feature"}}), "my.geojson", "no FeatureCollection");
  EXPECT_INPUT_ERROR(parse({{"type", "FeatureCollection"}}), "my.geojson", "no list of features");
  EXPECT_INPUT_ERROR(parse(grid(1, 1)), "my.geojson", "found 1 features");
  Json json = grid(2, 1);
  json["features"][1]["properties"] = {{"people", 5}};
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found no property POPULATION", "inhabitants");
  json["features"][1]["properties"] = {{"population", "5"}};
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found \"5\" as POPULATION", "expected a number");
  json["features"][1]["properties"] = {{"population", -5}};
  EXPECT_INPUT_ERROR(parse(json), "feature 1: found -5 as POPULATION", "at least 0");
  json["features"][1]["properties"] = {{"population", 5}, {"Population", 6}};
  EXPECT_INPUT_ERROR(parse(json), "feature 1", "twice");
  json["features"][1].erase("properties");
  EXPECT_INPUT_ERROR(parse(json), "feature 1", "no properties");

  json = grid(3, 2);
  json["features"].push_back(json["features"][4]);
  auto& ring = json["features"][6]["geometry"]["coordinates"][0];
  ring = Json::array({ring[2], ring[3], ring[0], ring[1], ring[2]});  // the same from another corner
  EXPECT_INPUT_ERROR(parse(json), "features 4 and 6 have the same outline", "once");

  const auto with_geometry = [](const Json& geometry) {
    Json changed = grid(2, 1);
    changed["features"][1]["geometry"] = geometry;
    return changed;
  };
  const auto with_ring = [&](const Json& ring) {
    return with_geometry({{"type", "Polygon"}, {"coordinates", Json::array({ring})}});
  };
  EXPECT_INPUT_ERROR(parse(with_geometry(nullptr)), "feature 1: found null as geometry", "MultiPolygon");
  EXPECT_INPUT_ERROR(parse(with_geometry({{"type", "Point"}, {"coordinates", {1, 2}}})), "feature 1",
                     "MultiPolygon");
  EXPECT_INPUT_ERROR(parse(with_geometry({{"type", "Polygon"}})), "feature 1", "MultiPolygon");
  EXPECT_INPUT_ERROR(parse(with_geometry({{"type", "Polygon"}, {"coordinates", 3}})), "feature 1",
                     "list of rings");
  EXPECT_INPUT_ERROR(parse(with_geometry({{"type", "MultiPolygon"}, {"coordinates", Json::array()}})),
                     "feature 1", "list of polygons");
  EXPECT_INPUT_ERROR(parse(with_ring({{1, 2}, {3, 4}, {1, 2}})), "feature 1", "at least 4 positions");
  EXPECT_INPUT_ERROR(parse(with_ring({{10.01, 50}, {10.02, 50}, {10.02, 50.01}, {10.01, 50.01}})),
                     "feature 1", "closed");
  EXPECT_INPUT_ERROR(parse(with_ring({{10.01, 50}, {10.02, 50}, {10.03, 50}, {10.01, 50}})), "feature 1",
                     "without area");
  EXPECT_INPUT_ERROR(parse(with_ring({{10.01, 50}, {"x", 50}, {10.02, 50.01}, {10.01, 50}})), "feature 1",
                     "expected a number");
  EXPECT_INPUT_ERROR(parse(with_ring({{10.01, 50}, {190, 50}, {10.02, 50.01}, {10.01, 50}})), "feature 1",
                     "-180 to 180");
  EXPECT_INPUT_ERROR(parse(with_ring({{10.01, 50}, {10.02, 90}, {10.02, 50.01}, {10.01, 50}})), "feature 1",
                     "latitude");
  // Crossing, touching in a vertex, and a spike.
  EXPECT_INPUT_ERROR(
      parse(with_ring({{10.01, 50}, {10.03, 50}, {10.03, 50.01}, {10.02, 49.99}, {10.01, 50}})), "feature 1",
      "crosses or touches itself");
  EXPECT_INPUT_ERROR(
      parse(with_ring({{10.01, 50}, {10.03, 50}, {10.03, 50.02}, {10.02, 50}, {10.01, 50.02}, {10.01, 50}})),
      "feature 1", "crosses or touches itself");
  EXPECT_INPUT_ERROR(
      parse(with_ring({{10.01, 50}, {10.02, 50}, {10.05, 50}, {10.02, 50}, {10.02, 50.01}, {10.01, 50}})),
      "feature 1", "crosses or touches itself");

  Json apart = grid(3, 1);
  apart["features"].push_back(feature(Json::array({square(10.2, 50, 0.01, 0.01)}), 3));
  apart["features"].push_back(feature(Json::array({square(10.21, 50, 0.01, 0.01)}), 3));
  EXPECT_INPUT_ERROR(parse(apart), "features 3, 4 without a common border", "one piece");
  Json wide = grid(2, 1);
  wide["features"].push_back(feature(Json::array({square(100, 50, 0.01, 0.01)}), 3));
  EXPECT_INPUT_ERROR(parse(wide), "longitudes 10 to 100.01", "60 degrees");
  EXPECT_INPUT_ERROR(read_geojson_city("no/such.geojson"), "no/such.geojson", "");
}

TEST(GeojsonCity, FilesAreNamedAfterThemselves) {
  const TemporaryDirectory place;
  write_text(place.path() / "Leiden.geojson", grid(2, 2).dump());
  EXPECT_EQ(read_geojson_city((place.path() / "Leiden.geojson").string()).name, "Leiden");
}

}  // namespace
}  // namespace polystep
