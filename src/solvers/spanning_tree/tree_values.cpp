#include "solvers/spanning_tree/tree_values.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "polystep/tile.hpp"

namespace polystep::solvers {
namespace {

using namespace simd;

constexpr std::size_t kMostTrees = 16;  // those of four units that all touch each other

// Union-find over the ends of a few edges.
class Groups {
 public:
  std::uint32_t find(std::uint32_t unit) {
    for (auto& [member, group] : of_) {
      if (member == unit) return group;
    }
    of_.emplace_back(unit, unit);
    return unit;
  }
  bool join(const DistrictEdge& edge) {
    const std::uint32_t a = find(edge.unit), b = find(edge.other);
    if (a == b) return false;
    for (auto& [member, group] : of_) {
      if (group == b) group = a;
    }
    return true;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_;
};

// Lists the spanning trees of a set in the order of their edges; false where there are more than kMostTrees.
bool list_trees(std::span<const DistrictEdge> ends, std::span<const std::uint32_t> within, std::size_t from,
                std::size_t missing, const Groups& groups, std::vector<std::uint32_t>& chosen,
                std::vector<std::uint32_t>& trees, std::size_t& count) {
  if (missing == 0) {
    trees.insert(trees.end(), chosen.begin(), chosen.end());
    return ++count <= kMostTrees;
  }
  for (std::size_t at = from; at + missing <= within.size(); ++at) {
    Groups joined = groups;
    if (!joined.join(ends[within[at]])) continue;
    chosen.push_back(within[at]);
    if (!list_trees(ends, within, at + 1, missing - 1, joined, chosen, trees, count)) return false;
    chosen.pop_back();
  }
  return true;
}

// One set. Size is that of the set, or 0 where it is known only at run time.
template <class Lanes, std::size_t Size>
POLYSTEP_INLINE void tree_value(const TreeValues::Plan& plan, const std::uint32_t* items,
                                const double* weights, double* values) {
  const std::size_t size = Size != 0 ? Size : plan.size, branches = size - 1;
  const std::uint32_t* item = items + plan.first;
  auto depot = load<Lanes>(weights + kLanes * item[0]);
  for (std::size_t k = 1; k < size; ++k)
    depot = Lanes::smaller(load<Lanes>(weights + kLanes * item[k]), depot);
  item += size;
  typename Lanes::Real best{};
  for (std::size_t tree = 0; tree < plan.trees; ++tree, item += branches) {
    typename Lanes::Real sum{};
    for (std::size_t k = 0; k < branches; ++k) sum += load<Lanes>(weights + kLanes * item[k]);
    best = tree == 0 ? sum : Lanes::smaller(sum, best);
  }
  store(values + kLanes * plan.set, best + depot);
}

template <class Lanes>
POLYSTEP_INLINE void tree_values(const TreeValues::View& view, const double* weights, double* values) {
  for (const TreeValues::Plan* plan = view.plans; plan != view.plans + view.count; ++plan) {
    if (plan->size == 4) {
      tree_value<Lanes, 4>(*plan, view.items, weights, values);
    } else if (plan->size == 3) {
      tree_value<Lanes, 3>(*plan, view.items, weights, values);
    } else if (plan->size == 2) {
      tree_value<Lanes, 2>(*plan, view.items, weights, values);
    } else {
      tree_value<Lanes, 0>(*plan, view.items, weights, values);
    }
  }
}

void tree_values_baseline(const TreeValues::View& view, const double* weights, double* values) {
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    tree_values<FourLanes>(view, weights + lane, values + lane);
  }
}

POLYSTEP_AVX512 void tree_values_avx512(const TreeValues::View& view, const double* weights, double* values) {
  tree_values<EightLanes>(view, weights, values);
}

}  // namespace

TreeValues::TreeValues(const DistrictGraph& graph, const ConnectedSets& sets, InstructionSet set)
    : ends_(graph.edge_ends().begin(), graph.edge_ends().end()),
      fill_tile_(set == InstructionSet::kAvx512 ? tree_values_avx512 : tree_values_baseline) {
  require_supported(set, "spanning trees");
  std::vector<std::uint32_t> within, chosen, trees;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const auto units = sets.units(k);
    Plan plan{.first = static_cast<std::uint32_t>(items_.size()),
              .size = static_cast<std::uint16_t>(units.size())};
    within.clear();
    for (const std::uint32_t unit : units) {
      items_.push_back(graph.depot_edge(unit));
      for (const UnitNeighbour& next : graph.neighbours(unit)) {
        if (next.unit > unit && std::binary_search(units.begin(), units.end(), next.unit))
          within.push_back(next.edge);
      }
    }
    plan.edges = static_cast<std::uint32_t>(within.size());
    chosen.clear(), trees.clear();
    std::size_t count = 0;
    const bool few = list_trees(ends_, within, 0, units.size() - 1, {}, chosen, trees, count);
    if (few) {
      plan.trees = static_cast<std::uint16_t>(count);
      items_.insert(items_.end(), trees.begin(), trees.end());
    } else {
      items_.insert(items_.end(), within.begin(), within.end());
      ruled_.push_back(static_cast<std::uint32_t>(k));
    }
    plan.set = static_cast<std::uint32_t>(k);
    plans_.push_back(plan);
    if (few) listed_.push_back(plan);
  }
  std::stable_sort(listed_.begin(), listed_.end(), [](const Plan& a, const Plan& b) {
    return std::pair(a.size, a.trees) < std::pair(b.size, b.trees);
  });
}

void TreeValues::fill(std::span<const double> weights, std::span<double> values) const {
  for (std::size_t set = 0; set < sets(); ++set) values[set] = value(plans_[set], weights);
}

void TreeValues::fill_tile(const double* weights, double* values) const {
  fill_tile_({listed_.data(), listed_.size(), items_.data()}, weights, values);
  if (ruled_.empty()) return;
  std::vector<double> own(ends_.size());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t edge = 0; edge < own.size(); ++edge) own[edge] = weights[kLanes * edge + lane];
    for (const std::uint32_t set : ruled_) values[kLanes * set + lane] = value(plans_[set], own);
  }
}

double TreeValues::value(const Plan& plan, std::span<const double> weights) const {
  const double depot = weights[lightest_depot_edge(plan, weights)];
  double sum = 0;
  if (plan.trees > 0) {
    for (const std::uint32_t edge : lightest_listed(plan, weights)) sum += weights[edge];
  } else {
    for (const std::uint32_t edge : lightest_by_rule(plan, weights)) sum += weights[edge];
  }
  return sum + depot;
}

std::span<const std::uint32_t> TreeValues::lightest_listed(const Plan& plan,
                                                           std::span<const double> weights) const {
  const std::size_t branches = plan.size - 1u;
  const std::uint32_t* tree = &items_[plan.first + plan.size];
  const std::uint32_t* best = tree;
  double best_sum = 0;
  for (std::size_t k = 0; k < plan.trees; ++k, tree += branches) {
    double sum = 0;
    for (std::size_t branch = 0; branch < branches; ++branch) sum += weights[tree[branch]];
    if (k == 0 || sum < best_sum) best = tree, best_sum = sum;
  }
  return {best, branches};
}

// Edges by weight, then by number; an edge is taken where it joins two groups.
std::vector<std::uint32_t> TreeValues::lightest_by_rule(const Plan& plan,
                                                        std::span<const double> weights) const {
  std::vector<std::uint32_t> edges(&items_[plan.first + plan.size],
                                   &items_[plan.first + plan.size] + plan.edges);
  std::stable_sort(edges.begin(), edges.end(), [&](auto a, auto b) { return weights[a] < weights[b]; });
  std::vector<std::uint32_t> tree;
  Groups groups;
  for (const std::uint32_t edge : edges) {
    if (groups.join(ends_[edge])) tree.push_back(edge);
  }
  std::sort(tree.begin(), tree.end());
  return tree;
}

std::uint32_t TreeValues::lightest_depot_edge(const Plan& plan, std::span<const double> weights) const {
  const std::uint32_t* edges = &items_[plan.first];
  return *std::min_element(edges, edges + plan.size, [&](auto a, auto b) { return weights[a] < weights[b]; });
}

}  // namespace polystep::solvers
