#include "solvers/spanning_tree/district_start.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace polystep::solvers {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kRounds = 10;  // of chains between two dissolutions
constexpr std::size_t kDissolutions = 60;

// Groups of units, named by their smallest unit.
class UnitGroups {
 public:
  explicit UnitGroups(std::size_t units) : root_(units), size_(units, 1), count_(units) {
    std::iota(root_.begin(), root_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t unit) {
    while (root_[unit] != unit) unit = root_[unit] = root_[root_[unit]];
    return unit;
  }
  std::size_t size(std::uint32_t root) const { return size_[root]; }
  std::size_t count() const { return count_; }
  void join(std::uint32_t a, std::uint32_t b) {  // two different roots
    if (b < a) std::swap(a, b);
    root_[b] = a;
    size_[a] += size_[b];
    --count_;
  }

 private:
  std::vector<std::uint32_t> root_;
  std::vector<std::size_t> size_;
  std::size_t count_;
};

void join_light_edges(const DistrictGraph& graph, std::span<const double> weights, UnitGroups& groups) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t edge = 0; edge < graph.edges(); ++edge) {
    if (!graph.is_depot_edge(edge)) edges.push_back(edge);
  }
  std::stable_sort(edges.begin(), edges.end(), [&](auto a, auto b) { return weights[a] < weights[b]; });
  for (const std::uint32_t edge : edges) {
    const std::uint32_t a = groups.find(graph.edge_ends()[edge].unit),
                        b = groups.find(graph.edge_ends()[edge].other);
    if (a != b && groups.size(a) + groups.size(b) <= graph.sizes().target) groups.join(a, b);
  }
}

// The two touching groups that are smallest together, until there are no more groups than districts.
void merge_small_groups(const DistrictGraph& graph, UnitGroups& groups) {
  while (groups.count() > graph.sizes().count) {
    std::tuple<std::size_t, std::uint32_t, std::uint32_t> best{std::numeric_limits<std::size_t>::max(), 0, 0};
    for (std::uint32_t edge = 0; edge < graph.edges(); ++edge) {
      if (graph.is_depot_edge(edge)) continue;
      std::uint32_t a = groups.find(graph.edge_ends()[edge].unit),
                    b = groups.find(graph.edge_ends()[edge].other);
      if (a == b) continue;
      if (b < a) std::swap(a, b);
      best = std::min(best, {groups.size(a) + groups.size(b), a, b});
    }
    groups.join(std::get<1>(best), std::get<2>(best));
  }
}

class Repair {
 public:
  explicit Repair(Districting& districts) : districts_(districts), sizes_(districts.graph().sizes()) {}

  bool run() {
    for (std::size_t dissolved = 0;; ++dissolved) {
      for (std::size_t round = 0; round < kRounds; ++round) {
        if (!chains()) break;
      }
      if (districts_.violation() == 0) return true;
      if (dissolved == kDissolutions || !dissolve_smallest(dissolved)) return false;
    }
  }

 private:
  // One round over all districts, the worst first; whether anything moved.
  bool chains() {
    bool moved = false;
    for (const std::uint32_t district : by_size()) {
      while (districts_.size(district) > sizes_.upper && chain(district, true)) moved = true;
    }
    auto ascending = by_size();
    std::ranges::reverse(ascending);
    for (const std::uint32_t district : ascending) {
      while (districts_.size(district) < sizes_.lower && chain(district, false)) moved = true;
    }
    return moved;
  }

  std::vector<std::uint32_t> by_size() const {  // the largest first
    std::vector<std::uint32_t> order(districts_.count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return districts_.size(a) > districts_.size(b); });
    return order;
  }

  // Moves one unit out of (or into) a district along the shortest chain of districts that ends where there is
  // room (or a unit to spare).
  bool chain(std::uint32_t district, bool out) {
    std::vector<std::uint32_t> came_from(districts_.count(), kNone), queue{district};
    came_from[district] = district;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint32_t here = queue[at];
      const auto beside = districts_.beside(here);
      std::vector<std::uint32_t> next(beside.begin(), beside.end());
      std::ranges::stable_sort(next, [&](auto a, auto b) {
        return out ? districts_.size(a) < districts_.size(b) : districts_.size(a) > districts_.size(b);
      });
      for (const std::uint32_t other : next) {
        if (came_from[other] != kNone) continue;
        if ((out ? movable(here, other) : movable(other, here)) == kNone) continue;
        came_from[other] = here;
        queue.push_back(other);
        const bool ends = out ? districts_.size(other) < sizes_.upper : districts_.size(other) > sizes_.lower;
        if (!ends) continue;
        std::vector<std::uint32_t> path{other};
        while (path.back() != district) path.push_back(came_from[path.back()]);
        if (out) std::ranges::reverse(path);  // from giver to taker
        if (pass_along(path)) return true;
      }
    }
    return false;
  }

  // Every district of the path gives a unit to the next; nothing changes where one cannot.
  bool pass_along(const std::vector<std::uint32_t>& path) {
    for (const bool last_first : {true, false}) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> done;  // units and where they were
      const std::size_t links = path.size() - 1;
      for (std::size_t k = 0; k < links; ++k) {
        const std::size_t link = last_first ? links - 1 - k : k;
        const std::uint32_t unit = movable(path[link], path[link + 1]);
        if (unit == kNone) break;
        done.emplace_back(unit, path[link]);
        districts_.move(unit, path[link + 1]);
      }
      if (done.size() == links) return true;
      for (; !done.empty(); done.pop_back()) districts_.move(done.back().first, done.back().second);
    }
    return false;
  }

  // The unit that one district can best give to another: it has the most neighbours there beyond those it
  // leaves.
  std::uint32_t movable(std::uint32_t from, std::uint32_t to) {
    if (districts_.size(from) < 2) return kNone;
    districts_.border(from, to, border_);
    std::uint32_t best = kNone;
    int best_gain = 0;
    for (const std::uint32_t unit : border_) {
      int gain = 0;
      for (const UnitNeighbour& next : districts_.graph().neighbours(unit)) {
        gain += (districts_.district(next.unit) == to) - (districts_.district(next.unit) == from);
      }
      if ((best == kNone || gain > best_gain) && districts_.is_connected_without(unit))
        best = unit, best_gain = gain;
    }
    return best;
  }

  // `turn` makes repeated attempts differ: it passes over that many of the largest districts.
  bool dissolve_smallest(std::size_t turn) {
    if (districts_.count() < 2) return false;
    const std::uint32_t smallest = by_size().back();
    while (districts_.size(smallest) > 0) {
      std::uint32_t given = kNone, taker = kNone;
      for (const std::uint32_t unit : districts_.units(smallest)) {
        for (const UnitNeighbour& next : districts_.graph().neighbours(unit)) {
          const std::uint32_t other = districts_.district(next.unit);
          if (other == smallest || (taker != kNone && districts_.size(other) >= districts_.size(taker)))
            continue;
          given = unit, taker = other;
        }
      }
      districts_.move(given, taker);
    }
    const auto order = by_size();
    const std::size_t candidates = order.size() - 1;
    for (std::size_t k = 0; k < candidates; ++k) {
      if (cut(order[(k + turn / 4) % candidates], smallest)) return true;
    }
    return false;
  }

  // Cuts a district along an edge of its search tree, as near to the middle as that goes.
  bool cut(std::uint32_t district, std::uint32_t into) {
    const auto units = districts_.units(district);
    if (units.size() < 2) return false;
    const DistrictGraph& graph = districts_.graph();
    std::vector<std::uint32_t> order{units[0]};
    std::vector<std::uint32_t> parent(graph.units(), kNone), below(graph.units(), 1);
    parent[units[0]] = units[0];
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (const UnitNeighbour& next : graph.neighbours(order[at])) {
        if (districts_.district(next.unit) != district || parent[next.unit] != kNone) continue;
        parent[next.unit] = order[at];
        order.push_back(next.unit);
      }
    }
    std::uint32_t top = kNone;
    std::size_t best = std::numeric_limits<std::size_t>::max();
    for (std::size_t at = order.size(); at-- > 1;) {
      const std::uint32_t unit = order[at];
      below[parent[unit]] += below[unit];
      const std::size_t larger = std::max<std::size_t>(below[unit], units.size() - below[unit]);
      if (larger < best) best = larger, top = unit;
    }
    std::vector<std::uint32_t> moved;
    std::vector<std::uint8_t> under(graph.units());
    for (const std::uint32_t unit : order) {
      under[unit] = unit == top || (parent[unit] != unit && under[parent[unit]]);
      if (under[unit]) moved.push_back(unit);
    }
    for (const std::uint32_t unit : moved) districts_.move(unit, into);
    return true;
  }

  Districting& districts_;
  DistrictSizes sizes_;
  std::vector<std::uint32_t> border_;
};

}  // namespace

bool repair_sizes(Districting& districts) { return Repair(districts).run(); }

Districting start_districts(const DistrictGraph& graph, std::span<const double> weights) {
  UnitGroups groups(graph.units());
  join_light_edges(graph, weights, groups);
  merge_small_groups(graph, groups);
  std::vector<std::uint32_t> number(graph.units(), kNone), district_of(graph.units());
  std::uint32_t count = 0;
  for (std::uint32_t unit = 0; unit < graph.units(); ++unit) {
    std::uint32_t& own = number[groups.find(unit)];
    if (own == kNone) own = count++;
    district_of[unit] = own;
  }
  Districting districts(graph, std::move(district_of));
  repair_sizes(districts);
  return districts;
}

}  // namespace polystep::solvers
