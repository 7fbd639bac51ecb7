// Exact solve skipping: proves that a change of predictions cannot change the decisions of a tile.
//
// All of it is for decisions of 0 and 1 with a linear predicted cost, and for no others: that a rival gains
// at most |d_e| from an adverse change of e, and that one direction of change is adverse, both need variables
// that can change by one unit in one direction only.
//
// Let x be the incumbent decision and m_e the margin of variable e: any decision that differs from x in e is
// worse by at least m_e (see TileSolver::margins). Suppose predictions change by d. Only changes in the
// direction that favours another decision ("adverse" ones) can hurt. A rival that profits from a set S of
// adverse changes gains at most A = sum of all adverse |d_e|, and was worse by at least max over S of m_e >=
// min over all adverse e of m_e =: M. So A < M leaves x the only optimum; a rival that profits from none
// stays worse by the runner-up gap. Both comparisons keep a slack of 1e-10 of all magnitudes involved, far
// above what rounding in a solver can amount to: a solver called anyway would return the same decision, bit
// for bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "polystep/tile.hpp"

namespace polystep {

inline constexpr double kStabilitySlack = 1e-10;

class TileStability {
 public:
  // Takes the margins and predictions [outputs × kLanes] of an incumbent tile; the margins must outlive this.
  void reset(const double* margin, const double* prediction, std::size_t outputs);

  // Whether changing the touched outputs by +radius * change [touched × kLanes], and by -radius * change,
  // provably leaves every lane's decision as it is. Opposite probes are asked together because they share
  // most of the work.
  struct Verdict {
    bool forward;
    bool backward;
  };
  Verdict unchanged(double radius, const double* change, std::span<const std::uint32_t> touched) const;

  const std::array<double, kLanes>& gap() const { return gap_; }
  const std::array<double, kLanes>& scale() const { return scale_; }

 private:
  const double* margin_ = nullptr;      // [outputs × kLanes]
  std::array<double, kLanes> gap_{};    // runner-up gap
  std::array<double, kLanes> scale_{};  // sum of absolute predictions
};

}  // namespace polystep
