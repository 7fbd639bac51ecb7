// What districts are worth to the spanning-tree surrogate, for all candidate sets at once: the lightest
// spanning tree of a set plus the lightest edge between one of its units and the depot.
//
// Small sets have few spanning trees; they are listed once, so that eight weight vectors are served by plain
// sums and minima. Sets with many trees are left to Kruskal's rule, one vector at a time.
//
// Ties: among trees of equal weight the one whose edges come first wins, among depot edges the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simd/lanes.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

class TreeValues {
 public:
  // The graph is not kept.
  TreeValues(const DistrictGraph& graph, const ConnectedSets& sets,
             simd::InstructionSet set = simd::best_instruction_set());

  std::size_t sets() const { return plans_.size(); }

  // One weight vector [edges]: the plain twin of fill_tile, equal bit for bit.
  void fill(std::span<const double> weights, std::span<double> values) const;  // values: [sets]
  // Eight. weights: [edges × kLanes], values: [sets × kLanes]
  void fill_tile(const double* weights, double* values) const;

  // Calls take(edge) for the edges that attain a set's value: its tree's, ascending, then the depot edge.
  template <class Take>
  void for_each_edge(std::size_t set, std::span<const double> weights, const Take& take) const {
    const Plan& plan = plans_[set];
    if (plan.trees > 0) {
      for (const std::uint32_t edge : lightest_listed(plan, weights)) take(edge);
    } else {
      std::vector<std::uint32_t> tree = lightest_by_rule(plan, weights);
      for (const std::uint32_t edge : tree) take(edge);
    }
    take(lightest_depot_edge(plan, weights));
  }

  struct Plan {
    std::uint32_t first = 0;  // into items: the depot edges [size], then the trees [trees × (size - 1)],
    std::uint16_t size = 0;   // or, where there are no trees, all edges within the set [edges]
    std::uint16_t trees = 0;  // 0 where there are too many to list
    std::uint32_t edges = 0;
    std::uint32_t set = 0;
  };
  struct View {
    const Plan* plans;
    std::size_t count;
    const std::uint32_t* items;
  };

 private:
  using FillTile = void (*)(const View&, const double*, double*);

  double value(const Plan& plan, std::span<const double> weights) const;
  std::span<const std::uint32_t> lightest_listed(const Plan& plan, std::span<const double> weights) const;
  std::vector<std::uint32_t> lightest_by_rule(const Plan& plan, std::span<const double> weights) const;
  std::uint32_t lightest_depot_edge(const Plan& plan, std::span<const double> weights) const;

  std::vector<Plan> plans_;           // [sets]
  std::vector<Plan> listed_;          // those with trees, alike ones together
  std::vector<std::uint32_t> items_;  // edges, see Plan
  std::vector<DistrictEdge> ends_;    // [edges], for Kruskal's rule
  std::vector<std::uint32_t> ruled_;  // sets without listed trees
  FillTile fill_tile_;
};

}  // namespace polystep::solvers
