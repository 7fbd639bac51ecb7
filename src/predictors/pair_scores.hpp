// The hot loop of the pair network: from the hidden layer's inputs to a score for every pair.
//
//   score(i, j) = logistic(bias + sum over h of weight[h] * max(0, left[i][h] + right[h][j]))
//
// Right rows lie side by side, so that one instruction serves many pairs; their number is rounded up to
// kPairColumns. Every pair is summed in the order of h on its own, so all instruction sets give the same
// bits.
#pragma once

#include <cstddef>

#include "simd/lanes.hpp"

namespace polystep {

inline constexpr std::size_t kPairColumns = 64;  // right rows that one pass over the hidden units serves

struct PairLayer {
  std::size_t left = 0;     // left rows
  std::size_t columns = 0;  // right rows, rounded up to a multiple of kPairColumns
  std::size_t hidden = 0;
  const float* left_inputs = nullptr;   // [left × hidden]
  const float* right_inputs = nullptr;  // [hidden × columns]
  const float* weight = nullptr;        // [hidden]
  float bias = 0;
};

// Writes the scores, [left × columns].
using ScorePairs = void (*)(const PairLayer& layer, float* scores);

ScorePairs score_pairs_variant(simd::InstructionSet set = simd::best_instruction_set());

}  // namespace polystep
