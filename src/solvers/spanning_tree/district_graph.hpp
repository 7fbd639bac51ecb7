// What districting solvers take: units, which of them touch, one depot, and how large districts are.
//
// Vertices 0 .. units-1 are units, vertex `units` is the depot. Edges are the touching pairs and one edge
// from every unit to the depot, ordered by (smaller end, larger end): the depot edge of a unit comes last
// among the edges that start there. Every vector of weights and every decision is in this order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace polystep::solvers {

using UnitPair = std::pair<std::uint32_t, std::uint32_t>;

// How many districts there are, and how many units each may have.
struct DistrictSizes {
  std::size_t target = 0;
  std::size_t lower = 0;
  std::size_t upper = 0;
  std::size_t count = 0;  // districts

  // The benchmark's rule: floor(0.8 t) to ceil(1.2 t) units, floor(units / t) districts. Throws InputError
  // where no sizes within these limits add up to all units.
  static DistrictSizes for_target(std::size_t units, std::size_t target);
};

struct DistrictEdge {
  std::uint32_t unit = 0;   // the smaller end
  std::uint32_t other = 0;  // the larger end; the number of units stands for the depot
};

// A neighbour of a unit and the edge to it.
struct UnitNeighbour {
  std::uint32_t unit = 0;
  std::uint32_t edge = 0;
};

class DistrictGraph {
 public:
  // Pairs in any order. Throws InputError for a pair that is no pair of two units or comes twice, and for
  // units that do not hang together.
  DistrictGraph(std::size_t units, std::span<const UnitPair> touching, DistrictSizes sizes);

  std::size_t units() const { return depot_edge_.size(); }
  std::size_t edges() const { return edges_.size(); }  // depot edges included
  const DistrictSizes& sizes() const { return sizes_; }
  std::span<const DistrictEdge> edge_ends() const { return edges_; }
  bool is_depot_edge(std::size_t edge) const { return edges_[edge].other == units(); }
  std::uint32_t depot_edge(std::size_t unit) const { return depot_edge_[unit]; }
  std::span<const UnitNeighbour> neighbours(std::size_t unit) const {  // ascending, without the depot
    return {&neighbours_[first_[unit]], first_[unit + 1] - first_[unit]};
  }

 private:
  DistrictSizes sizes_;
  std::vector<DistrictEdge> edges_;        // [edges]
  std::vector<std::uint32_t> depot_edge_;  // [units]
  std::vector<std::size_t> first_;         // [units + 1], into neighbours_
  std::vector<UnitNeighbour> neighbours_;  // [2 × touching pairs]
};

// The component of each unit, numbered by their smallest units; one number for all where they hang together.
std::vector<std::uint32_t> components_of(std::size_t units, std::span<const UnitPair> touching);

}  // namespace polystep::solvers
