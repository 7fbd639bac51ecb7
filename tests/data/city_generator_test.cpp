#include "data/cities/city_generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/cities/touching_units.hpp"
#include "data/published_files.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep {
namespace {

TEST(CityGenerator, UniformNumbersHaveTheirCheckValues) {
  EXPECT_EQ(lattice_uniform(1, 0, 0), 0.043031715780525004);
  EXPECT_EQ(lattice_uniform(2, 3, 4), 0.04466982244318152);
  EXPECT_EQ(lattice_uniform(3, 5, 6), 0.7570758851914577);
}

TEST(CityGenerator, TheLargeCityIsTheRecipes) {
  const City city = synthetic_city();
  ASSERT_EQ(city.units.size(), 2000u);
  EXPECT_EQ(city.adjacent.size(), 5821u);
  double area = 0, smallest = 1e9, largest = 0, population = 0;
  Box box = city.units[0].box_plane;
  for (const CityUnit& unit : city.units) {
    area += unit.area, population += unit.population;
    smallest = std::min(smallest, unit.area), largest = std::max(largest, unit.area);
    box.x_min = std::min(box.x_min, unit.box_plane.x_min),
    box.x_max = std::max(box.x_max, unit.box_plane.x_max);
    box.y_min = std::min(box.y_min, unit.box_plane.y_min),
    box.y_max = std::max(box.y_max, unit.box_plane.y_max);
  }
  EXPECT_NEAR(area, 1090.509, 5e-4);
  EXPECT_NEAR(smallest, 0.0696, 5e-5);
  EXPECT_NEAR(largest, 1.4693, 5e-5);
  EXPECT_EQ(population, 5019901);
  EXPECT_NEAR(box.x_min, -21.462, 5e-4);
  EXPECT_NEAR(box.x_max, 21.270, 5e-4);
  EXPECT_NEAR(box.y_min, -16.914, 5e-4);
  EXPECT_NEAR(box.y_max, 16.949, 5e-4);
  EXPECT_EQ(city.units[0].population, 3232);
  EXPECT_NEAR(city.units[0].area, 0.0987219475, 5e-11);
  EXPECT_NEAR(city.units[0].perimeter, 1.3257284703, 5e-11);
}

// Borders found by geometry are the lattice's.
TEST(CityGenerator, NeighboursAreThoseWhoseOutlinesTouch) {
  for (const City& city :
       {synthetic_city(150), synthetic_city(3000, 4).first(400), small_synthetic_cities(1, 3)[0]}) {
    std::vector<Rings> outlines;
    for (const CityUnit& unit : city.units) outlines.push_back({unit.ring});
    EXPECT_EQ(touching_units(outlines), city.adjacent);
  }
}

TEST(CityGenerator, EverySizeAndSeedIsInOnePiece) {
  for (const std::size_t units : {1u, 2u, 119u, 2000u, 2001u, 5000u}) {
    for (const std::uint64_t seed : {0u, 1u}) {
      const City city = synthetic_city(units, seed);
      EXPECT_EQ(city.units.size(), units);
      for (const CityUnit& unit : city.units) {
        ASSERT_GT(unit.area, 0);
        ASSERT_LT(self_contact(unit.ring), 0);
        ASSERT_GE(unit.population, 800);
        ASSERT_LE(unit.population, 6000);
      }
      const auto component = solvers::components_of(units, city.adjacent);
      EXPECT_TRUE(std::ranges::all_of(component, [](auto c) { return c == 0; })) << units;
    }
  }
  EXPECT_NE(synthetic_city(100, 0).units[0].area, synthetic_city(100, 1).units[0].area);
  EXPECT_EQ(synthetic_city(100).units[99].area, synthetic_city(2000).units[99].area);
  EXPECT_INPUT_ERROR(synthetic_city(0), "found 0 units", "expected 1 to 1000000");
}

TEST(CityGenerator, SmallCitiesResembleTheBenchmarks) {
  const auto cities = small_synthetic_cities(60, 1);
  double pairs = 0, population = 0, squares = 0;
  for (const City& city : cities) {
    ASSERT_EQ(city.units.size(), 30u);
    pairs += static_cast<double>(city.adjacent.size());
    EXPECT_TRUE(std::ranges::is_sorted(city.adjacent));
    for (const CityUnit& unit : city.units) {
      EXPECT_GE(unit.population, 5000);
      EXPECT_LE(unit.population, 20000);
      EXPECT_EQ(unit.population, std::floor(unit.population));
      EXPECT_NEAR(unit.density, unit.population / unit.area, 1e-9);
      population += unit.population, squares += unit.population * unit.population;
    }
  }
  EXPECT_NEAR(pairs / 60, 56.9, 6);
  const double mean = population / 1800;
  EXPECT_NEAR(mean, 8268, 150);
  EXPECT_NEAR(std::sqrt(squares / 1800 - mean * mean), 1770, 120);
  // The same cities however many are drawn, and others for another seed.
  const auto few = small_synthetic_cities(3, 1), others = small_synthetic_cities(3, 2);
  EXPECT_EQ(few[2].adjacent, cities[2].adjacent);
  EXPECT_EQ(few[2].units[5].population, cities[2].units[5].population);
  EXPECT_NE(few[2].units[5].population, others[2].units[5].population);
  EXPECT_INPUT_ERROR(small_synthetic_cities(1, 1, 500), "found 500 units", "expected at most 130");
}

TEST(CityGenerator, DrawnCitiesHoldTogetherAndCanBeDivided) {
  const std::vector<CitySize> sizes = {{30, 3}, {60, 12}, {120, 30}};
  const std::vector<City> cities = drawn_cities(9, 4, sizes);
  ASSERT_EQ(cities.size(), 9u);
  for (std::size_t k = 0; k < cities.size(); ++k) {
    const City& city = cities[k];
    ASSERT_EQ(city.units.size(), sizes[k % 3].units);
    // Throws where units do not hang together.
    const solvers::DistrictGraph graph(
        city.units.size(), city.adjacent,
        solvers::DistrictSizes::for_target(city.units.size(), sizes[k % 3].target));
    EXPECT_EQ(graph.units(), city.units.size());
    for (const CityUnit& unit : city.units) {
      EXPECT_GT(unit.area, 0);  // no wave folds the lattice
      EXPECT_GE(unit.population, 1500);
    }
  }
  const City again = drawn_city(7, 4, sizes[1]);
  ASSERT_EQ(again.units.size(), cities[7].units.size());
  EXPECT_EQ(again.adjacent, cities[7].adjacent);
  EXPECT_EQ(again.units[5].population, cities[7].units[5].population);
  EXPECT_NE(drawn_city(7, 5, sizes[1]).units[5].population, again.units[5].population);
}

}  // namespace
}  // namespace polystep
