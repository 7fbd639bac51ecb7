// The knapsack by weight classes, in lanes: sort each class, walk the list of choices, mark the items.
#pragma once

#include <cmath>
#include <limits>

#include "simd/lanes.hpp"
#include "simd/sorting_network.hpp"
#include "solvers/knapsack/knapsack_variants.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

template <class Lanes>
struct KnapsackColumns {
  static constexpr std::size_t kClasses = KnapsackTileTables::kClasses;
  static constexpr std::size_t kClassSize = KnapsackTileTables::kClassSize;
  static constexpr std::size_t kWidth = Lanes::kWidth;
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;

  // Values of each class, largest first, and `floor` after the last; [classes × ranks × lanes].
  alignas(64) double sorted[kClasses][kClassSize + 1][kWidth];
  // Value of the first n of them, none below zero counted; [classes × counts × lanes].
  alignas(64) double prefix[kClasses][kClassSize + 1][kWidth];

  // Values below the floor, and places without an item, are raised to it.
  POLYSTEP_INLINE void sort(const KnapsackTileTables& tables, const double* values, double floor) {
    const Real lowest = Lanes::all(floor);
    for (std::size_t k = 0; k < kClasses; ++k) {
      Real column[kClassSize];
      const std::size_t size = tables.items[k].size();
      const std::uint32_t* const items = tables.items[k].data();
#pragma GCC unroll 16
      for (std::size_t rank = 0; rank < kClassSize; ++rank) {
        column[rank] =
            rank < size ? Lanes::larger(load<Lanes>(values + kLanes * items[rank]), lowest) : lowest;
      }
      sort_descending<Lanes>(column);
      Real sum{};
#pragma GCC unroll 16
      for (std::size_t rank = 0; rank < kClassSize; ++rank) {
        store(sorted[k][rank], column[rank]);
        store(prefix[k][rank], sum);
        sum += Lanes::larger(column[rank], Real{});
      }
      store(sorted[k][kClassSize], lowest);
      store(prefix[k][kClassSize], sum);
    }
  }
};

// The packed counts of the best choice in each lane. Sums and ties as in WeightClasses::solve.
template <class Lanes>
POLYSTEP_INLINE typename Lanes::Word best_choice(const KnapsackTileTables& tables,
                                                 const KnapsackColumns<Lanes>& columns) {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  const double* const first = columns.prefix[0][0];
  const double* const second = columns.prefix[1][0];
  Real best = Lanes::all(-1.0);
  Word choice{};
  std::size_t at = 0;
  for (const auto& group : tables.groups) {
    Real best_pair = Lanes::all(-1.0);
    Word choice_of_group{};
    for (; at < group.end; ++at) {
      const KnapsackTileTables::Choice& counts = tables.choices[at];
      const Real pair = load<Lanes>(first + counts.first * Lanes::kWidth) +
                        load<Lanes>(second + counts.second * Lanes::kWidth);
      const Word better = pair > best_pair;
      choice_of_group = better ? load<Lanes>(tables.packed[at].lane) : choice_of_group;
      best_pair = Lanes::larger(pair, best_pair);
    }
    const Real total = best_pair + load<Lanes>(columns.prefix[2][group.third]);
    const Word better = total > best;
    choice = better ? choice_of_group : choice;
    best = Lanes::larger(total, best);
  }
  return choice;
}

// Solves as many lanes as the vector type has; returns a bit for each lane whose decision is ambiguous.
template <class Lanes>
POLYSTEP_INLINE std::uint32_t knapsack_solve(const KnapsackTileTables& tables, const double* predicted,
                                             const double* truth, double* realised,
                                             std::uint64_t* signature) {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  constexpr std::size_t kClasses = KnapsackTileTables::kClasses;
  KnapsackColumns<Lanes> columns;
  columns.sort(tables, predicted, 0.0);
  std::int64_t packed[Lanes::kWidth];
  store(packed, best_choice<Lanes>(tables, columns));

  // The most valuable item of each class that stays behind: whatever is worth more is taken.
  alignas(64) double behind[kClasses + 1][Lanes::kWidth];
  store(behind[kClasses], Lanes::all(std::numeric_limits<double>::infinity()));
  std::uint32_t ambiguous = 0;
  for (std::size_t k = 0; k < kClasses; ++k) {
    for (std::size_t lane = 0; lane < Lanes::kWidth; ++lane) {
      const auto count = static_cast<std::size_t>(packed[lane] >> 8 * k & 0xff);
      const double stays = columns.sorted[k][count][lane];
      behind[k][lane] = stays;
      const bool equal_one_taken = count > 0 && stays > 0.0 && columns.sorted[k][count - 1][lane] == stays;
      ambiguous |= static_cast<std::uint32_t>(equal_one_taken) << lane;
    }
  }

  Real value{};
  Word taken{};
  const std::size_t items = tables.class_of.size();
  for (std::size_t item = 0; item < items; ++item) {
    const Word take = load<Lanes>(predicted + kLanes * item) > load<Lanes>(behind[tables.class_of[item]]);
    const Real true_value = load<Lanes>(truth + kLanes * item);
    value = take ? value + true_value : value;
    taken = take ? taken | load<Lanes>(tables.bit[item].lane) : taken;
  }
  store(realised, value);
  store(signature, taken);
  return ambiguous;
}

}  // namespace polystep::solvers
