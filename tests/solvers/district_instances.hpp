// Small random graphs to divide into districts, and the best partition by looking at all of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

// A random tree and some further pairs; sizes that add up.
inline DistrictGraph draw_district_graph(RandomStream& random, std::size_t units, double density) {
  std::vector<UnitPair> pairs;
  for (std::uint32_t a = 1; a < units; ++a) {
    const auto parent = static_cast<std::uint32_t>(random.below(a));
    for (std::uint32_t b = 0; b < a; ++b) {
      if (b == parent || random.uniform() < density) pairs.emplace_back(b, a);
    }
  }
  const std::size_t lower = 1 + random.below(3), upper = lower + random.below(3);
  const std::size_t fewest = (units + upper - 1) / upper, most = units / lower;
  const std::size_t count = fewest > most ? 0 : fewest + random.below(most - fewest + 1);
  if (count == 0) return draw_district_graph(random, units, density);
  return {
      units,
      pairs,
      {.target = std::max<std::size_t>(1, units / count), .lower = lower, .upper = upper, .count = count}};
}

// Continuous, or with many ties, of either sign.
inline std::vector<double> draw_edge_weights(RandomStream& random, std::size_t edges) {
  std::vector<double> weights(edges);
  const std::uint64_t kind = random.below(4);
  for (double& weight : weights) {
    weight = kind == 0   ? random.normal()
             : kind == 1 ? static_cast<double>(random.below(3))
             : kind == 2 ? static_cast<double>(random.below(5)) - 2
                         : 1.0;
  }
  return weights;
}

// Everything about subsets of up to 20 units by plain enumeration; masks have a bit per unit.
class AllDistricts {
 public:
  AllDistricts(const DistrictGraph& graph, std::span<const double> weights)
      : graph_(graph), weights_(weights.begin(), weights.end()) {}

  // The lightest tree by adding the lightest edge that leaves it, plus the lightest depot edge; infinite
  // where the set is not connected.
  double value(std::uint32_t mask) const {
    double depot = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::uint32_t unit = 0; unit < graph_.units(); ++unit) {
      if (mask >> unit & 1) depot = std::min(depot, weights_[graph_.depot_edge(unit)]);
    }
    for (std::uint32_t tree = mask & -mask; tree != mask;) {
      double best = std::numeric_limits<double>::infinity();
      std::uint32_t added = 0;
      for (std::size_t edge = 0; edge < graph_.edges(); ++edge) {
        if (graph_.is_depot_edge(edge)) continue;
        const std::uint32_t ends = 1u << graph_.edge_ends()[edge].unit | 1u << graph_.edge_ends()[edge].other;
        if ((ends & mask) != ends || std::popcount(ends & tree) != 1 || weights_[edge] >= best) continue;
        best = weights_[edge], added = ends;
      }
      if (added == 0) return std::numeric_limits<double>::infinity();
      sum += best;
      tree |= added;
    }
    return sum + depot;
  }

  // The value of the best partition; infinite where there is none.
  double best() {
    values_.assign(std::size_t{1} << graph_.units(), 0);
    for (std::uint32_t mask = 1; mask < values_.size(); ++mask) {
      const auto size = static_cast<std::size_t>(std::popcount(mask));
      const bool fits = size >= graph_.sizes().lower && size <= graph_.sizes().upper;
      values_[mask] = fits ? value(mask) : std::numeric_limits<double>::infinity();
    }
    return best_from(static_cast<std::uint32_t>(values_.size() - 1), graph_.sizes().count);
  }

 private:
  double best_from(std::uint32_t left, std::size_t count) const {
    if (left == 0 || count == 0) return left == 0 && count == 0 ? 0 : std::numeric_limits<double>::infinity();
    const std::uint32_t first = left & -left, others = left & ~first;
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t some = others;; some = (some - 1) & others) {
      if (std::isfinite(values_[some | first])) {
        best = std::min(best, values_[some | first] + best_from(others & ~some, count - 1));
      }
      if (some == 0) return best;
    }
  }

  const DistrictGraph& graph_;
  std::vector<double> weights_;  // [edges]
  std::vector<double> values_;   // [subsets], of sets within the sizes
};

}  // namespace polystep::solvers
