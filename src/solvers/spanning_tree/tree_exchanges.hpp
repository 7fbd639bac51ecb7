// Spanning-tree values of districts that gain or lose a unit, without building the trees.
//
// For a district without one of its units, Kruskal's rule leaves a forest. Joined by size and never
// shortened, its trace answers which edge is the heaviest between two units in a few steps, since links grow
// heavier towards the root. A unit that comes in is joined to its neighbours; what the lightest tree then
// costs follows from these heaviest edges alone. Forests are built when first asked for and kept until their
// district changes, so a look at all swaps of two districts costs some forests and a few steps per swap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/district_value.hpp"

namespace polystep::solvers {

class TreeExchanges final : public DistrictExchanges {
 public:
  // Graph and weights [edges] must outlive this object.
  TreeExchanges(const DistrictGraph& graph, std::span<const double> weights, std::size_t districts);

  void set(std::uint32_t district, std::span<const std::uint32_t> units) override;
  double value(std::uint32_t district, std::uint32_t without, std::uint32_t with) override;

 private:
  static constexpr std::uint32_t kRoot = kNoUnit;

  struct InnerEdge {
    std::uint32_t rank;        // among all edges by weight, so that no two are equal
    std::uint32_t one, other;  // places in the district
  };
  struct Link {
    std::uint32_t parent = 0;
    std::uint32_t rank = kRoot;  // of the edge that joined; grows towards the root
  };
  struct Forest {
    bool built = false;
    std::uint32_t parts = 0;
    double weight = 0;        // of all edges
    std::vector<Link> links;  // [units], by place
  };
  struct District {
    std::vector<std::uint32_t> units;
    bool listed = false;                // edges below are those of units
    std::vector<InnerEdge> edges;       // light ones first
    std::uint32_t nearest[2] = {0, 0};  // the two units with the lightest depot edges
    std::vector<Forest> forests;        // [units + 1], without the unit of that place, the last without none
  };

  const Forest& forest(District& district, std::uint32_t place);
  void list_edges(District& district, std::uint32_t number);
  std::uint32_t heaviest(const Forest& forest, std::uint32_t one, std::uint32_t other) const;
  double depot_weight(std::uint32_t unit) const { return weights_[graph_.depot_edge(unit)]; }

  struct Beside {  // a unit of the district that touches the one that comes in
    double weight;
    std::uint32_t place;
    double reach = 0;  // the lightest way into the small tree so far
    bool in = false;   // it
  };
  std::size_t nearest_beside();          // which it takes in
  double joining(const Forest& forest);  // what beside_ adds to the forest; infinite where it stays apart

  const DistrictGraph& graph_;
  std::span<const double> weights_;         // [edges]
  std::vector<std::uint32_t> rank_;         // [edges]
  std::vector<double> by_rank_;             // [edges], weights
  std::vector<std::uint32_t> district_of_;  // [units]
  std::vector<std::uint32_t> place_;        // [units], within its district
  std::vector<District> districts_;
  std::vector<Beside> beside_;
  std::vector<std::uint32_t> size_;  // of the trees of the forest at hand
};

}  // namespace polystep::solvers
