#include "solvers/knapsack/weight_units.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

constexpr int kTieBits = 20;

// The finaliser of SplitMix64: neighbouring pairs get unrelated numbers.
std::uint64_t scatter(std::uint64_t pair) {
  std::uint64_t bits = (pair + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

[[noreturn]] void refuse(std::span<const double> weights) {
  std::size_t pair = 0;
  while (std::isfinite(weights[pair])) ++pair;
  throw InputError(
      fmt::format("matching: the weight of pair {} is {}, expected a finite number", pair, weights[pair]));
}

}  // namespace

WeightUnits::WeightUnits(std::size_t pairs, int headroom)
    : largest_bits_(Assignment::kLargestBits - std::max(headroom, kLeastHeadroom)) {
  tie_loss_.reserve(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    tie_loss_.push_back(1 + static_cast<Units>(scatter(pair) >> (64 - kTieBits)));
  }
}

Units WeightUnits::convert(std::span<const double> weights, std::span<Units> units) const {
  double largest = 0.0;
  bool finite = true;
  for (const double weight : weights) {
    const double size = std::abs(weight);
    finite &= size <= std::numeric_limits<double>::max();
    largest = std::max(largest, size);
  }
  if (!finite) refuse(weights);
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  // A scale beyond the range of doubles belongs to weights so small that all of them are as good as 0.
  const double scale = std::ldexp(1.0, std::min(largest_bits_ - exponent, 1023));
  // Adding and taking away 1.5 * 2^52 rounds to whole numbers; unlike a call of round it is SIMD code.
  constexpr double kRounder = 6755399441055744.0;
  Units digits = 0;
  for (std::size_t pair = 0; pair < weights.size(); ++pair) {
    const auto whole = static_cast<Units>((weights[pair] * scale + kRounder) - kRounder);
    digits |= whole;
    units[pair] = whole - tie_loss_[pair];
  }
  return digits == 0 ? Units{1} << largest_bits_ : digits & -digits;
}

}  // namespace polystep::solvers
