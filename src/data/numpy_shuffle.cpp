#include "data/numpy_shuffle.hpp"

#include <fmt/core.h>

#include <bit>
#include <numeric>
#include <random>
#include <utility>

#include "polystep/error.hpp"

namespace polystep {

std::vector<std::size_t> numpy_shuffled(std::size_t count, std::uint64_t seed) {
  static constexpr std::uint64_t kLargestSeed = 0xffffffff;
  if (seed > kLargestSeed) {
    throw InputError(fmt::format("shuffled split: found seed {}, expected 0 to {}", seed, kLargestSeed));
  }
  // A seeded std::mt19937 is in the very state NumPy's init_genrand makes; the standard fixes its output.
  std::mt19937 words(static_cast<std::uint32_t>(seed));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t last = count; last-- > 1;) {
    const std::size_t mask = std::bit_ceil(last + 1) - 1;  // the smallest 2^k - 1 that reaches `last`
    std::size_t chosen = words() & mask;
    while (chosen > last) chosen = words() & mask;
    std::swap(order[last], order[chosen]);
  }
  return order;
}

}  // namespace polystep
