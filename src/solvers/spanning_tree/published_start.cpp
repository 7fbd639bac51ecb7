#include "solvers/spanning_tree/published_start.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace polystep::solvers {
namespace {

// Districts as lists whose order matters: a unit that comes in goes to the end, and the first that fits is
// the one that is handed on.
class PublishedStart {
 public:
  explicit PublishedStart(const DistrictGraph& graph) : graph_(graph), sizes_(graph.sizes()) {}

  Districting run(std::span<const double> weights) {
    join_light_edges(weights);
    while (districts_.size() > sizes_.count) merge_smallest_pair();
    for (std::size_t round = 0; round < kRounds && !fits(); ++round) {
      shrink_large();
      grow_small();
    }
    std::vector<std::uint32_t> district_of(graph_.units());
    for (std::uint32_t district = 0; district < districts_.size(); ++district)
      for (const std::uint32_t unit : districts_[district]) district_of[unit] = district;
    return {graph_, std::move(district_of)};
  }

 private:
  using Units = std::vector<std::uint32_t>;

  static constexpr std::size_t kRounds = 10;

  void join_light_edges(std::span<const double> weights) {
    std::vector<std::uint32_t> edges;
    for (std::uint32_t edge = 0; edge < graph_.edges(); ++edge)
      if (!graph_.is_depot_edge(edge)) edges.push_back(edge);
    std::ranges::stable_sort(edges, {}, [&](std::uint32_t edge) { return weights[edge]; });
    std::vector<std::uint32_t> group(graph_.units());
    std::iota(group.begin(), group.end(), 0u);
    std::vector<std::size_t> size(graph_.units(), 1);
    for (const std::uint32_t edge : edges) {
      const std::uint32_t a = group[graph_.edge_ends()[edge].unit], b = group[graph_.edge_ends()[edge].other];
      if (a == b || size[a] + size[b] > sizes_.target) continue;
      size[std::min(a, b)] = size[a] + size[b];
      std::ranges::replace(group, std::max(a, b), std::min(a, b));
    }
    std::vector<Units> members(graph_.units());
    for (std::uint32_t unit = 0; unit < graph_.units(); ++unit) members[group[unit]].push_back(unit);
    std::erase_if(members, [](const Units& units) { return units.empty(); });
    districts_ = std::move(members);
    renumber();
  }

  void renumber() {
    district_of_.resize(graph_.units());
    for (std::uint32_t district = 0; district < districts_.size(); ++district)
      for (const std::uint32_t unit : districts_[district]) district_of_[unit] = district;
  }

  // Districts that the published program takes for neighbours of one: of every unit it looks at neighbours up
  // to the first in a later district.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::uint32_t district = 0; district < districts_.size(); ++district) {
      for (const std::uint32_t unit : districts_[district]) {
        for (const UnitNeighbour& next : graph_.neighbours(unit)) {
          if (district_of_[next.unit] <= district) continue;
          found.emplace_back(district, district_of_[next.unit]);
          break;
        }
      }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  Units neighbours_of(std::uint32_t district) const {
    Units found;
    for (const auto& [one, other] : pairs()) {
      if (one == district) found.push_back(other);
      if (other == district) found.push_back(one);
    }
    return found;
  }

  void merge_smallest_pair() {
    std::pair<std::uint32_t, std::uint32_t> best;
    std::size_t smallest = std::numeric_limits<std::size_t>::max();
    for (const auto& pair : pairs()) {
      const std::size_t size = districts_[pair.first].size() + districts_[pair.second].size();
      if (size < smallest) smallest = size, best = pair;
    }
    Units& kept = districts_[best.first];
    kept.insert(kept.end(), districts_[best.second].begin(), districts_[best.second].end());
    std::ranges::sort(kept);
    districts_.erase(districts_.begin() + best.second);
    renumber();
  }

  bool fits() const {
    return std::ranges::all_of(districts_, [&](const Units& units) {
      return units.size() >= sizes_.lower && units.size() <= sizes_.upper;
    });
  }

  void sort_by_size(bool largest_first) {
    std::ranges::stable_sort(districts_, [&](const Units& a, const Units& b) {
      return largest_first ? a.size() > b.size() : a.size() < b.size();
    });
    renumber();
  }

  void shrink_large() {
    sort_by_size(true);
    for (std::uint32_t district = 0; district < districts_.size(); ++district)
      while (districts_[district].size() > sizes_.upper && give(district)) {
      }
  }

  void grow_small() {
    sort_by_size(false);
    for (std::uint32_t district = 0; district < districts_.size(); ++district)
      while (districts_[district].size() < sizes_.lower && take(district)) {
      }
  }

  bool give(std::uint32_t from) {
    Units takers = neighbours_of(from);
    std::ranges::stable_sort(takers, {}, [&](std::uint32_t taker) { return districts_[taker].size(); });
    for (const std::uint32_t to : takers)
      if (districts_[to].size() < sizes_.upper && hand_on(from, to)) return true;
    return false;
  }

  bool take(std::uint32_t to) {
    Units givers = neighbours_of(to);
    std::ranges::stable_sort(givers, std::greater{},
                             [&](std::uint32_t giver) { return districts_[giver].size(); });
    for (const std::uint32_t from : givers)
      if (districts_[from].size() > sizes_.lower && hand_on(from, to)) return true;
    return false;
  }

  // The first unit that touches the other district and does not tear its own apart.
  bool hand_on(std::uint32_t from, std::uint32_t to) {
    for (const std::uint32_t unit : districts_[from]) {
      const bool touches = std::ranges::any_of(
          graph_.neighbours(unit), [&](const UnitNeighbour& next) { return district_of_[next.unit] == to; });
      if (!touches || !connected_without(from, unit)) continue;
      districts_[to].push_back(unit);
      std::erase(districts_[from], unit);
      district_of_[unit] = to;
      return true;
    }
    return false;
  }

  bool connected_without(std::uint32_t district, std::uint32_t unit) const {
    Units reached;
    std::vector<std::uint8_t> seen(graph_.units());
    for (const std::uint32_t start : districts_[district]) {
      if (start == unit) continue;
      reached.push_back(start);
      seen[start] = 1;
      break;
    }
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const UnitNeighbour& next : graph_.neighbours(reached[at])) {
        if (next.unit == unit || seen[next.unit] || district_of_[next.unit] != district) continue;
        seen[next.unit] = 1;
        reached.push_back(next.unit);
      }
    }
    return reached.size() + 1 == districts_[district].size();
  }

  const DistrictGraph& graph_;
  DistrictSizes sizes_;
  std::vector<Units> districts_;
  std::vector<std::uint32_t> district_of_;  // [units]
};

}  // namespace

Districting published_districts(const DistrictGraph& graph, std::span<const double> weights) {
  return PublishedStart(graph).run(weights);
}

}  // namespace polystep::solvers
