// Real weights of pairs as whole numbers, with ties settled.
//
// One unit is a power of two, chosen so that the largest weight is a little below 2^51 units (less where more
// headroom is asked for). Every pair then gives up a fixed amount of 1 to 2^20 units that depends on its
// place alone. Two sets of pairs of equal total weight thus differ in units, and the solver's choice among
// them depends on nothing but this rule; a pair that is worth nothing is left out. The rule moves the weight
// of a pair by about 2^-30 of the largest weight, so it decides only between sets that agree to about nine
// digits.
#pragma once

#include <span>
#include <vector>

#include "solvers/matching/assignment.hpp"

namespace polystep::solvers {

class WeightUnits {
 public:
  static constexpr int kLeastHeadroom = 5;  // so that weights have at most 51 bits, which rounding needs

  // `headroom` powers of two (kLeastHeadroom or more) are left free between the largest weight and the
  // largest the assignment takes, for prices added later.
  WeightUnits(std::size_t pairs, int headroom);

  // Returns the largest power of two, in units, that divides every weight before the tie rule. Throws an
  // InputError where a weight is not finite. weights, units: [pairs]
  Units convert(std::span<const double> weights, std::span<Units> units) const;

 private:
  int largest_bits_;
  std::vector<Units> tie_loss_;  // [pairs]
};

}  // namespace polystep::solvers
