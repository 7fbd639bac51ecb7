// Builds the graph of a PartitionProgram: tries orders of the units and keeps the one with the fewest arcs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/spanning_tree/partition_program.hpp"

namespace polystep::solvers {

class PartitionProgramBuilder {
 public:
  PartitionProgramBuilder(const DistrictGraph& graph, const ConnectedSets& sets);

  // False where every order has too many arcs. Throws InputError where there is no partition.
  bool build(const PartitionProgramOptions& options, PartitionProgram& program);

 private:
  using Mask = std::uint64_t;
  using Order = std::vector<std::uint32_t>;  // [units], the unit at each place

  enum class Outcome { kBuilt, kTooLarge, kNoPartition };

  struct Placed {
    Mask units = 0;  // bit p: the unit at place p of the order
    std::uint32_t set = 0;
  };
  struct Layer {
    std::vector<Mask> covered;             // [states]
    std::vector<std::uint32_t> first_arc;  // [states + 1], into arcs; targets count the next layer's states
    std::vector<PartitionProgram::Arc> arcs;
  };

  std::vector<Order> promising_orders(std::size_t count) const;
  Order greedy_order(std::uint32_t start) const;
  Order swept_order(std::uint32_t from, std::uint32_t to) const;
  double frontier_size(const Order& order) const;

  void place(const Order& order);
  Outcome expand(const Order& order, std::size_t most_arcs);
  bool hopeful(Mask uncovered, std::size_t sets_left) const;
  std::uint32_t state_of(Mask covered, std::size_t sets_left, Layer& layer);
  std::size_t drop_dead_ends();
  void write(PartitionProgram& program) const;

  const DistrictGraph& graph_;
  const ConnectedSets& sets_;
  std::vector<std::vector<std::uint32_t>> distance_;  // [units × units], steps between units

  // Of the order at hand.
  std::vector<std::vector<Placed>> starting_;     // [units], sets by their first place
  std::vector<Mask> touching_;                    // [units]
  std::vector<Layer> layers_;                     // [districts + 1]
  std::vector<std::vector<std::uint8_t>> alive_;  // [districts + 1][states]
  std::size_t live_arcs_ = 0;
  std::vector<Mask> table_keys_;             // open addressing over the next layer's states
  std::vector<std::uint32_t> table_states_;  // kEmpty, kHopeless or a state
};

}  // namespace polystep::solvers
