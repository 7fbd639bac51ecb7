// Where customers ask for a visit: scenarios of random demand in the units of a city.
//
// A unit of so many inhabitants has max(3, Binomial(inhabitants, p)) customers in a scenario, anywhere in its
// polygon. Draws are those of the published evaluator, so that its scenarios can be had again: one Mersenne
// twister for a city, units in the order of their numbers, all scenarios of a unit before the next unit. The
// first units of a city thus have the same customers however many units follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

struct DemandSettings {
  std::uint32_t seed = 1;
  std::size_t scenarios = 100;
  float probability = 0;  // that an inhabitant asks for a visit
};

// Such that a district of `target_size` units of 8000 inhabitants has 96 customers; in single precision, as
// the published evaluator has it.
float demand_probability(std::size_t target_size);

class Demand {
 public:
  // A unit whose population or polygon nothing can be drawn from is an InputError.
  Demand(const City& city, const DemandSettings& settings);

  std::size_t units() const { return (offsets_.size() - 1) / scenarios_; }
  std::size_t scenarios() const { return scenarios_; }

  // km, in the order drawn.
  std::span<const Point> customers(std::size_t unit, std::size_t scenario) const {
    const std::size_t cell = unit * scenarios_ + scenario;
    return std::span(points_).subspan(offsets_[cell], offsets_[cell + 1] - offsets_[cell]);
  }

 private:
  std::size_t scenarios_;
  std::vector<Point> points_;
  std::vector<std::size_t> offsets_;  // [units × scenarios + 1] into points_
};

}  // namespace polystep
