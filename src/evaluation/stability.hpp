// Exact solve skipping: proves that a change of predictions cannot change the decisions of a tile.
//
// Let x be the incumbent decision and m_e the margin of variable e: any decision that differs from x in e is worse by
// at least m_e (see TileSolver::margins). Suppose predictions change by d. Only changes in the direction that favours
// another decision ("adverse" ones) can hurt. A rival that profits from a set S of adverse changes gains at most
// A = sum of all adverse |d_e|, and was worse by at least max over S of m_e >= min over all adverse e of m_e =: M. So
// A < M leaves x the only optimum; a rival that profits from none stays worse by the runner-up gap. Both
// comparisons keep a slack of 1e-10 of all magnitudes involved, far above what rounding in a solver can amount
// to: a solver called anyway would return the same decision, bit for bit.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "evaluation/lanes.hpp"

namespace polystep {

class TileStability {
 public:
  // Takes the margins and predictions [outputs × kLanes] of an incumbent tile.
  void reset(const double* margin, const double* prediction, std::size_t outputs) {
    margin_ = margin;
    LaneVector gap = all_lanes(std::numeric_limits<double>::infinity());
    LaneVector scale = all_lanes(0);
    for (std::size_t o = 0; o < outputs; ++o) {
      const LaneVector width = abs_lanes(load_lanes(margin + o * kLanes));
      gap = width < gap ? width : gap;
      scale += abs_lanes(load_lanes(prediction + o * kLanes));
    }
    gap_ = gap;
    scale_ = scale;
  }

  // True where changing the touched outputs by factor * change [touched × kLanes] provably leaves every lane's
  // decision as it is.
  bool unchanged(double factor, const double* change, std::span<const std::uint32_t> touched) const {
    LaneVector adverse_sum = all_lanes(0);
    LaneVector total = all_lanes(0);
    LaneVector tightest = all_lanes(std::numeric_limits<double>::infinity());
    for (std::size_t slot = 0; slot < touched.size(); ++slot) {
      const LaneVector delta = factor * load_lanes(change + slot * kLanes);
      const LaneVector margin = load_lanes(margin_ + touched[slot] * kLanes);
      const LaneVector size = abs_lanes(delta);
      const LaneMask adverse = margin * delta > 0;
      const LaneVector width = abs_lanes(margin);
      total += size;
      adverse_sum += adverse ? size : LaneVector{};
      tightest = (adverse & (width < tightest)) ? width : tightest;
    }
    const LaneVector slack = 1e-10 * (scale_ + total);
    return every_lane((tightest - adverse_sum > slack) & (gap_ > slack));
  }

 private:
  const double* margin_ = nullptr;
  LaneVector gap_{};    // runner-up gap per lane
  LaneVector scale_{};  // sum of absolute predictions per lane
};

}  // namespace polystep
