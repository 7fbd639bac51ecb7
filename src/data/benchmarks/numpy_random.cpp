#include "data/benchmarks/numpy_random.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "polystep/error.hpp"

namespace polystep {
namespace {

std::uint32_t checked_seed(std::uint64_t seed, const char* where) {
  static constexpr std::uint64_t kLargestSeed = 0xffffffff;
  if (seed > kLargestSeed)
    throw InputError(fmt::format("{}: found seed {}, expected 0 to {}", where, seed, kLargestSeed));
  return static_cast<std::uint32_t>(seed);
}

}  // namespace

// A seeded std::mt19937 is in the very state NumPy's init_genrand makes; the standard fixes its output.
NumpyRandom::NumpyRandom(std::uint64_t seed, const char* where) : words_(checked_seed(seed, where)) {}

double NumpyRandom::uniform() {
  const auto high = static_cast<double>(words_() >> 5), low = static_cast<double>(words_() >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double NumpyRandom::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint32_t NumpyRandom::up_to(std::uint32_t last) {
  if (last == 0) return 0;  // takes no draw
  const std::uint32_t mask =
      ~std::uint32_t{0} >> std::countl_zero(last);  // the least 2^k - 1 that reaches it
  std::uint32_t chosen = static_cast<std::uint32_t>(words_()) & mask;
  while (chosen > last) chosen = static_cast<std::uint32_t>(words_()) & mask;
  return chosen;
}

// NumPy inverts the distribution function: 1 where the draw is above the probability of 0.
bool NumpyRandom::coin() { return uniform() > 0.5; }

double NumpyRandom::gumbel(double location, double scale) {
  while (true) {
    const double draw = 1.0 - uniform();
    if (draw < 1.0) return location - scale * std::log(-std::log(draw));
  }
}

std::vector<std::size_t> NumpyRandom::permutation(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t last = count; last-- > 1;)
    std::swap(order[last], order[up_to(static_cast<std::uint32_t>(last))]);
  return order;
}

}  // namespace polystep
