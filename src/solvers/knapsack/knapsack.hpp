// The 0-1 knapsack with whole-number weights, exactly: maximise the value of the items taken within a
// capacity.
//
// Values may be any numbers; an item whose value is not positive is never taken, an item of weight 0 whenever
// its value is positive.
//
// There are two methods. The dynamic programme over capacity (solve) is the plain one. With up to three
// different weights, enumeration by weight classes (solve_by_classes, and solve_tile for eight instances at
// once) is far faster. What is guaranteed:
//   - solve_by_classes and solve_tile take the same decisions, ties included, with any instruction set;
//   - both methods are optimal, but add values in different orders, so where two decisions are equally good
//   up to
//     rounding they may choose differently; where the optimum is unique by more than that, they choose the
//     same;
//   - each method breaks ties by a fixed rule: the dynamic programme takes an item only where that is
//   strictly better
//     than the best without it among the items of lower index; for the classes see weight_classes.hpp;
//   - the value of a decision is always added up in the order of the items, so equal decisions have equal
//   values, bit
//     for bit, however they were found.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simd/lanes.hpp"
#include "solvers/knapsack/weight_classes.hpp"

namespace polystep::solvers {

using namespace simd;  // kernels are written in its vector types

struct KnapsackTileTables;

class Knapsack {
 public:
  Knapsack(std::vector<int> weights, std::int64_t capacity, InstructionSet set = best_instruction_set());

  std::size_t items() const { return weights_.size(); }
  bool has_classes() const { return classes_.usable; }         // few enough weights to enumerate
  bool has_tile_kernel() const { return tables_ != nullptr; }  // also at most 64 items, 16 of each weight

  // The best decision, as 0 or 1 per item, and its value.
  double solve(std::span<const double> values, std::span<double> take) const;
  double solve_by_classes(std::span<const double> values,
                          std::span<double> take) const;  // solve where it must

  // By how much the second-best decision is worse; infinity where there is only one decision.
  double runner_up_gap(std::span<const double> values) const;

  // Decides eight lanes by predicted values and reports what the decisions are worth under the true ones.
  // A signature names the items taken: bit i for item i with up to 64 items, beyond that a 64-bit hash of the
  // set. predicted, truth: [items × kLanes]; realised, signature: [kLanes]
  void solve_tile(const double* predicted, const double* truth, double* realised,
                  std::uint64_t* signature) const;

  // A lower bound on runner_up_gap in every lane, 0 or more. Without the tile kernel, or where all values are
  // positive, it is the gap itself but for an allowance for rounding. False where a value is not finite.
  // predicted: [items × kLanes]; gap: [kLanes]
  bool gap_tile(const double* predicted, double* gap) const;

  // Margins in the sense of polystep/tile.hpp: the gap for every item, negative for those taken (lowering
  // them favours another decision) and positive for the others; infinite for items that can never be taken.
  // False where a value is not finite. predicted, margin: [items × kLanes]
  bool margins_tile(const double* predicted, double* margin) const;

  std::uint64_t signature(std::span<const double> take) const;

 private:
  using SolveKernel = std::uint32_t (*)(const KnapsackTileTables&, const double*, const double*, double*,
                                        std::uint64_t*);
  using GapKernel = bool (*)(const KnapsackTileTables&, const double*, double*);

  void solve_lane(const double* predicted, const double* truth, std::size_t lane, double* realised,
                  std::uint64_t* signature) const;

  std::vector<int> weights_;
  std::int64_t capacity_;  // no more than all items weigh
  WeightClasses classes_;
  std::shared_ptr<const KnapsackTileTables> tables_;  // of the tile kernel, where there is one
  SolveKernel solve_kernel_;
  GapKernel gap_kernel_;
};

}  // namespace polystep::solvers
