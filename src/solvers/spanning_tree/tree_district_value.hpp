// The spanning-tree surrogate as a DistrictValue: the lightest tree of the units, by Prim's rule, plus their
// lightest depot edge.
#pragma once

#include <vector>

#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/district_value.hpp"
#include "solvers/spanning_tree/tree_exchanges.hpp"

namespace polystep::solvers {

class TreeDistrictValue : public DistrictValue {
 public:
  // weights: [edges], copied. The graph must outlive this object. Throws InputError for a weight that is not
  // finite.
  TreeDistrictValue(const DistrictGraph& graph, std::span<const double> weights);

  double value(std::span<const std::uint32_t> units) override;
  std::unique_ptr<DistrictValue> clone() const override { return std::make_unique<TreeDistrictValue>(*this); }
  std::unique_ptr<DistrictExchanges> exchanges(std::size_t districts) const override {
    return std::make_unique<TreeExchanges>(*graph_, weights_, districts);
  }

  // The same, with the edges that attain it: calls take(edge) for the tree's, then for the depot edge.
  template <class Take>
  double for_each_edge(std::span<const std::uint32_t> units, const Take& take) {
    const double total = value(units);
    for (std::size_t k = 1; k < units.size(); ++k) take(added_by_[k]);
    take(depot_edge_);
    return total;
  }

 private:
  struct Waiting {
    double weight;  // of the lightest edge to the tree so far
    std::uint32_t unit;
    std::uint32_t edge;
  };

  const DistrictGraph* graph_;
  std::vector<double> weights_;       // [edges]
  std::vector<std::uint32_t> place_;  // [units], in waiting_, valid where mark_ is the present round
  std::vector<std::uint64_t> mark_;   // [units]
  std::uint64_t round_ = 0;
  std::vector<Waiting> waiting_;         // units of the set that are not in the tree yet
  std::vector<std::uint32_t> added_by_;  // [units of the set], edges of the tree from 1 on
  std::uint32_t depot_edge_ = 0;
};

}  // namespace polystep::solvers
