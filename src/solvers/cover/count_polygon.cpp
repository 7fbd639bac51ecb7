#include "solvers/cover/count_polygon.hpp"

#include <algorithm>

namespace polystep::solvers {
namespace {

// Shares such as 0.1 * 50 must not fail by the last bit of a product.
constexpr double kRoundingAllowance = 1e-9;

// Positive where a, b, c turn left.
int turn(PairCounts a, PairCounts b, PairCounts c) {
  return (b.same - a.same) * (c.different - a.different) - (b.different - a.different) * (c.same - a.same);
}

// Adds the next point of a chain that only turns left; the first `fixed` corners belong to an earlier chain.
void add(std::vector<PairCounts>& corners, std::size_t fixed, PairCounts point) {
  while (corners.size() >= fixed + 2 && turn(corners[corners.size() - 2], corners.back(), point) <= 0) {
    corners.pop_back();
  }
  corners.push_back(point);
}

}  // namespace

CountPolygon::CountPolygon(double rho1, double rho2, PairCounts most, int most_pairs) : box_{{0, 0}, most} {
  for (int same = 0; same <= most.same; ++same) {
    Range range{1, 0};  // empty
    for (int different = 0; different <= std::min(most.different, most_pairs - same); ++different) {
      const int pairs = same + different;
      const bool enough_same = same >= rho1 * pairs - kRoundingAllowance;
      const bool enough_different = different >= rho2 * pairs - kRoundingAllowance;
      if (!enough_same || !enough_different) continue;
      if (range.least > range.most) range.least = different;
      range.most = different;
    }
    different_.push_back(range);
  }
  corners(box_, whole_);
}

// Andrew's monotone chain over the lowest and the highest allowed point beside every number of same-label
// pairs.
void CountPolygon::corners(const CountBox& box, std::vector<PairCounts>& corners) const {
  corners.clear();
  const auto range = [&](int same) {
    const Range& all = different_[static_cast<std::size_t>(same)];
    return Range{std::max(all.least, box.least.different), std::min(all.most, box.most.different)};
  };
  for (int same = box.least.same; same <= box.most.same; ++same) {
    const Range points = range(same);
    if (points.least <= points.most) add(corners, 0, {same, points.least});
  }
  if (corners.empty()) return;
  const std::size_t lower = corners.size() - 1;
  const PairCounts first = corners.front();
  for (int same = box.most.same; same >= box.least.same; --same) {
    const Range points = range(same);
    if (points.least > points.most) continue;
    const PairCounts point{same, points.most};
    if (same == corners.back().same && point.different == corners.back().different) continue;
    add(corners, lower, point);
  }
  const PairCounts last = corners.back();
  if (corners.size() > 1 && last.same == first.same && last.different == first.different) corners.pop_back();
}

}  // namespace polystep::solvers
