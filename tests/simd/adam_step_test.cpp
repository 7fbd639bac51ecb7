// Steps of Adam against the same written out, bit for bit, for every number of parameters.
#include "simd/adam_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polystep/random.hpp"

namespace polystep {
namespace {

std::vector<double> drawn(std::size_t count, std::uint64_t number, double least) {
  RandomStream random(9, Purpose::kTest, number);
  std::vector<double> values(count);
  for (double& value : values) value = random.uniform(least, 1);
  return values;
}

TEST(AdamStep, MovesEveryParameterAsAPlainLoopDoes) {
  const AdamStep is{.first_correction = 0.271, .second_correction = 0.002997, .rate = 0.01, .factor = 0.37};
  for (const simd::InstructionSet set : {simd::InstructionSet::kBaseline, simd::InstructionSet::kAvx512}) {
    if (!simd::is_supported(set)) continue;
    for (std::size_t count = 0; count < 20; ++count) {
      const std::vector<double> gradient = drawn(count, 1, -1);
      std::vector<double> theta = drawn(count, 2, -1), first = drawn(count, 3, -1),
                          second = drawn(count, 4, 0);
      std::vector<double> plain = theta, mean = first, squares = second;
      for (std::size_t i = 0; i < count; ++i) {
        const double g = gradient[i] * is.factor;
        mean[i] = is.first_decay * mean[i] + (1 - is.first_decay) * g;
        squares[i] = is.second_decay * squares[i] + (1 - is.second_decay) * g * g;
        plain[i] -= is.rate * (mean[i] / is.first_correction) /
                    (std::sqrt(squares[i] / is.second_correction) + is.epsilon);
      }
      step_adam(is, gradient.data(), count, theta.data(), first.data(), second.data(), set);
      EXPECT_EQ(theta, plain) << count;
      EXPECT_EQ(first, mean) << count;
      EXPECT_EQ(second, squares) << count;
    }
  }
}

}  // namespace
}  // namespace polystep
