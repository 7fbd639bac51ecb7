#include "data/cities/demand.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "data/cities/drawing_polygon.hpp"
#include "data/square_city.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using testing::square_city;

// Even-odd, without tolerance, over all edges.
bool plainly_inside(const std::vector<Point>& ring, Point point) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    if ((ring[i].y > point.y) == (ring[j].y > point.y)) continue;
    const double x = (ring[j].x - ring[i].x) * (point.y - ring[i].y) / (ring[j].y - ring[i].y) + ring[i].x;
    if (point.x < x) inside = !inside;
  }
  return inside;
}

double distance_to_border(const std::vector<Point>& ring, Point point) {
  double nearest = 1e9;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double t =
        square == 0 ? 0 : std::clamp(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0.0, 1.0);
    nearest = std::min(nearest, std::hypot(a.x + t * dx - point.x, a.y + t * dy - point.y));
  }
  return nearest;
}

std::vector<Point> star(RandomStream& random, std::size_t corners, double radius) {
  std::vector<Point> ring;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(corners);
    const double r = radius * random.uniform(0.3, 1.0);
    ring.push_back({3 + r * std::cos(angle), -2 + r * std::sin(angle)});
  }
  return ring;
}

TEST(DrawingPolygon, IsThePlainTestAwayFromTheBorder) {
  RandomStream random(1, Purpose::kTest);
  for (std::size_t corners = 3; corners < 400; corners += 13) {
    const std::vector<Point> ring = star(random, corners, 2);
    const DrawingPolygon polygon(ring);
    std::size_t compared = 0;
    for (int i = 0; i < 500; ++i) {
      const Point point{random.uniform(0.5, 5.5), random.uniform(-4.5, 0.5)};
      // The tolerance reaches 1e-5 km2 / length of an edge into the polygon.
      double shortest = 1e9;
      for (std::size_t k = 0; k < ring.size(); ++k) {
        const Point a = ring[k], b = ring[(k + 1) % ring.size()];
        shortest = std::min(shortest, std::hypot(a.x - b.x, a.y - b.y));
      }
      if (distance_to_border(ring, point) < 1e-5 / shortest + 1e-6) continue;
      ++compared;
      ASSERT_EQ(polygon.contains(point), plainly_inside(ring, point)) << corners;
    }
    EXPECT_GT(compared, 250u);
  }
}

// The published test as it is written down: all edges, in order.
bool published_inside(const std::vector<Point>& ring, Point p) {
  const auto side = [](Point a, Point b, Point c) {
    const double value = (b.y - a.y) * (c.x - b.x) - (b.x - a.x) * (c.y - b.y);
    return std::abs(value) < 1e-5 ? 0 : value > 0 ? 1 : 2;
  };
  const auto on = [](Point a, Point b, Point c) {
    return b.x <= std::max(a.x, c.x) && b.x >= std::min(a.x, c.x) && b.y <= std::max(a.y, c.y) &&
           b.y >= std::min(a.y, c.y);
  };
  const Point far{10000, p.y};
  int count = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    const int o1 = side(a, b, p), o2 = side(a, b, far), o3 = side(p, far, a), o4 = side(p, far, b);
    if ((o1 != o2 && o3 != o4) || (o1 == 0 && on(a, p, b)) || (o2 == 0 && on(a, far, b)) ||
        (o3 == 0 && on(p, a, far)) || (o4 == 0 && on(p, b, far))) {
      if (side(a, p, b) == 0) return on(a, p, b);
      ++count;
    }
  }
  return count % 2 == 1;
}

// Slices leave out only edges that cannot matter: on the border, at the height of vertices, in polygons so
// small that the tolerance decides, the answers are those of the whole loop.
TEST(DrawingPolygon, IsThePublishedTestEverywhere) {
  RandomStream random(2, Purpose::kTest);
  std::size_t inside = 0, asked = 0;
  for (std::size_t instance = 0; instance < 300; ++instance) {
    const double radius = instance % 3 == 0 ? 0.01 : instance % 3 == 1 ? 0.1 : 3;
    std::vector<Point> ring = star(random, 3 + random.below(60), radius);
    if (instance % 5 == 0)
      for (Point& vertex : ring) vertex.y = std::round(vertex.y * 20 / radius) * radius / 20;
    const DrawingPolygon polygon(ring);
    for (int i = 0; i < 200; ++i) {
      Point point{random.uniform(3 - radius, 3 + radius), random.uniform(-2 - radius, -2 + radius)};
      const Point a = ring[random.below(ring.size())], b = ring[random.below(ring.size())];
      if (i % 4 == 1) point.y = a.y;
      if (i % 4 == 2) point = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
      if (i % 40 == 3) point = a;
      const bool expected = published_inside(ring, point);
      ASSERT_EQ(polygon.contains(point), expected) << instance << " " << i;
      inside += expected ? 1 : 0;
      ++asked;
    }
  }
  EXPECT_GT(inside, asked / 10);
  EXPECT_LT(inside, asked * 9 / 10);
}

TEST(Demand, ProbabilitiesAreThoseOfTheBenchmark) {
  EXPECT_EQ(demand_probability(3), 0.004f);
  EXPECT_EQ(demand_probability(6), 0.002f);
  EXPECT_EQ(demand_probability(12), 0.001f);
  EXPECT_EQ(demand_probability(20), 0.0006f);
  EXPECT_EQ(demand_probability(30), 0.0004f);
}

TEST(Demand, HasAsManyCustomersAsExpectedAllInTheirUnit) {
  const City city = square_city(4, 3);
  const Demand demand(city, {.seed = 5, .scenarios = 400, .probability = 0.002f});
  ASSERT_EQ(demand.units(), 12u);
  for (std::size_t unit = 0; unit < 12; ++unit) {
    double count = 0, x = 0;
    for (std::size_t scenario = 0; scenario < 400; ++scenario) {
      for (const Point& customer : demand.customers(unit, scenario)) {
        EXPECT_TRUE(plainly_inside(city.units[unit].ring, customer));
        x += customer.x;
        ++count;
      }
    }
    // Five standard errors; the least number of three hardly matters at twelve on average.
    const double mean = 0.002 * city.units[unit].population;
    EXPECT_NEAR(count / 400, mean, 5 * std::sqrt(mean / 400));
    EXPECT_NEAR(x / count, 0.5 * (city.units[unit].box_plane.x_min + city.units[unit].box_plane.x_max),
                5 * std::sqrt(1.0 / 12 / count));
  }
}

TEST(Demand, UnitsHaveAtLeastThreeCustomers) {
  const Demand demand(square_city(3, 1, 0), {.seed = 1, .scenarios = 50, .probability = 0});
  for (std::size_t unit = 0; unit < 3; ++unit)
    for (std::size_t scenario = 0; scenario < 50; ++scenario)
      EXPECT_EQ(demand.customers(unit, scenario).size(), 3u);
}

TEST(Demand, FirstUnitsHaveTheSameCustomersInALargerCity) {
  const City city = square_city(5, 4);
  const DemandSettings settings{.seed = 3, .scenarios = 10, .probability = 0.001f};
  const Demand whole(city, settings), part(city.first(7), settings);
  for (std::size_t unit = 0; unit < 7; ++unit) {
    for (std::size_t scenario = 0; scenario < 10; ++scenario) {
      const auto one = whole.customers(unit, scenario), other = part.customers(unit, scenario);
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].x, other[i].x);
        EXPECT_EQ(one[i].y, other[i].y);
      }
    }
  }
}

TEST(Demand, RefusesWhatNothingCanBeDrawnFrom) {
  const DemandSettings settings{.seed = 3, .scenarios = 2, .probability = 0.001f};
  City city = square_city(2, 2);
  // Twice around a large square: every ray leaves it as often as it enters.
  city.units[3].ring = {{0, 0}, {900, 0}, {900, 900}, {0, 900}, {0, 0}, {900, 0}, {900, 900}, {0, 900}};
  EXPECT_EQ(input_error([&] { Demand(city, settings); }),
            "city squares, unit 3: 1000000 random points of its box are all outside its polygon, expected a "
            "polygon with an inside");
  city.units[3].ring = {{0, 0}, {1, std::nan("")}, {2, 2}};
  EXPECT_EQ(input_error([&] { Demand(city, settings); }),
            "city squares, unit 3: its polygon has the vertex (1, nan), expected numbers");
  city.units[2].ring.resize(2);
  EXPECT_EQ(input_error([&] { Demand(city, settings); }),
            "city squares, unit 2: its polygon has 2 vertices, expected at least 3");
  city.units[1].population = -1;
  EXPECT_EQ(input_error([&] { Demand(city, settings); }),
            "city squares, unit 1: the population is -1, expected 0 to 2147483647");
  EXPECT_EQ(input_error([&] { Demand(square_city(1, 1), {.seed = 1, .scenarios = 0, .probability = 0}); }),
            "demand has 0 scenarios, expected at least 1");
  EXPECT_EQ(input_error([&] { Demand(square_city(1, 1), {.seed = 1, .scenarios = 1, .probability = 2}); }),
            "demand has the probability 2, expected one from 0 to 1");
}

}  // namespace
}  // namespace polystep
