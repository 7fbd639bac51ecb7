#include "solvers/tour/tour_graph.hpp"

#include <algorithm>

#include "polystep/stop.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kPerQuarter = 2;
constexpr std::size_t kRowsBetweenAsks = 64;  // whether to stop

// Kept sorted by insertion: few of the points looked at ever enter.
template <std::size_t kCount>
struct Nearest {
  TourGraph::Neighbour entries[kCount];
  std::size_t held = 0;

  void offer(const TourGraph::Neighbour& candidate) {
    if (held == kCount && candidate.arc >= entries[kCount - 1].arc) return;
    std::size_t place = held < kCount ? held++ : kCount - 1;
    for (; place > 0 && entries[place - 1].arc > candidate.arc; --place) entries[place] = entries[place - 1];
    entries[place] = candidate;
  }
};

}  // namespace

void TourGraph::set(std::span<const TourPoint> points) {
  points_ = points;
  const std::size_t count = points.size();
  tabled_ = count <= kMaxTabled;
  const std::size_t needed = tabled_ ? count * count : count;
  if (arcs_.size() < needed) arcs_.resize(needed);
  if (neighbours_.size() < count * kNeighbours) neighbours_.resize(count * kNeighbours);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kRowsBetweenAsks == kRowsBetweenAsks - 1) stop_if_wanted();
    std::int32_t* row = arcs_.data() + (tabled_ ? i * count : 0);
    for (std::size_t j = 0; j < count; ++j) row[j] = arc_length(points[i], points[j]);

    // The nearest of every quarter of the compass are among them, so that clusters know of each other.
    Nearest<kNeighbours> all;
    Nearest<kPerQuarter> quarters[4];
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const Neighbour candidate{row[j], static_cast<std::uint32_t>(j)};
      all.offer(candidate);
      quarters[(points[j].x > points[i].x ? 1 : 0) + (points[j].y > points[i].y ? 2 : 0)].offer(candidate);
    }
    Neighbour* chosen = neighbours_.data() + i * kNeighbours;
    std::size_t held = 0;
    for (const auto& quarter : quarters)
      for (std::size_t k = 0; k < quarter.held; ++k) chosen[held++] = quarter.entries[k];
    const std::size_t required = held;
    for (std::size_t k = 0; held < kNeighbours; ++k) {
      const auto taken = [&](const Neighbour& one) { return one.point == all.entries[k].point; };
      if (std::none_of(chosen, chosen + required, taken)) chosen[held++] = all.entries[k];
    }
    std::sort(chosen, chosen + kNeighbours, [](const Neighbour& a, const Neighbour& b) {
      return a.arc != b.arc ? a.arc < b.arc : a.point < b.point;
    });
  }
}

}  // namespace polystep::solvers
