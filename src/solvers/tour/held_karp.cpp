#include "solvers/tour/held_karp.hpp"

#include <bit>
#include <limits>

namespace polystep::solvers {

std::int64_t HeldKarp::solve(std::span<const TourPoint> points, std::span<std::uint32_t> order) {
  order[0] = 0;
  const std::size_t others = points.size() - 1;
  if (others == 0) return 0;
  std::int32_t home[kWidth];             // arcs to point 0
  std::int32_t between[kWidth][kWidth];  // arcs among the others
  for (std::size_t i = 0; i < others; ++i) {
    home[i] = arc_length(points[0], points[i + 1]);
    for (std::size_t j = 0; j < others; ++j) between[i][j] = arc_length(points[i + 1], points[j + 1]);
  }
  const std::size_t sets = std::size_t{1} << others;
  if (shortest_.size() < sets * kWidth) shortest_.resize(sets * kWidth);

  // The best way into `last` from a member of `before`; the lowest member wins ties.
  const auto best_before = [&](std::size_t before, std::size_t last, std::int32_t& length) {
    std::size_t best = 0;
    length = std::numeric_limits<std::int32_t>::max();
    const std::int32_t* row = shortest_.data() + before * kWidth;
    for (std::size_t rest = before; rest != 0; rest &= rest - 1) {
      const auto member = static_cast<std::size_t>(std::countr_zero(rest));
      const std::int32_t candidate = row[member] + between[member][last];
      if (candidate < length) {
        length = candidate;
        best = member;
      }
    }
    return best;
  };

  for (std::size_t set = 1; set < sets; ++set) {
    std::int32_t* row = shortest_.data() + set * kWidth;
    for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
      const auto last = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t before = set & ~(std::size_t{1} << last);
      if (before == 0) {
        row[last] = home[last];
      } else {
        best_before(before, last, row[last]);
      }
    }
  }

  std::size_t set = sets - 1;
  std::size_t last = 0;
  std::int32_t length = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < others; ++i) {
    const std::int32_t candidate = shortest_[set * kWidth + i] + home[i];
    if (candidate < length) {
      length = candidate;
      last = i;
    }
  }
  for (std::size_t place = others; place >= 1; --place) {
    order[place] = static_cast<std::uint32_t>(last + 1);
    set &= ~(std::size_t{1} << last);
    std::int32_t ignored = 0;
    if (set != 0) last = best_before(set, last, ignored);
  }
  return length;
}

}  // namespace polystep::solvers
