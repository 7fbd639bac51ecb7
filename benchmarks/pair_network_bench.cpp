// The pair network's hot loop on the benchmark's shape: 50 × 50 pairs through 200 hidden units.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "predictors/pair_scores.hpp"

namespace {

using namespace polystep;

constexpr std::size_t kSide = 50, kHidden = 200;

struct Inputs {
  AlignedFloats left = AlignedFloats(kSide * kHidden);
  AlignedFloats right = AlignedFloats(kHidden * kPairColumns);
  AlignedFloats weight = AlignedFloats(kHidden);
  AlignedFloats scores = AlignedFloats(kSide * kPairColumns);
  PairLayer layer{kSide, kPairColumns, kHidden, left.data(), right.data(), weight.data(), 0.1f};

  Inputs() {
    RandomStream random(1, Purpose::kTest);
    for (AlignedFloats* numbers : {&left, &right, &weight})
      for (float& number : *numbers) number = static_cast<float>(random.normal());
  }
};

void score(benchmark::State& state, simd::InstructionSet set) {
  if (!simd::is_supported(set)) return state.SkipWithError("this processor lacks the instruction set");
  Inputs inputs;
  const ScorePairs score_pairs = score_pairs_variant(set);
  for (auto _ : state) {
    score_pairs(inputs.layer, inputs.scores.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSide * kSide));
}
void PairScoresAvx512(benchmark::State& state) { score(state, simd::InstructionSet::kAvx512); }
void PairScoresBaseline(benchmark::State& state) { score(state, simd::InstructionSet::kBaseline); }
BENCHMARK(PairScoresAvx512);
BENCHMARK(PairScoresBaseline);

// Pair by pair, as one would write it down.
void PairScoresPlain(benchmark::State& state) {
  Inputs inputs;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kSide; ++i)
      for (std::size_t j = 0; j < kSide; ++j) {
        float sum = inputs.layer.bias;
        for (std::size_t h = 0; h < kHidden; ++h)
          sum += inputs.weight[h] *
                 std::max(0.0f, inputs.left[i * kHidden + h] + inputs.right[h * kPairColumns + j]);
        inputs.scores[i * kPairColumns + j] = 1.0f / (1.0f + std::exp(-sum));
      }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSide * kSide));
}
BENCHMARK(PairScoresPlain);

}  // namespace
