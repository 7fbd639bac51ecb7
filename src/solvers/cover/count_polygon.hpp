// Which numbers of same-label and different-label pairs a diverse matching may have.
//
// With a limited number of pairs the ratio rules allow a finite set of points (same, different). The polygon
// is the convex hull of these points, which is tighter than the two ratio rows: a quarter of 50 pairs
// is 12.5, and the polygon knows that this means 13 (or 12 of 48). Branch and bound asks for the polygon of
// part of the points.
#pragma once

#include <cstddef>
#include <vector>

namespace polystep::solvers {

struct PairCounts {
  int same = 0;
  int different = 0;
};

// Limits on both counts, inclusive.
struct CountBox {
  PairCounts least;
  PairCounts most;
};

class CountPolygon {
 public:
  // most: how many pairs of one kind a matching can have at all; most_pairs: of both together.
  CountPolygon(double rho1, double rho2, PairCounts most, int most_pairs);

  bool allows(PairCounts counts) const {
    const Range& range = different_[static_cast<std::size_t>(counts.same)];
    return counts.different >= range.least && counts.different <= range.most;
  }
  bool only_empty() const { return whole_.size() == 1; }
  CountBox box() const { return box_; }  // of all reachable counts

  // The corners of the hull of the allowed points in a box, in order around it; none where there is no point.
  void corners(const CountBox& box, std::vector<PairCounts>& corners) const;

 private:
  struct Range {
    int least;
    int most;
  };

  CountBox box_;
  std::vector<Range> different_;   // [most.same + 1], the allowed numbers beside so many same-label pairs
  std::vector<PairCounts> whole_;  // corners of the whole box
};

}  // namespace polystep::solvers
