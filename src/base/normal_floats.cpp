// Normal numbers in single precision, for bases of hundreds of millions of entries.
//
// Box and Muller's transformation of pairs, with the logarithm, sine and cosine written out as polynomials:
// the loops vectorise, and their bits do not depend on the machine's mathematical library.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kPairs = 128;  // at a time

// For u above 0, to about two units in the last place.
inline float logarithm(float u) {
  constexpr std::int32_t kRootHalf = 0x3f3504f3;  // bits of sqrt(1/2), where the mantissa's range begins
  const auto bits = std::bit_cast<std::int32_t>(u);
  const std::int32_t exponent = (bits - kRootHalf) >> 23;
  const float f = std::bit_cast<float>(bits - exponent * (1 << 23)) - 1.0f;
  const float z = f * f;
  float p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  return f + (p * f * z - 0.5f * z) + static_cast<float>(exponent) * 0.693147181f;
}

// Sine and cosine of `turns` times a full turn, -1/2 to 1/2.
inline void sine_and_cosine(float turns, float& sine, float& cosine) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves a whole number in the low bits
  const float shifted = 4.0f * turns + kRound;
  const std::int32_t quarter = std::bit_cast<std::int32_t>(shifted) & 3;
  const float x = 6.28318531f * (turns - 0.25f * (shifted - kRound));
  const float z = x * x;
  const float s = x + x * z * ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f);
  const float c = 1.0f - 0.5f * z +
                  z * z * ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f);
  const float a = (quarter & 1) != 0 ? c : s, b = (quarter & 1) != 0 ? s : c;
  sine = (quarter & 2) != 0 ? -a : a;
  cosine = ((quarter + 1) & 2) != 0 ? -b : b;
}

}  // namespace

void RandomStream::fill_normal(std::span<float> out) {
  std::array<std::uint64_t, kPairs> words;
  std::array<std::int32_t, kPairs> low, high;
  std::array<float, kPairs> radius;
  std::array<float, 2 * kPairs> normal;
  for (std::size_t at = 0; at < out.size(); at += normal.size()) {
    // What bits() would give, whole blocks of the generator at a time.
    std::size_t filled = 0;
    while (filled < kPairs && used_ != 4) words[filled++] = bits();
    for (; filled + 4 <= kPairs; filled += 4, ++counter_[0]) {
      const Generator::ctr_type block = Generator{}(counter_, key_);
      for (std::size_t i = 0; i < 4; ++i) words[filled + i] = block[i];
    }
    while (filled < kPairs) words[filled++] = bits();
    for (std::size_t i = 0; i < kPairs; ++i) {
      low[i] = static_cast<std::int32_t>(words[i] & 0x7fffffffu);
      high[i] = static_cast<std::int32_t>(words[i] >> 32);
    }
    for (std::size_t i = 0; i < kPairs; ++i)  // the smallest uniform number is 2^-32, never 0
      radius[i] = -2.0f * logarithm((static_cast<float>(low[i]) + 0.5f) * 0x1.0p-31f);
    for (std::size_t i = 0; i < kPairs; ++i) radius[i] = std::sqrt(std::max(0.0f, radius[i]));
    for (std::size_t i = 0; i < kPairs; ++i) {
      float sine, cosine;
      sine_and_cosine(static_cast<float>(high[i]) * 0x1.0p-32f, sine, cosine);
      normal[i] = radius[i] * cosine;
      normal[kPairs + i] = radius[i] * sine;
    }
    const std::size_t count = std::min(normal.size(), out.size() - at);
    std::copy_n(normal.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace polystep
