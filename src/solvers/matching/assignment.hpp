// Maximum-weight assignment of rows to columns, exactly: every row and every column is in at most one pair,
// and a pair is made only where it helps (a weight of 0 or less is never taken).
//
// The weights are whole numbers, so that all arithmetic is exact: no tolerance decides what is optimal. Real
// weights become whole numbers by weight_units.hpp, which also settles ties.
//
// The method is the shortest augmenting path of Jonker and Volgenant on a square table, where "no partner" is
// a pair that gains 0. Its column prices outlive a solve: the next one starts from them and is faster the
// less the weights have changed. Prices change the way to the optimum, never its value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "solvers/matching/assignment_rows.hpp"

namespace polystep::solvers {

using AlignedUnits = std::vector<Units, CacheLineAllocator<Units>>;

class Assignment {
 public:
  // Larger weights could overflow the sums of a long augmenting path.
  static constexpr int kLargestBits = 56;
  static constexpr Units kLargestWeight = Units{1} << kLargestBits;
  static constexpr std::size_t kLargestSide = 64;

  Assignment(std::size_t rows, std::size_t columns, InstructionSet set = best_instruction_set());

  std::size_t size() const { return size_; }      // of the square table: the longer side
  std::size_t stride() const { return stride_; }  // from one row of the table to the next

  // The best assignment of a table of rows × columns weights and its value. Unassigned rows get -1.
  // weights: [rows × columns]; column_of_row: [rows]
  Units solve(std::span<const Units> weights, std::span<int> column_of_row);

  // For callers that make the weights themselves: fill gains() with max(weight, 0) in every entry of the
  // square table (0 where there is no pair), then solve_gains(). Pairs that gain 0 stand for "no partner".
  Units* gains() { return gains_.data(); }  // [size × stride]
  Units solve_gains();
  int partner(std::size_t row) const { return column_of_row_[row]; }
  bool is_paired(std::size_t row) const {
    return gains_[row * stride_ + static_cast<std::size_t>(column_of_row_[row])] > 0;
  }

  // Dual values of the last solve: profit + price >= gain everywhere, equal where paired.
  Units profit(std::size_t row) const { return profit_[row]; }
  const Units* prices() const { return price_.data(); }  // [stride]

  void forget();  // starts the next solve from nothing

 private:
  void match_rows_greedily();
  void reassign_free_rows();
  void augment(std::size_t free_row);
  void pair(std::size_t row, std::size_t column);

  const RowKernels& kernels_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t size_;
  std::size_t stride_;  // size rounded up to whole vectors; the entries beyond never win

  AlignedUnits gains_;         // [size × stride]
  AlignedUnits price_;         // [stride], of the columns
  std::vector<Units> profit_;  // [size], of the rows: profit + price >= gain, equal where paired
  std::vector<int> column_of_row_;
  std::vector<int> row_of_column_;
  std::vector<std::size_t> free_rows_;

  // Of one search for an augmenting path.
  AlignedUnits distance_;     // [stride]
  AlignedUnits predecessor_;  // [stride]
  std::vector<std::size_t> settled_;
  std::vector<Units> settled_distance_;
};

}  // namespace polystep::solvers
