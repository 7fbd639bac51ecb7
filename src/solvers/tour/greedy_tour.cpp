#include "solvers/tour/greedy_tour.hpp"

#include <algorithm>
#include <limits>

#include "polystep/stop.hpp"

namespace polystep::solvers {

std::uint32_t GreedyTour::path_of(std::uint32_t point) {
  while (parent_[point] != point) {
    parent_[point] = parent_[parent_[point]];
    point = parent_[point];
  }
  return point;
}

void GreedyTour::link(std::uint32_t from, std::uint32_t to) {
  (linked_[from].first == kNone ? linked_[from].first : linked_[from].second) = to;
  (linked_[to].first == kNone ? linked_[to].first : linked_[to].second) = from;
  parent_[path_of(from)] = path_of(to);
}

void GreedyTour::build(const TourGraph& graph, std::span<std::uint32_t> order) {
  constexpr std::size_t kWidth = TourGraph::kNeighbours;
  const auto count = static_cast<std::uint32_t>(graph.size());
  linked_.assign(count, {kNone, kNone});
  parent_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;

  arcs_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto near = graph.neighbours(i);
    for (std::size_t k = 0; k < kWidth; ++k)
      arcs_.push_back(static_cast<std::uint64_t>(near[k].arc) << 32 | (i * kWidth + k));
  }
  std::sort(arcs_.begin(), arcs_.end());
  for (const std::uint64_t key : arcs_) {
    const auto entry = static_cast<std::uint32_t>(key);
    const auto from = static_cast<std::uint32_t>(entry / kWidth);
    const std::uint32_t to = graph.neighbours(from)[entry % kWidth].point;
    if (linked_[from].second == kNone && linked_[to].second == kNone && path_of(from) != path_of(to))
      link(from, to);
  }

  // Walks one path after the other, from where one ends to the nearest end of those left.
  ends_.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    if (linked_[i].second == kNone) ends_.push_back(i);
  std::uint32_t at = ends_.empty() ? 0 : ends_.front();
  std::size_t placed = 0;
  while (true) {
    std::uint32_t before = kNone;
    while (true) {
      order[placed++] = at;
      const auto [one, other] = linked_[at];
      const std::uint32_t next = one != before ? one : other;
      if (next == kNone) break;
      before = at;
      at = next;
    }
    // Both ends of the path are used up; a point alone is both of its ends.
    const std::uint32_t walked = path_of(at);
    std::erase_if(ends_, [&](std::uint32_t end) { return path_of(end) == walked; });
    if (ends_.empty()) break;
    stop_if_wanted();  // of very many points the paths left are many
    std::uint32_t nearest = ends_.front();
    for (const std::uint32_t end : ends_)
      if (graph.arc(at, end) < graph.arc(at, nearest)) nearest = end;
    at = nearest;
  }
  std::rotate(order.begin(), std::find(order.begin(), order.end(), 0u), order.end());
}

}  // namespace polystep::solvers
