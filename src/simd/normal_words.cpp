#include "simd/normal_words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace polystep {
namespace {

// For u above 0, to about two units in the last place.
POLYSTEP_INLINE float logarithm(float u) {
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
POLYSTEP_INLINE void sine_and_cosine(float turns, float& sine, float& cosine) {
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

// Square roots are exact to the last place everywhere; a loop of std::sqrt would not become vectors, as it
// may have to report errors.
struct PlainRoots {
  static POLYSTEP_INLINE void take(float* values) {
    for (std::size_t i = 0; i < kNormalWords; ++i) values[i] = std::sqrt(values[i]);
  }
};

#if POLYSTEP_HAS_AVX512_VARIANT
struct WideRoots {
  typedef float Real __attribute__((vector_size(64)));
  static POLYSTEP_INLINE void take(float* values) {
    for (std::size_t i = 0; i < kNormalWords; i += 16) {
      Real lanes;
      std::memcpy(&lanes, values + i, sizeof(lanes));
      asm("vsqrtps %1, %0" : "=v"(lanes) : "v"(lanes));
      std::memcpy(values + i, &lanes, sizeof(lanes));
    }
  }
};
#endif

template <class Roots>
POLYSTEP_INLINE void transform(const std::uint64_t* words, float deviation, float* normal) {
  std::array<std::int32_t, kNormalWords> low, high;
  std::array<float, kNormalWords> radius;
  for (std::size_t i = 0; i < kNormalWords; ++i) {
    low[i] = static_cast<std::int32_t>(words[i] & 0x7fffffffu);
    high[i] = static_cast<std::int32_t>(words[i] >> 32);
  }
  for (std::size_t i = 0; i < kNormalWords; ++i)  // the smallest uniform number is 2^-32, never 0
    radius[i] = std::max(0.0f, -2.0f * logarithm((static_cast<float>(low[i]) + 0.5f) * 0x1.0p-31f));
  Roots::take(radius.data());
  for (float& length : radius) length *= deviation;
  for (std::size_t i = 0; i < kNormalWords; ++i) {
    float sine, cosine;
    sine_and_cosine(static_cast<float>(high[i]) * 0x1.0p-32f, sine, cosine);
    normal[i] = radius[i] * cosine;
    normal[kNormalWords + i] = radius[i] * sine;
  }
}

POLYSTEP_INLINE std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

template <class Roots>
POLYSTEP_INLINE void fill_counted(std::uint64_t key, float deviation, float* normal, std::size_t count) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
  std::array<std::uint64_t, kNormalWords> words;
  std::array<float, 2 * kNormalWords> last;
  for (std::size_t at = 0; at < count; at += last.size()) {
    const std::uint64_t first = key + (at / 2 + 1) * kOdd;
    for (std::size_t i = 0; i < kNormalWords; ++i) words[i] = mixed(first + i * kOdd);
    const bool whole = at + last.size() <= count;
    transform<Roots>(words.data(), deviation, whole ? normal + at : last.data());
    if (!whole) std::copy_n(last.begin(), count - at, normal + at);
  }
}

void transform_baseline(const std::uint64_t* words, float* normal) {
  transform<PlainRoots>(words, 1.0f, normal);
}
void fill_baseline(std::uint64_t key, float deviation, float* normal, std::size_t count) {
  fill_counted<PlainRoots>(key, deviation, normal, count);
}

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 void transform_avx512(const std::uint64_t* words, float* normal) {
  transform<WideRoots>(words, 1.0f, normal);
}
POLYSTEP_AVX512 void fill_avx512(std::uint64_t key, float deviation, float* normal, std::size_t count) {
  fill_counted<WideRoots>(key, deviation, normal, count);
}
#endif

}  // namespace

void normals_from_words(const std::uint64_t* words, float* normal, simd::InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return transform_avx512(words, normal);
#endif
  (void)set;
  transform_baseline(words, normal);
}

void fill_counted_normals(std::uint64_t key, float deviation, float* normal, std::size_t count,
                          simd::InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return fill_avx512(key, deviation, normal, count);
#endif
  (void)set;
  fill_baseline(key, deviation, normal, count);
}

}  // namespace polystep
