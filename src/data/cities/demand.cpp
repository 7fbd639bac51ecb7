#include "data/cities/demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "data/cities/drawing_polygon.hpp"
#include "polystep/error.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

constexpr int kLeastCustomers = 3;
// A polygon that so many draws from its box all miss is a line or a speck.
constexpr std::size_t kMostDraws = 1'000'000;

}  // namespace

float demand_probability(std::size_t target_size) {
  if (target_size == 0) throw InputError("a district has a target size of 0 units, expected at least 1");
  return static_cast<float>(96.0 / (8000.0 * static_cast<double>(target_size)));
}

Demand::Demand(const City& city, const DemandSettings& settings) : scenarios_(settings.scenarios) {
  if (scenarios_ == 0) throw InputError("demand has 0 scenarios, expected at least 1");
  const auto probability = static_cast<double>(settings.probability);
  if (!(probability >= 0 && probability <= 1)) {
    throw InputError(fmt::format("demand has the probability {}, expected one from 0 to 1", probability));
  }
  std::mt19937 random(settings.seed);
  offsets_.reserve(city.units.size() * scenarios_ + 1);
  offsets_.push_back(0);
  for (std::size_t number = 0; number < city.units.size(); ++number) {
    stop_if_wanted();
    const CityUnit& unit = city.units[number];
    if (!(unit.population >= 0 && unit.population <= std::numeric_limits<int>::max())) {
      throw InputError(fmt::format("city {}, unit {}: the population is {}, expected 0 to {}", city.name,
                                   number, unit.population, std::numeric_limits<int>::max()));
    }
    if (unit.ring.size() < 3) {
      throw InputError(fmt::format("city {}, unit {}: its polygon has {} vertices, expected at least 3",
                                   city.name, number, unit.ring.size()));
    }
    for (const Point& vertex : unit.ring) {
      if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y)) {
        throw InputError(
            fmt::format("city {}, unit {}: its polygon has the vertex ({}, {}), expected numbers", city.name,
                        number, vertex.x, vertex.y));
      }
    }
    const DrawingPolygon polygon(unit.ring);
    const Box& box = polygon.box();
    const int inhabitants = static_cast<int>(std::floor(unit.population));
    for (std::size_t scenario = 0; scenario < scenarios_; ++scenario) {
      // Distributions are made anew for every draw: they may keep numbers back.
      const int count =
          std::max(kLeastCustomers, std::binomial_distribution<int>(inhabitants, probability)(random));
      for (int i = 0; i < count; ++i) {
        Point customer;
        std::size_t draws = 0;
        do {
          if (++draws > kMostDraws) {
            throw InputError(
                fmt::format("city {}, unit {}: {} random points of its box are all outside its "
                            "polygon, expected a polygon with an inside",
                            city.name, number, kMostDraws));
          }
          customer.x = std::uniform_real_distribution<double>(box.x_min, box.x_max)(random);
          customer.y = std::uniform_real_distribution<double>(box.y_min, box.y_max)(random);
        } while (!polygon.contains(customer));
        points_.push_back(customer);
      }
      offsets_.push_back(points_.size());
    }
  }
}

}  // namespace polystep
