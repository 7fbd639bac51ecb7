// The tile kernel of the knapsack: what it needs to know of an instance, and its compiled variants.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "polystep/tile.hpp"
#include "simd/lanes.hpp"
#include "solvers/knapsack/weight_classes.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

struct KnapsackTileTables {
  static constexpr std::size_t kClasses = WeightClasses::kClasses;
  static constexpr std::size_t kClassSize =
      16;  // what the sorting network sorts; smaller classes are filled up
  static constexpr std::size_t kMostItems = 64;  // one bit each

  // One whole number in every lane. Kept in memory that way, because g++ 12 broadcasts it lane by lane.
  struct alignas(64) SameWord {
    std::int64_t lane[kLanes];
  };
  struct Choice {
    std::uint32_t first;  // items of the first class
    std::uint32_t second;
  };
  struct Group {
    std::uint32_t end;    // one past its last choice; it begins where the group before ends
    std::uint32_t third;  // count of the third class in all its choices
  };

  std::array<std::vector<std::uint32_t>, kClasses> items;
  std::vector<Choice> choices;
  std::vector<SameWord> packed;  // [choices] counts of the three classes, eight bits each
  std::vector<Group> groups;
  std::vector<std::uint8_t> class_of;  // of each item; kClasses for items too heavy to take
  std::vector<SameWord> bit;           // [items] the item's bit of a signature

  KnapsackTileTables(const WeightClasses& classes, std::size_t item_count);
};

// What rounding may hide of a gap, as a share of the sum of all |values|: two sums of all items are compared
// when the gap is measured, and two more when a decision is taken at other values.
constexpr double gap_allowance(std::size_t items) {
  return 4.0 * static_cast<double>(items + 2) * std::numeric_limits<double>::epsilon();
}

// Decides eight lanes. A bit of the result is set for each lane where equally valuable items of one class
// made the choice of items ambiguous; such a lane is left to the scalar path, which knows the tie rule.
using KnapsackSolve = std::uint32_t (*)(const KnapsackTileTables& tables, const double* predicted,
                                        const double* truth, double* realised, std::uint64_t* signature);
using KnapsackGap = bool (*)(const KnapsackTileTables& tables, const double* predicted, double* gap);

KnapsackSolve knapsack_solve_variant(InstructionSet set);
KnapsackGap knapsack_gap_variant(InstructionSet set);

}  // namespace polystep::solvers
