// The published cities: figures of the files themselves, and what readers refuse.
#include "data/cities/city_files.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/cities/city_generator.hpp"
#include "data/cities/touching_units.hpp"
#include "data/needs_cities.hpp"
#include "data/published_files.hpp"

namespace polystep {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

TEST(CityFiles, SmallCitiesHaveTheirDepotsAndOutlines) {
  POLYSTEP_NEEDS_CITIES();
  const auto cities = published_small_cities(find_data_directory(""));
  ASSERT_EQ(cities.size(), 200u);
  struct Golden {
    std::size_t city, pairs;
    Point degrees, plane;
  };
  for (const Golden& golden : {Golden{0, 46, {-1.49683495, 52.3906123}, {1.146528825, 1.507798280}},
                               {1, 62, {-0.34702824, 51.52510676}, {-0.379041078, 0.139966538}},
                               {100, 54, {-1.9784456, 52.5241012}, {-0.599862767, -0.103684901}}}) {
    const City& city = cities[golden.city];
    EXPECT_EQ(city.units.size(), 30u);
    EXPECT_EQ(city.adjacent.size(), golden.pairs);
    EXPECT_NEAR(city.depot_degrees().x, golden.degrees.x, 5e-9);
    EXPECT_NEAR(city.depot_degrees().y, golden.degrees.y, 5e-9);
    EXPECT_NEAR(city.depot_plane().x, golden.plane.x, 5e-10);
    EXPECT_NEAR(city.depot_plane().y, golden.plane.y, 5e-10);
  }
  double area = 0, outlined = 0, population = 0;
  std::size_t several = 0, pairs = 0;
  for (const City& city : cities) {
    pairs += city.adjacent.size();
    for (const CityUnit& unit : city.units) {
      area += unit.area;
      population += unit.population;
      outlined += std::abs(signed_area(unit.ring));
      for (const auto& part : unit.other_parts) outlined += std::abs(signed_area(part));
      several += unit.other_parts.empty() ? 0 : 1;
    }
  }
  EXPECT_NEAR(static_cast<double>(pairs) / 200, 56.9, 0.05);
  EXPECT_NEAR(area / 6000, 5.32, 0.005);
  EXPECT_NEAR(population / 6000, 8268, 0.5);
  EXPECT_EQ(several, 76u);
  EXPECT_NEAR(outlined / area, 1, 0.01);
}

TEST(CityFiles, ExactOutlinesFillTheirBoxes) {
  POLYSTEP_NEEDS_CITIES();
  for (const City& city : published_small_cities(find_data_directory(""), CityPolygons::kExact)) {
    for (const CityUnit& unit : city.units) {
      const Box box = box_of(unit.ring);
      EXPECT_NEAR(box.x_min, unit.box_plane.x_min, 1e-12);
      EXPECT_NEAR(box.x_max, unit.box_plane.x_max, 1e-12);
      EXPECT_NEAR(box.y_min, unit.box_plane.y_min, 1e-12);
      EXPECT_NEAR(box.y_max, unit.box_plane.y_max, 1e-12);
    }
  }
}

TEST(CityFiles, FirstUnitsOfLargeCitiesAreTheTestInstances) {
  POLYSTEP_NEEDS_CITIES();
  struct Golden {
    const char* name;
    std::size_t units, pairs;
    Point depot;
  };
  for (const Golden& golden : {Golden{"London", 983, 309, {0.3505, -0.0675}},
                               {"Leeds", 299, 330, {1.815, 0.703}},
                               {"Manchester", 244, 321, {-0.1035, 0.505}},
                               {"Paris", 120, 374, {-0.937127, -3.016599}},
                               {"Marseille", 120, 309, {-10.331001, -7.920316}}}) {
    const City whole = published_city(find_data_directory(""), golden.name, CityPolygons::kExact);
    EXPECT_EQ(whole.units.size(), golden.units);
    const City city = whole.first(120);
    EXPECT_EQ(city.adjacent.size(), golden.pairs) << golden.name;
    EXPECT_NEAR(city.depot_plane().x, golden.depot.x, 5e-7) << golden.name;
    EXPECT_NEAR(city.depot_plane().y, golden.depot.y, 5e-7) << golden.name;
  }
  EXPECT_INPUT_ERROR(published_city(find_data_directory(""), "Bristol", CityPolygons::kNone), "'Bristol'",
                     "London");
  EXPECT_INPUT_ERROR(published_city(find_data_directory(""), "city201", CityPolygons::kNone), "'city201'",
                     "city1 to city200");
}

// The generator makes the file's city, to the digits printed there.
TEST(CityFiles, Synth2000IsWhatTheGeneratorMakes) {
  POLYSTEP_NEEDS_CITIES();
  const City read = published_city(find_data_directory(""), "Synth2000"), made = synthetic_city();
  EXPECT_EQ(read.name, made.name);
  ASSERT_EQ(read.units.size(), made.units.size());
  EXPECT_EQ(read.adjacent, made.adjacent);
  for (std::size_t k = 0; k < read.units.size(); ++k) {
    const CityUnit &a = read.units[k], &b = made.units[k];
    ASSERT_EQ(a.population, b.population) << k;
    ASSERT_NEAR(a.area, b.area, 5.1e-9 * b.area);
    ASSERT_NEAR(a.perimeter, b.perimeter, 1e-8);
    ASSERT_NEAR(a.density, b.density, 1e-8 * b.density);
    ASSERT_NEAR(a.centre_degrees.x, b.centre_degrees.x, 1e-9);
    ASSERT_NEAR(a.centre_degrees.y, b.centre_degrees.y, 1e-9);
    ASSERT_NEAR(a.box_degrees.x_max, b.box_degrees.x_max, 1e-9);
    ASSERT_NEAR(a.box_plane.y_min, b.box_plane.y_min, 1e-8);
    ASSERT_EQ(a.ring.size(), 6u);
    for (std::size_t v = 0; v < 6; ++v) {
      ASSERT_NEAR(a.ring[v].x, b.ring[v].x, 0.000501);
      ASSERT_NEAR(a.ring[v].y, b.ring[v].y, 0.000501);
    }
  }
}

TEST(CityFiles, CostsAreCompleteAndAsPublished) {
  POLYSTEP_NEEDS_CITIES();
  const auto cities = read_district_costs(districting_file(find_data_directory(""), "small_costs.txt"));
  ASSERT_EQ(cities.size(), 200u);
  std::size_t count = 0;
  for (const PricedDistricts& city : cities) count += city.costs.size();
  EXPECT_EQ(count, 122485u);
  EXPECT_EQ(cities[0].city, "city1");
  EXPECT_EQ(cities[0].districts[0], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(cities[0].costs[0], 43.46156);
  EXPECT_EQ(cities[1].districts.back(), (std::vector<std::uint32_t>{24, 25, 26, 29}));
  EXPECT_EQ(cities[1].costs.back(), 24.26937);
  EXPECT_EQ(cities[100].costs[1], 24.29841);
}

// A city of two units in every format, and what is refused of it.
class TwoUnits : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return (place_.path() / name).string(); }
  std::vector<City> attributes(const std::string& text) const {
    write_text(place_.path() / "attr.txt", text);
    return read_city_attributes(path("attr.txt"));
  }
  void polygons(const std::string& text) const {
    write_text(place_.path() / "poly.txt", text);
    auto cities = attributes(kGood);
    read_simplified_polygons(path("poly.txt"), cities);
  }
  const std::string kHead = "# comment\ncity two 2 1 1.5 52.5\n";
  const std::string kFirst = "u 0 100 2 6 50 1.4 52.4 1.3 1.5 52.3 52.5 -1 0 -1 1 1\n";
  const std::string kSecond = "u 1 90 2 6 45 1.6 52.4 1.5 1.7 52.3 52.5 0 1 -1 1 2\n";
  const std::string kGood = kHead + kFirst + kSecond + "e 0 1\n";
  TemporaryDirectory place_;
};

TEST_F(TwoUnits, AttributesAreReadAndBadLinesNamed) {
  const auto cities = attributes(kGood);
  ASSERT_EQ(cities.size(), 1u);
  EXPECT_EQ(cities[0].name, "two");
  EXPECT_EQ(cities[0].units[1].population, 90);
  EXPECT_EQ(cities[0].units[1].box_plane.x_max, 1);
  EXPECT_EQ(cities[0].depot_plane().x, 0);
  EXPECT_EQ(cities[0].adjacent.size(), 1u);
  EXPECT_EQ(cities[0].first(1).adjacent.size(), 0u);
  EXPECT_INPUT_ERROR(cities[0].first(3), "'two' has 2 units", "found 3");

  EXPECT_INPUT_ERROR(attributes(""), "attr.txt", "no city");
  EXPECT_INPUT_ERROR(attributes("town two 2 1 1 2\n"), "line 1", "expected 'city'");
  EXPECT_INPUT_ERROR(attributes(kHead + kFirst), "line 4", "end of the file");
  EXPECT_INPUT_ERROR(attributes(kHead + kSecond + kFirst), "line 3", "expected 0");
  EXPECT_INPUT_ERROR(attributes(kHead + "u 0 100 2 6\n"), "line 3", "found 5 fields, expected 17");
  EXPECT_INPUT_ERROR(attributes(kHead + "u 0 x 2 6 50 1.4 52.4 1.3 1.5 52.3 52.5 -1 0 -1 1 1\n"), "line 3",
                     "'x' as population");
  EXPECT_INPUT_ERROR(attributes(kHead + "u 0 1 0 6 50 1.4 52.4 1.3 1.5 52.3 52.5 -1 0 -1 1 1\n"), "line 3",
                     "0 as area");
  EXPECT_INPUT_ERROR(attributes(kHead + "u 0 1 2 6 nan 1.4 52.4 1.3 1.5 52.3 52.5 -1 0 -1 1 1\n"), "line 3",
                     "'nan' as density");
  EXPECT_INPUT_ERROR(attributes(kHead + "u 0 1 2 6 50 1.4 52.4 1.6 1.5 52.3 52.5 -1 0 -1 1 1\n"), "line 3",
                     "box in degrees");
  EXPECT_INPUT_ERROR(attributes(kHead + kFirst + kSecond + "e 1 0\n"), "line 5", "smaller unit first");
  EXPECT_INPUT_ERROR(attributes(kHead + kFirst + kSecond + "e 0 2\n"), "line 5", "'2' as unit");
  EXPECT_INPUT_ERROR(attributes(kGood + "e 0 1\n"), "line 6", "expected 'city'");
  EXPECT_INPUT_ERROR(attributes("city two 2 2 1.5 52.5\n" + kFirst + kSecond + "e 0 1\ne 0 1\n"), "line 5",
                     "ascending");
}

TEST_F(TwoUnits, PolygonsAreReadAndBadLinesNamed) {
  const std::string first = "p 0 0 3 -1000 -1000 0 0 -1000 1000\n",
                    second = "p 1 0 3 0 0 1000 -1000 1000 1000\n";
  auto cities = attributes(kGood);
  write_text(place_.path() / "poly.txt",
             "city two 2\n" + first + second + "p 1 1 3 2000 0 3000 0 2000 500\n");
  read_simplified_polygons(path("poly.txt"), cities);
  EXPECT_EQ(cities[0].units[0].ring.size(), 3u);
  EXPECT_EQ(cities[0].units[0].ring[0].x, -1);
  ASSERT_EQ(cities[0].units[1].other_parts.size(), 1u);
  EXPECT_EQ(cities[0].units[1].other_parts[0][2].y, 0.5);

  EXPECT_INPUT_ERROR(polygons("city two 2\n" + first), "line 2", "1 units of two, expected 2");
  EXPECT_INPUT_ERROR(polygons("city one 2\n"), "line 1", "expected two");
  EXPECT_INPUT_ERROR(polygons("city two 3\n"), "line 1", "expected 2");
  EXPECT_INPUT_ERROR(polygons(first), "line 1", "expected a city first");
  EXPECT_INPUT_ERROR(polygons("city two 2\n" + second), "line 2", "expected unit 0");
  EXPECT_INPUT_ERROR(polygons("city two 2\np 0 0 3 1 2 3 4 5\n"), "line 2", "found 9 fields, expected 10");
  EXPECT_INPUT_ERROR(polygons("city two 2\np 0 0 2 1 2 3 4\n"), "line 2", "2 vertices");
  EXPECT_INPUT_ERROR(polygons("# nothing\n"), "poly.txt", "found 0 cities, expected 1");
}

TEST_F(TwoUnits, ExactPolygonsMustBeWhole) {
  const auto bytes_of = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const auto ring = [&](double x) {
    std::string bytes = bytes_of(std::int32_t{4});
    for (const double number : {x, 0.0, x + 1, 0.0, x, 1.0, x, 0.0}) bytes += bytes_of(number);
    return bytes;
  };
  const std::string good = "DNP1" + bytes_of(std::int32_t{1}) + bytes_of(std::int32_t{3}) + "two" +
                           bytes_of(std::int32_t{2}) + ring(0) + ring(1);
  auto cities = attributes(kGood);
  const auto read = [&](const std::string& bytes) {
    write_text(place_.path() / "exact.bin", bytes);
    read_exact_polygons(path("exact.bin"), cities);
  };
  read(good);
  ASSERT_EQ(cities[0].units[1].ring.size(), 3u);
  EXPECT_EQ(cities[0].units[1].ring[1].x, 2);
  EXPECT_INPUT_ERROR(read("DNP2" + good.substr(4)), "exact.bin byte 4", "expected 'DNP1'");
  EXPECT_INPUT_ERROR(read(good + "x"), "more bytes", "end of the file");
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_INPUT_ERROR(read(good.substr(0, size)), "exact.bin", "end of the file");
  }
  std::string open = good;
  open.back() ^= 0x10;
  EXPECT_INPUT_ERROR(read(open), "exact.bin", "not closed");
}

TEST_F(TwoUnits, CostsAndOptimaAreReadAndBadLinesNamed) {
  const auto costs = [&](const std::string& text) {
    write_text(place_.path() / "costs.txt", text);
    return read_district_costs(path("costs.txt"));
  };
  EXPECT_EQ(costs("city two 1\n4.5 0 1\n")[0].costs[0], 4.5);
  EXPECT_INPUT_ERROR(costs("city two 2\n4.5 0 1\n"), "line 3", "end of the file");
  EXPECT_INPUT_ERROR(costs("city two 1\n4.5 1 0\n"), "line 2", "ascending");
  EXPECT_INPUT_ERROR(costs("city two 1\n4.5 1\n"), "line 2", "2 fields");
  EXPECT_INPUT_ERROR(costs("city two 1\n-4.5 0 1\n"), "line 2", "positive");
  const auto optima = [&](const std::string& text) {
    write_text(place_.path() / "optimal.txt", text);
    return read_optimal_districtings(path("optimal.txt"));
  };
  const auto read = optima("# head\ntwo 1 1 0 0 9.5 0 1 | 2 3\n");
  EXPECT_EQ(read[0].cost, 9.5);
  EXPECT_EQ(read[0].districts, (std::vector<std::vector<std::uint32_t>>{{0, 1}, {2, 3}}));
  EXPECT_INPUT_ERROR(optima("two 1 1 0 0 9.5 0 1 |\n"), "line 1", "empty district");
  EXPECT_INPUT_ERROR(optima("two 1 1 0 0\n"), "line 1", "5 fields");
}

}  // namespace
}  // namespace polystep
