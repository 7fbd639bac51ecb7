#include "data/cities/city_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "base/files.hpp"
#include "data/data_directory.hpp"
#include "data/tables/word_file.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kMostUnits = 1'000'000;
constexpr double kKilometresPerMetre = 1e-3;

Box read_box(const WordFile& file, std::size_t field, const char* name) {
  const Box box{file.number(field, name), file.number(field + 1, name), file.number(field + 2, name),
                file.number(field + 3, name)};
  if (box.x_min > box.x_max || box.y_min > box.y_max) {
    file.fail(fmt::format("found the {} {} to {}, {} to {}, expected the smaller limit first", name,
                          box.x_min, box.x_max, box.y_min, box.y_max));
  }
  return box;
}

double read_positive(const WordFile& file, std::size_t field, const char* name) {
  const double value = file.number(field, name);
  if (value <= 0) file.fail(fmt::format("found {} as {}, expected a positive number", value, name));
  return value;
}

void expect_word(const WordFile& file, std::string_view word) {
  if (file.text(0) != word) {
    file.fail(fmt::format("found '{}', expected '{}'", file.text(0).substr(0, 40), word));
  }
}

CityUnit read_unit(const WordFile& file, std::size_t id) {
  expect_word(file, "u");
  file.expect_fields(17);
  if (file.whole(1, "unit", kMostUnits) != id) {
    file.fail(fmt::format("found unit {}, expected {}", file.text(1), id));
  }
  CityUnit unit;
  unit.population = file.number(2, "population");
  if (unit.population < 0)
    file.fail(fmt::format("found population {}, expected at least 0", unit.population));
  unit.area = read_positive(file, 3, "area");
  unit.perimeter = read_positive(file, 4, "perimeter");
  unit.density = file.number(5, "density");
  unit.centre_degrees = {file.number(6, "longitude"), file.number(7, "latitude")};
  unit.box_degrees = read_box(file, 8, "box in degrees");
  unit.box_plane = read_box(file, 12, "box in km");
  if (file.whole(16, "number of parts", kMostUnits) == 0) file.fail("found 0 parts, expected at least 1");
  return unit;
}

City read_city(WordFile& file) {
  expect_word(file, "city");
  file.expect_fields(6);
  City city;
  city.name = file.text(1);
  const std::size_t units = file.whole(2, "number of units", kMostUnits);
  const std::size_t pairs = file.whole(3, "number of edges", kMostUnits);
  if (units == 0) file.fail("found a city without units, expected at least one");
  city.reference_degrees = {file.number(4, "longitude"), file.number(5, "latitude")};
  for (std::size_t id = 0; id < units; ++id) {
    file.expect_line();
    city.units.push_back(read_unit(file, id));
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    file.expect_line();
    expect_word(file, "e");
    file.expect_fields(3);
    const auto a = static_cast<std::uint32_t>(file.whole(1, "unit", units));
    const auto b = static_cast<std::uint32_t>(file.whole(2, "unit", units));
    if (a >= b) file.fail(fmt::format("found edge {} {}, expected the smaller unit first", a, b));
    if (k > 0 && city.adjacent.back() >= std::pair(a, b)) {
      file.fail(fmt::format("found edge {} {} after {} {}, expected ascending edges", a, b,
                            city.adjacent.back().first, city.adjacent.back().second));
    }
    city.adjacent.emplace_back(a, b);
  }
  return city;
}

std::vector<std::uint32_t> read_units(const WordFile& file, std::size_t first, std::size_t end) {
  std::vector<std::uint32_t> units;
  for (std::size_t field = first; field < end; ++field) {
    units.push_back(static_cast<std::uint32_t>(file.whole(field, "unit", kMostUnits)));
    if (units.size() > 1 && units[units.size() - 2] >= units.back())
      file.fail("found units out of order, expected ascending");
  }
  return units;
}

// The bytes of a binary file, taken from the front.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : path_(path), bytes_(read_file(path)) {}

  template <class T>
  T take() {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, text(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view text(std::size_t size) {
    if (bytes_.size() - position_ < size) {
      throw InputError(fmt::format("{}: found the end of the file at byte {}, expected {} more bytes", path_,
                                   bytes_.size(), size - (bytes_.size() - position_)));
    }
    position_ += size;
    return std::string_view(bytes_).substr(position_ - size, size);
  }
  bool at_end() const { return position_ == bytes_.size(); }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{} byte {}: {}", path_, position_, what));
  }
  void expect(std::int64_t found, std::size_t expected, const char* name) const {
    if (found != static_cast<std::int64_t>(expected))
      fail(fmt::format("found {} {}, expected {}", found, name, expected));
  }

 private:
  std::string path_, bytes_;
  std::size_t position_ = 0;
};

struct Files {
  const char *attributes, *simplified, *exact;
};
constexpr Files kSmall{"small_attr.txt", "small_poly.txt", "small_poly_exact.bin"};
constexpr Files kLarge{"test_attr.txt", "test_poly.txt", "test_poly_exact.bin"};
constexpr Files kSynthetic{"synth2000_attr.txt", "synth2000_poly.txt", nullptr};

std::vector<City> read_cities(const std::string& data_directory, const Files& files, CityPolygons polygons) {
  auto cities = read_city_attributes(districting_file(data_directory, files.attributes));
  if (polygons == CityPolygons::kExact && files.exact != nullptr) {
    read_exact_polygons(districting_file(data_directory, files.exact), cities);
  } else if (polygons != CityPolygons::kNone) {
    read_simplified_polygons(districting_file(data_directory, files.simplified), cities);
  }
  return cities;
}

}  // namespace

std::vector<City> read_city_attributes(const std::string& path) {
  WordFile file(path);
  std::vector<City> cities;
  while (file.next_line()) cities.push_back(read_city(file));
  if (cities.empty()) throw InputError(fmt::format("{}: found no city, expected at least one", path));
  return cities;
}

void read_simplified_polygons(const std::string& path, std::vector<City>& cities) {
  WordFile file(path);
  std::size_t next = 0;
  City* city = nullptr;
  std::size_t parts = 0;  // of the last unit so far
  std::size_t id = 0;     // units with an outline so far
  const auto expect_all = [&] {
    if (city != nullptr && id != city->units.size()) {
      file.fail(
          fmt::format("found outlines of {} units of {}, expected {}", id, city->name, city->units.size()));
    }
  };
  while (file.next_line()) {
    if (file.text(0) == "city") {
      expect_all();
      file.expect_fields(3);
      if (next == cities.size())
        file.fail(fmt::format("found city {}, expected no further city", file.text(1)));
      city = &cities[next++];
      if (file.text(1) != city->name)
        file.fail(fmt::format("found city {}, expected {}", file.text(1), city->name));
      if (file.whole(2, "number of units", kMostUnits) != city->units.size()) {
        file.fail(fmt::format("found {} units, expected {}", file.text(2), city->units.size()));
      }
      id = 0;
      continue;
    }
    expect_word(file, "p");
    if (city == nullptr) file.fail("found an outline, expected a city first");
    if (file.fields() < 4) file.fail(fmt::format("found {} fields, expected at least 4", file.fields()));
    const std::size_t unit = file.whole(1, "unit", city->units.size()),
                      part = file.whole(2, "part", kMostUnits);
    const bool goes_on = id > 0 && unit + 1 == id && part == parts;
    if (!goes_on && !(unit == id && part == 0)) {
      file.fail(fmt::format("found part {} of unit {}, expected unit {} or the next part of the unit before",
                            part, unit, id));
    }
    const std::size_t vertices = file.whole(3, "number of vertices", kMostUnits);
    if (vertices < 3) file.fail(fmt::format("found {} vertices, expected at least 3", vertices));
    file.expect_fields(4 + 2 * vertices);
    std::vector<Point> ring(vertices);
    for (std::size_t k = 0; k < vertices; ++k) {
      ring[k] = {kKilometresPerMetre * file.number(4 + 2 * k, "x"),
                 kKilometresPerMetre * file.number(5 + 2 * k, "y")};
    }
    if (goes_on) {
      city->units[unit].other_parts.push_back(std::move(ring));
      ++parts;
    } else {
      city->units[unit].ring = std::move(ring);
      city->units[unit].other_parts.clear();
      ++id;
      parts = 1;
    }
  }
  expect_all();
  if (next != cities.size()) {
    throw InputError(fmt::format("{}: found {} cities, expected {}", path, next, cities.size()));
  }
}

void read_exact_polygons(const std::string& path, std::vector<City>& cities) {
  Bytes bytes(path);
  if (bytes.text(4) != "DNP1") bytes.fail("found other bytes, expected 'DNP1'");
  bytes.expect(bytes.take<std::int32_t>(), cities.size(), "cities");
  for (City& city : cities) {
    const auto length = bytes.take<std::int32_t>();
    bytes.expect(length, city.name.size(), "letters of a city's name");
    if (const auto name = bytes.text(city.name.size()); name != city.name) {
      bytes.fail(fmt::format("found city {}, expected {}", name, city.name));
    }
    bytes.expect(bytes.take<std::int32_t>(), city.units.size(), "units");
    for (CityUnit& unit : city.units) {
      const auto vertices = bytes.take<std::int32_t>();
      if (vertices < 4) bytes.fail(fmt::format("found {} vertices, expected at least 4", vertices));
      unit.ring.clear();
      for (std::int32_t k = 0; k < vertices; ++k) {
        const auto x = bytes.take<double>(), y = bytes.take<double>();
        if (!std::isfinite(x) || !std::isfinite(y))
          bytes.fail("found a coordinate that is not finite, expected a number");
        unit.ring.push_back({x, y});
      }
      if (unit.ring.front().x != unit.ring.back().x || unit.ring.front().y != unit.ring.back().y) {
        bytes.fail("found an outline that is not closed, expected its first vertex at the end");
      }
      unit.ring.pop_back();
    }
  }
  if (!bytes.at_end()) bytes.fail("found more bytes, expected the end of the file");
}

std::vector<City> published_small_cities(const std::string& data_directory, CityPolygons polygons) {
  return read_cities(data_directory, kSmall, polygons);
}

City published_city(const std::string& data_directory, const std::string& name, CityPolygons polygons) {
  const bool small = name.starts_with("city");
  const Files& files = small ? kSmall : name == "Synth2000" ? kSynthetic : kLarge;
  auto cities = read_cities(data_directory, files, polygons);
  const auto found = std::ranges::find(cities, name, &City::name);
  if (found != cities.end()) return std::move(*found);
  std::string known;
  if (small) {
    known = fmt::format("{} to {}", cities.front().name, cities.back().name);
  } else {
    for (const City& city : cities) known += city.name + ", ";
    known += "Synth2000 or a small city such as city1";
  }
  throw InputError(fmt::format("found city '{}', expected {}", name, known));
}

std::vector<PricedDistricts> read_district_costs(const std::string& path) {
  WordFile file(path);
  std::vector<PricedDistricts> cities;
  while (file.next_line()) {
    expect_word(file, "city");
    file.expect_fields(3);
    PricedDistricts& city = cities.emplace_back();
    city.city = file.text(1);
    const std::size_t count = file.whole(2, "number of districts", kMostUnits);
    for (std::size_t k = 0; k < count; ++k) {
      file.expect_line();
      if (file.fields() < 3 || file.fields() > 5) {
        file.fail(fmt::format("found {} fields, expected a cost and 2 to 4 units", file.fields()));
      }
      city.costs.push_back(read_positive(file, 0, "cost"));
      city.districts.push_back(read_units(file, 1, file.fields()));
    }
  }
  if (cities.empty()) throw InputError(fmt::format("{}: found no city, expected at least one", path));
  return cities;
}

std::vector<OptimalDistricting> read_optimal_districtings(const std::string& path) {
  WordFile file(path);
  std::vector<OptimalDistricting> cities;
  while (file.next_line()) {
    if (file.fields() < 7) file.fail(fmt::format("found {} fields, expected at least 7", file.fields()));
    OptimalDistricting& city = cities.emplace_back();
    city.city = file.text(0);
    city.adjacent_pairs = file.whole(1, "number of edges", kMostUnits);
    for (std::size_t k = 0; k < 3; ++k) city.sets_of[k] = file.whole(2 + k, "number of sets", kMostUnits);
    city.cost = read_positive(file, 5, "cost");
    for (std::size_t first = 6, field = 6; field <= file.fields(); ++field) {
      if (field < file.fields() && file.text(field) != "|") continue;
      if (field == first) file.fail("found an empty district, expected units");
      city.districts.push_back(read_units(file, first, field));
      first = field + 1;
    }
  }
  return cities;
}

}  // namespace polystep
