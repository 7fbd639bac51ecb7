// The cheapest partition of all units into candidate sets, exactly, for many cost vectors: a layered dynamic
// programme whose graph depends on the sets alone.
//
// Units have a fixed order. A state is the units covered so far; its layer is the number of sets used. From
// a state the first uncovered unit must be covered next, by a set that holds no covered unit. States from
// which the end cannot be reached are dropped. Building that graph is the work; afterwards a cost vector
// takes one sweep over the arcs, min of cost[set] + value[target], and a walk back along the minima. How many
// arcs there are depends on the order of units by a factor of ten and more, so several orders are tried.
//
// Ties: of equally good continuations the set that comes first wins. Sums run from the last set of a
// partition to the first, in every variant alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "simd/lanes.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

struct PartitionProgramOptions {
  std::size_t most_arcs = 20'000'000;  // of one attempt; a programme beyond it is not built
  std::size_t orders = 6;              // orders of units that are tried, the most promising ones
  std::size_t reinsertions = 12;       // then single units moved within the best order
  simd::InstructionSet instruction_set = simd::best_instruction_set();
};

class PartitionProgram {
 public:
  static constexpr std::size_t kMostUnits = 64;

  // Null where there are more units than kMostUnits or more arcs than allowed, in every order tried. Throws
  // InputError where no partition into such sets exists.
  static std::unique_ptr<PartitionProgram> build(const DistrictGraph& graph, const ConnectedSets& sets,
                                                 const PartitionProgramOptions& options = {});

  std::size_t sets() const { return sets_; }
  std::size_t districts() const { return districts_; }
  std::size_t states() const { return first_arc_.size() - 1; }
  std::size_t arcs() const { return arcs_.size(); }

  struct Workspace {
    AlignedDoubles value;  // [states × kLanes]
  };

  // The cheapest partition for costs [sets] into chosen [districts], sets ascending, and its cost: the plain
  // twin of solve_tile, equal bit for bit. Where no cost is finite it is not, and nothing is chosen.
  double solve(std::span<const double> costs, Workspace& work, std::span<std::uint32_t> chosen) const;

  // Eight cost vectors. costs: [sets × kLanes]; value: [kLanes]; chosen: [kLanes × districts]
  void solve_tile(const double* costs, Workspace& work, double* value, std::uint32_t* chosen) const;

  struct Arc {
    std::uint32_t target = 0;  // a state with a smaller number
    std::uint32_t set = 0;
  };
  struct View {
    const std::uint32_t* first_arc;  // [states + 1]
    const Arc* arcs;
    std::size_t states;
  };

 private:
  friend class PartitionProgramBuilder;
  using Sweep = void (*)(const View&, const double*, double*);

  PartitionProgram() = default;
  void walk_back(const double* costs, const double* value, std::size_t stride, std::uint32_t* chosen) const;

  std::size_t sets_ = 0, districts_ = 0;
  std::vector<std::uint32_t> first_arc_;  // [states + 1]; state 0 has all units covered, the last state none
  std::vector<Arc> arcs_;                 // of a state by set, ascending
  Sweep sweep_ = nullptr;
};

}  // namespace polystep::solvers
