#include "data/cities/city_generator.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "data/cities/city_graph.hpp"
#include "data/cities/touching_units.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "solvers/spanning_tree/district_start.hpp"

namespace polystep {
namespace {

// splitmix64
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

constexpr std::size_t kUnits = 2000;  // of the smallest lattice
constexpr std::size_t kColumns = 50, kRows = 40;
constexpr Point kReference{2.35, 48.86};
constexpr double kKilometresPerLongitude = 111.320;  // on the equator
constexpr double kKilometresPerLatitude = 110.574;

// Pushes corners along its own direction, so that cells are narrow in some places and wide in others.
struct Wave {
  double push_x = 0, push_y = 0;  // cells
  double turn_x = 0, turn_y = 0;  // radians per cell
  double phase = 0;
};

struct Lattice {
  std::size_t columns = kColumns, rows = kRows;
  std::uint64_t seed = 0;
  Point reference = kReference;
  double stretch = 1;  // of all lengths
  std::vector<Wave> waves = {};

  std::uint64_t cell(std::size_t i, std::size_t j) const {
    return std::max<std::size_t>(64, std::bit_ceil(rows)) * i + j;
  }

  // Corner (h, v), h in half columns: jittered, and pulled towards the middle.
  Point corner(std::size_t h, std::size_t v) const {
    double x = static_cast<double>(h) / 2 + 0.30 * (lattice_uniform(1, h, v, seed) - 0.5);
    double y = static_cast<double>(v) + 0.40 * (lattice_uniform(2, h, v, seed) - 0.5);
    for (const Wave& wave : waves) {
      const double push = std::sin(wave.turn_x * x + wave.turn_y * y + wave.phase);
      x += wave.push_x * push, y += wave.push_y * push;
    }
    const double dx = x - (static_cast<double>(columns) / 2 + 0.25), dy = y - static_cast<double>(rows) / 2;
    const double r = std::hypot(dx, dy) / (static_cast<double>(columns) / 2);
    const double s = stretch * 0.72 * (0.40 + 0.60 * r);
    return {dx * s, dy * s};
  }

  double population(std::size_t i, std::size_t j) const {
    for (std::uint64_t k = 0;; ++k) {
      const double z = std::sqrt(-2 * std::log(1 - lattice_uniform(3, cell(i, j), 2 * k, seed))) *
                       std::cos(2 * std::numbers::pi * lattice_uniform(3, cell(i, j), 2 * k + 1, seed));
      const double drawn = 2500 + 700 * z;
      if (drawn >= 800 && drawn <= 6000) return std::floor(drawn);
    }
  }

  Point in_degrees(Point p) const {
    return {reference.x + p.x / (kKilometresPerLongitude * std::cos(reference.y * std::numbers::pi / 180)),
            reference.y + p.y / kKilometresPerLatitude};
  }

  CityUnit unit(std::size_t i, std::size_t j, Point& centre) const {
    const std::size_t h = 2 * i + j % 2;
    CityUnit unit;
    unit.ring = {corner(h, j),         corner(h + 1, j),     corner(h + 2, j),
                 corner(h + 2, j + 1), corner(h + 1, j + 1), corner(h, j + 1)};
    unit.area = signed_area(unit.ring);
    unit.perimeter = ring_length(unit.ring);
    unit.population = population(i, j);
    unit.density = unit.population / unit.area;
    unit.box_plane = box_of(unit.ring);
    const Point low = in_degrees({unit.box_plane.x_min, unit.box_plane.y_min});
    const Point high = in_degrees({unit.box_plane.x_max, unit.box_plane.y_max});
    unit.box_degrees = {low.x, high.x, low.y, high.y};
    centre = ring_centroid(unit.ring);
    unit.centre_degrees = in_degrees(centre);
    return unit;
  }

  City city() const {
    struct Cell {
      double distance;
      std::size_t number;  // j * columns + i
      CityUnit unit;
    };
    std::vector<Cell> cells;
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        Point centre;
        CityUnit own = unit(i, j, centre);
        cells.push_back({std::round(std::hypot(centre.x, centre.y) * 1e9), j * columns + i, std::move(own)});
      }
    }
    std::ranges::sort(cells, [](const Cell& a, const Cell& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
    });
    std::vector<std::uint32_t> place(cells.size());
    for (std::uint32_t k = 0; k < cells.size(); ++k) place[cells[k].number] = k;
    City city;
    city.reference_degrees = reference;
    for (Cell& cell : cells) city.units.push_back(std::move(cell.unit));
    const auto touch = [&](std::size_t a, std::size_t b) {
      city.adjacent.push_back(std::minmax(place[a], place[b]));
    };
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        const std::size_t own = j * columns + i;
        if (i + 1 < columns) touch(own, own + 1);
        if (j + 1 == rows) continue;
        const std::size_t right = i + j % 2;  // of the two cells above
        if (right > 0) touch(own, (j + 1) * columns + right - 1);
        if (right < columns) touch(own, (j + 1) * columns + right);
      }
    }
    std::ranges::sort(city.adjacent);
    return city;
  }
};

// A whole number of inhabitants, as in the benchmark's small cities.
double draw_population(RandomStream& random) {
  for (;;) {
    const double drawn = 8000 + 2000 * random.normal();
    if (drawn >= 5000 && drawn <= 20000) return std::floor(drawn);
  }
}

// Units of a base city, grown from one by neighbours of what is there already.
std::vector<std::uint32_t> grow(const solvers::DistrictGraph& base, std::size_t units, RandomStream& random) {
  constexpr std::size_t kCentral = 300, kCentralWeight = 10;
  std::uint64_t start = 0;
  if (base.units() > kCentral) {
    const std::uint64_t drawn = random.below(kCentralWeight * kCentral + base.units() - kCentral);
    start =
        drawn < kCentralWeight * kCentral ? drawn / kCentralWeight : drawn - (kCentralWeight - 1) * kCentral;
  } else {
    start = random.below(base.units());
  }
  std::vector<std::uint32_t> grown{static_cast<std::uint32_t>(start)}, pool;
  std::vector<std::uint8_t> seen(base.units());
  seen[start] = 1;
  const auto see = [&](std::uint32_t unit) {
    for (const auto& next : base.neighbours(unit)) {
      if (seen[next.unit]) continue;
      seen[next.unit] = 1;
      pool.push_back(next.unit);
    }
  };
  see(grown.front());
  while (grown.size() < units) {
    const std::uint64_t at = random.below(pool.size());
    grown.push_back(pool[at]);
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(at));
    see(grown.back());
  }
  return grown;
}

City cut_out(const City& base, std::vector<std::uint32_t> units, RandomStream& random, double level = 1) {
  std::ranges::sort(units);
  constexpr std::uint32_t kOutside = ~0u;
  std::vector<std::uint32_t> number(base.units.size(), kOutside);
  City city;
  city.reference_degrees = base.reference_degrees;
  for (const std::uint32_t unit : units) {
    number[unit] = static_cast<std::uint32_t>(city.units.size());
    city.units.push_back(base.units[unit]);
    city.units.back().population = std::floor(level * draw_population(random));
    city.units.back().density = city.units.back().population / city.units.back().area;
  }
  for (const auto& [a, b] : base.adjacent) {
    if (number[a] != kOutside && number[b] != kOutside) city.adjacent.emplace_back(number[a], number[b]);
  }
  return city;
}

constexpr std::uint64_t kDrawnAttempts = 1000;  // number draws of other shapes than small cities have

// A lattice of some more cells than there are to be units, with three waves; none folds it.
Lattice drawn_lattice(std::size_t units, RandomStream& random) {
  constexpr double kSteepest = 0.28;  // of each wave: three of them stay below 1
  const double cells = static_cast<double>(units) * (1.5 + 2.5 * random.uniform());
  Lattice lattice;
  lattice.columns = static_cast<std::size_t>(std::ceil(std::sqrt(1.25 * cells)));
  lattice.rows = static_cast<std::size_t>(std::ceil(cells / static_cast<double>(lattice.columns)));
  lattice.seed = random.bits() | 1;
  lattice.reference = {-2.5 + 5 * random.uniform(), 43 + 11 * random.uniform()};
  lattice.stretch = std::exp(1.2 * random.uniform());
  for (int k = 0; k < 3; ++k) {
    const double direction = 2 * std::numbers::pi * random.uniform();
    const double turn = 2 * std::numbers::pi / (4 + 10 * random.uniform());  // a wave is 4 to 14 cells long
    const double push = kSteepest * random.uniform() / turn;
    lattice.waves.push_back({push * std::cos(direction), push * std::sin(direction),
                             turn * std::cos(direction), turn * std::sin(direction),
                             2 * std::numbers::pi * random.uniform()});
  }
  return lattice;
}

// The units nearest to one of them that lies well inside.
std::vector<std::uint32_t> disc(const City& base, std::size_t units, RandomStream& random) {
  const Point centre =
      base.units[random.below(std::max<std::size_t>(1, base.units.size() / 4))].centre_degrees;
  const double narrow = std::cos(centre.y * std::numbers::pi / 180);
  std::vector<std::uint32_t> order(base.units.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t unit) {
    const Point at = base.units[unit].centre_degrees;
    return std::hypot((at.x - centre.x) * narrow, at.y - centre.y);
  });
  order.resize(units);
  return order;
}

}  // namespace

double lattice_uniform(std::uint64_t tag, std::uint64_t a, std::uint64_t b, std::uint64_t seed) {
  const std::uint64_t own = seed == 0 ? 2000 + tag : mixed(seed) ^ (2000 + tag);
  return static_cast<double>(mixed(mixed(mixed(own) ^ a) ^ b) >> 11) * 0x1p-53;
}

City synthetic_city(std::size_t units, std::uint64_t seed) {
  if (units == 0 || units > 1'000'000) {
    throw InputError(fmt::format("synthetic city: found {} units, expected 1 to 1000000", units));
  }
  Lattice lattice{.seed = seed};
  if (units > kUnits) {  // of the same proportions
    lattice.columns = static_cast<std::size_t>(std::ceil(std::sqrt(1.25 * static_cast<double>(units))));
    lattice.rows = (units + lattice.columns - 1) / lattice.columns;
  }
  City city = lattice.city();
  if (units != city.units.size()) city = city.first(units);
  city.name = fmt::format("Synth{}", units);
  return city;
}

City drawn_city(std::size_t k, std::uint64_t data_seed, CitySize size) {
  const auto [units, target] = size;
  const auto limits = solvers::DistrictSizes::for_target(units, target);
  for (std::uint64_t attempt = 0; attempt < kDrawnAttempts; ++attempt) {
    RandomStream random(data_seed, Purpose::kCity, k, kDrawnAttempts + attempt);
    const City base = drawn_lattice(units, random).city();
    const double level = std::exp(-1.2 * random.uniform());  // units of 2,400 to 8,000 inhabitants
    std::vector<std::uint32_t> chosen;
    if (random.uniform() < 0.5) {
      chosen = disc(base, units, random);
    } else {
      const solvers::DistrictGraph graph(base.units.size(), base.adjacent,
                                         {.target = 1, .lower = 1, .upper = base.units.size(), .count = 1});
      chosen = grow(graph, units, random);
    }
    City city = cut_out(base, std::move(chosen), random, level);
    const std::vector<std::uint32_t> parts = solvers::components_of(units, city.adjacent);
    if (std::ranges::any_of(parts, [&](std::uint32_t part) { return part != parts[0]; })) continue;
    const solvers::DistrictGraph graph(units, city.adjacent, limits);
    if (solvers::start_districts(graph, std::vector<double>(graph.edges(), 1.0)).violation() > 0) continue;
    city.name = fmt::format("drawn{}", k + 1);
    return city;
  }
  throw InputError(fmt::format(
      "drawn cities: found no city of {} units that divides into districts of {} to {}, expected other sizes",
      units, limits.lower, limits.upper));
}

std::vector<City> drawn_cities(std::size_t count, std::uint64_t data_seed,
                               const std::vector<CitySize>& sizes) {
  if (sizes.empty()) throw InputError("drawn cities: found no sizes, expected at least one");
  std::vector<City> cities;
  for (std::size_t k = 0; k < count; ++k) cities.push_back(drawn_city(k, data_seed, sizes[k % sizes.size()]));
  return cities;
}

std::vector<City> small_synthetic_cities(std::size_t count, std::uint64_t data_seed, std::size_t units,
                                         std::size_t target) {
  // Base cities differ in size and in how wide their units are; the latter follow the benchmark's areas.
  struct Base {
    std::size_t columns, rows;
    double stretch;
    Point reference;
  };
  constexpr std::array<Base, 5> kBases{{{13, 10, 1.2, {-1.5, 52.4}},
                                        {16, 12, 1.8, {-0.1, 51.5}},
                                        {20, 16, 2.4, {-2.2, 53.5}},
                                        {26, 20, 1.5, {-1.9, 52.5}},
                                        {38, 30, 3.0, {-1.5, 53.8}}}};
  const auto sizes = solvers::DistrictSizes::for_target(units, target);
  std::vector<City> bases;
  std::vector<solvers::DistrictGraph> graphs;
  std::size_t total = 0;
  for (std::size_t k = 0; k < kBases.size(); ++k) {
    const auto& [columns, rows, stretch, reference] = kBases[k];
    const std::uint64_t seed = mixed(data_seed) + k + 1;
    bases.push_back(Lattice{columns, rows, seed, reference, stretch}.city());
    graphs.emplace_back(
        bases[k].units.size(), bases[k].adjacent,
        solvers::DistrictSizes{.target = 1, .lower = 1, .upper = bases[k].units.size(), .count = 1});
    total += bases[k].units.size();
  }
  if (units > bases.front().units.size()) {
    throw InputError(
        fmt::format("small cities: found {} units, expected at most {}", units, bases.front().units.size()));
  }
  std::vector<City> cities;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::uint64_t attempt = 0;; ++attempt) {
      RandomStream random(data_seed, Purpose::kCity, k, attempt);
      std::uint64_t drawn = random.below(total);
      std::size_t base = 0;
      while (drawn >= bases[base].units.size()) drawn -= bases[base++].units.size();
      City city = cut_out(bases[base], grow(graphs[base], units, random), random);
      // Some shapes cannot be divided: say a unit with several neighbours that have no other.
      const solvers::DistrictGraph graph(units, city.adjacent, sizes);
      const std::vector<double> weights(graph.edges(), 1.0);
      if (solvers::start_districts(graph, weights).violation() > 0) continue;
      city.name = fmt::format("small{}", k + 1);
      cities.push_back(std::move(city));
      break;
    }
  }
  return cities;
}

}  // namespace polystep
