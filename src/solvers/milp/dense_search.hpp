// Branch and bound for small programmes with whole numbers, in a workspace that is kept from one solve to the
// next.
//
// Depth first on dense dictionaries: a branch moves one bound of one column, and a few pivots of the dual
// simplex from its parent's dictionary solve the relaxation again. Which column: the one for which the first
// of these pivots, known without doing it, raises the objective most on both sides. Columns whose reduced
// cost alone makes them too dear are fixed.
//
// Nothing is cut off on the dictionary's word. Whether a part of the tree can be closed (its bound reaches
// the best solution, or it has no solution) is computed from the programme's own numbers by dual_bound, with
// prices that the dictionary merely suggests; solutions are checked in the same way. Where a proof does not
// come out, or the tree grows too large, the search says so and somebody else has to solve the programme:
// kUnsure.
//
// Same numbers, same answer, to the bit: of the workspace nothing but its memory is used again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/milp/dense_simplex.hpp"

namespace polystep::solvers {

struct DenseSearchLimits {
  double relative_gap = 0;
  std::int64_t nodes = 0;
  std::uint64_t work = 0;  // table entries
};

class DenseSearch {
 public:
  enum class End { kOptimal, kInfeasible, kUnsure };

  // `relaxed` is the programme's solved relaxation and is used up. Writes the best solution [columns].
  End run(const DenseProgramme& programme, DenseSimplex& relaxed, const DenseSearchLimits& limits,
          std::span<double> solution);

  std::int64_t nodes() const { return nodes_; }  // of the last run

 private:
  // A column and a side of it: at most `floor`, or at least floor + 1.
  struct Branch {
    std::size_t row = DenseSimplex::kNone;  // of the dictionary, where the column is basic
    std::size_t column = 0;
    double floor = 0;
    bool up = false;          // the side to look at first
    double growth_other = 0;  // of the objective on the other side, at least
    double slope_other = 0;
  };
  struct Waiting {
    DenseSimplex relaxed;  // of the parent
    std::size_t column = 0;
    double floor = 0;
    bool up = false;
  };
  enum class Part { kOpen, kClosed, kUnsure };

  double bound_of(const DenseSimplex& node);
  void fix_columns(DenseSimplex& node, double bound);
  Branch choose(const DenseSimplex& node, double bound) const;
  bool closes_other_side(DenseSimplex& node, const Branch& branch);
  Part descend(DenseSimplex& node, std::size_t column, double floor, bool up);
  Part solve_part(DenseSimplex& node);
  bool take(DenseSimplex& node);
  void accept(double objective);

  const DenseProgramme* programme_ = nullptr;
  DenseSearchLimits limits_;
  std::int64_t nodes_ = 0;
  std::uint64_t work_ = 0;
  double unit_ = 1;                                // of objectives, for tolerances
  double best_ = 0;                                // of solutions so far
  double cutoff_ = 0;                              // what is not below it does not matter
  std::vector<double> best_solution_, candidate_;  // [stride]
  std::vector<double> prices_, multipliers_;       // [rows]
  std::vector<double> reduced_;                    // [stride]
  std::vector<Waiting> waiting_;                   // a stack; dictionaries above `depth_` are spare memory
  std::size_t depth_ = 0;
  DenseSimplex repair_;
};

}  // namespace polystep::solvers
