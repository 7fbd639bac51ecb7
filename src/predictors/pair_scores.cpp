#include "predictors/pair_scores.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace polystep {
namespace {

struct SixteenFloats {
  static constexpr std::size_t kWidth = 16;
  typedef float Vector __attribute__((vector_size(64)));
  static POLYSTEP_INLINE Vector larger(Vector a, Vector b) {
#if POLYSTEP_HAS_AVX512_VARIANT  // g++ 12 turns a comparison with zero into two instructions
    Vector larger;
    asm("vmaxps %2, %1, %0" : "=v"(larger) : "v"(a), "v"(b));
    return larger;
#else
    return a > b ? a : b;
#endif
  }
};

struct EightFloats {
  static constexpr std::size_t kWidth = 8;
  typedef float Vector __attribute__((vector_size(32)));
#if defined(__AVX__)  // g++ 12 does not find this instruction
  static POLYSTEP_INLINE Vector larger(Vector a, Vector b) { return __builtin_ia32_maxps256(a, b); }
#else
  static POLYSTEP_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }
#endif
};

// Rows left rows against kPairColumns right rows; the sums stay in registers.
template <class Lanes, std::size_t Rows>
POLYSTEP_INLINE void sum_hidden(const PairLayer& layer, const float* left, const float* right,
                                float* scores) {
  using Vector = typename Lanes::Vector;
  constexpr std::size_t kVectors = kPairColumns / Lanes::kWidth;
  Vector sums[Rows][kVectors] = {};
  for (std::size_t h = 0; h < layer.hidden; ++h) {
    const float weight = layer.weight[h];
    for (std::size_t v = 0; v < kVectors; ++v) {
      Vector inputs;
      std::memcpy(&inputs, right + h * layer.columns + v * Lanes::kWidth, sizeof(inputs));
      for (std::size_t row = 0; row < Rows; ++row) {
        const Vector unit = inputs + left[row * layer.hidden + h];
        sums[row][v] += Lanes::larger(unit, Vector{}) * weight;
      }
    }
  }
  for (std::size_t row = 0; row < Rows; ++row)
    std::memcpy(scores + row * layer.columns, sums[row], sizeof(sums[row]));
}

// exp to about two units in the last place: 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2]. Written out so
// that it vectorises, and with the same bits everywhere.
POLYSTEP_INLINE float exponential(float x) {
  constexpr float kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves a whole number in the low bits
  x = x < -87.0f ? -87.0f : x;
  x = x > 87.0f ? 87.0f : x;
  const float shifted = x * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const auto exponent = static_cast<std::int32_t>(n);
  return p * std::bit_cast<float>((exponent + 127) << 23);
}

POLYSTEP_INLINE void apply_logistic(float bias, float* scores, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) scores[i] = 1.0f / (1.0f + exponential(-(scores[i] + bias)));
}

template <class Lanes, std::size_t Rows>
POLYSTEP_INLINE void score_all(const PairLayer& layer, float* scores) {
  for (std::size_t column = 0; column < layer.columns; column += kPairColumns) {
    const float* right = layer.right_inputs + column;
    std::size_t row = 0;
    for (; row + Rows <= layer.left; row += Rows)
      sum_hidden<Lanes, Rows>(layer, layer.left_inputs + row * layer.hidden, right,
                              scores + row * layer.columns + column);
    for (; row < layer.left; ++row)
      sum_hidden<Lanes, 1>(layer, layer.left_inputs + row * layer.hidden, right,
                           scores + row * layer.columns + column);
  }
  apply_logistic(layer.bias, scores, layer.left * layer.columns);
}

void score_baseline(const PairLayer& layer, float* scores) { score_all<EightFloats, 1>(layer, scores); }
POLYSTEP_AVX512 void score_avx512(const PairLayer& layer, float* scores) {
  score_all<SixteenFloats, 2>(layer, scores);
}

}  // namespace

ScorePairs score_pairs_variant(simd::InstructionSet set) {
  return set == simd::InstructionSet::kAvx512 ? score_avx512 : score_baseline;
}

}  // namespace polystep
