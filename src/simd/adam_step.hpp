// One step of Adam on many parameters at once. Every parameter is moved by itself, so that its bits are those
// of a plain loop.
#pragma once

#include <cstddef>

#include "simd/lanes.hpp"

namespace polystep {

struct AdamStep {
  double first_decay = 0.9, second_decay = 0.999;      // of the means below
  double first_correction = 1, second_correction = 1;  // what these lack of full weight, as divisors
  double epsilon = 1e-8;
  double rate = 0;
  double factor = 1;  // of the gradient
};

// theta, first (decayed mean of gradients) and second (of their squares): [count].
void step_adam(const AdamStep& is, const double* gradient, std::size_t count, double* theta, double* first,
               double* second, simd::InstructionSet set = simd::best_instruction_set());

}  // namespace polystep
