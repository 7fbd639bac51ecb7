#include "solvers/tour/tour_graph.hpp"

namespace polystep::solvers {

void TourGraph::set(std::span<const TourPoint> points) {
  points_ = points;
  const std::size_t count = points.size();
  tabled_ = count <= kMaxTabled;
  const std::size_t needed = tabled_ ? count * count : count;
  if (arcs_.size() < needed) arcs_.resize(needed);
  if (neighbours_.size() < count * kNeighbours) neighbours_.resize(count * kNeighbours);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t* row = arcs_.data() + (tabled_ ? i * count : 0);
    for (std::size_t j = 0; j < count; ++j) row[j] = arc_length(points[i], points[j]);

    // Kept sorted by insertion: few of the points looked at ever enter.
    Neighbour* nearest = neighbours_.data() + i * kNeighbours;
    std::size_t held = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const std::int32_t arc = row[j];
      if ((held == kNeighbours && arc >= nearest[kNeighbours - 1].arc) || j == i) continue;
      std::size_t place = held < kNeighbours ? held++ : kNeighbours - 1;
      for (; place > 0 && nearest[place - 1].arc > arc; --place) nearest[place] = nearest[place - 1];
      nearest[place] = {arc, static_cast<std::uint32_t>(j)};
    }
  }
}

}  // namespace polystep::solvers
