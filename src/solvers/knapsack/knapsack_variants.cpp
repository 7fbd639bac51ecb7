#include "solvers/knapsack/knapsack_variants.hpp"

#include <algorithm>
#include <iterator>

#include "solvers/knapsack/knapsack_gap_kernel.hpp"
#include "solvers/knapsack/knapsack_kernel.hpp"

namespace polystep::solvers {
namespace {

std::uint32_t solve_baseline(const KnapsackTileTables& tables, const double* predicted, const double* truth,
                             double* realised, std::uint64_t* signature) {
  std::uint32_t ambiguous = 0;
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    ambiguous |=
        knapsack_solve<FourLanes>(tables, predicted + lane, truth + lane, realised + lane, signature + lane)
        << lane;
  }
  return ambiguous;
}

POLYSTEP_AVX512 std::uint32_t solve_avx512(const KnapsackTileTables& tables, const double* predicted,
                                           const double* truth, double* realised, std::uint64_t* signature) {
  return knapsack_solve<EightLanes>(tables, predicted, truth, realised, signature);
}

bool gap_baseline(const KnapsackTileTables& tables, const double* predicted, double* gap) {
  bool finite = true;
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    finite &= knapsack_gap<FourLanes>(tables, predicted + lane, gap + lane);
  }
  return finite;
}

POLYSTEP_AVX512 bool gap_avx512(const KnapsackTileTables& tables, const double* predicted, double* gap) {
  return knapsack_gap<EightLanes>(tables, predicted, gap);
}

KnapsackTileTables::SameWord in_every_lane(std::int64_t word) {
  KnapsackTileTables::SameWord same;
  std::fill(std::begin(same.lane), std::end(same.lane), word);
  return same;
}

}  // namespace

KnapsackTileTables::KnapsackTileTables(const WeightClasses& classes, std::size_t item_count)
    : items(classes.items), class_of(item_count, kClasses), bit(item_count) {
  for (std::size_t k = 0; k < kClasses; ++k) {
    for (const std::uint32_t item : items[k]) class_of[item] = static_cast<std::uint8_t>(k);
  }
  for (std::size_t item = 0; item < item_count; ++item) {
    bit[item] = in_every_lane(static_cast<std::int64_t>(std::uint64_t{1} << item));
  }
  for (const WeightClasses::Choice& choice : classes.choices) {
    choices.push_back({choice[0], choice[1]});
    packed.push_back(in_every_lane(choice[0] | choice[1] << 8 | choice[2] << 16));
  }
  for (const WeightClasses::Group& group : classes.groups) {
    groups.push_back({group.end, classes.choices[group.first][2]});
  }
}

KnapsackSolve knapsack_solve_variant(InstructionSet set) {
  return set == InstructionSet::kAvx512 ? solve_avx512 : solve_baseline;
}

KnapsackGap knapsack_gap_variant(InstructionSet set) {
  return set == InstructionSet::kAvx512 ? gap_avx512 : gap_baseline;
}

}  // namespace polystep::solvers
