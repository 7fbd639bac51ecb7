// Capacitated spanning trees as a surrogate for districting, solved exactly: weights of edges in, districts
// out.
//
// A district is worth the lightest spanning tree of its units plus its lightest depot edge; the districts
// chosen are connected, keep to the sizes, number exactly as many as asked for, and have the smallest total.
// The same object prices partitions by any cost per set, such as true costs of tours.
//
//   const DistrictGraph graph(units, touching, DistrictSizes::for_target(units, 3));
//   const TreeSurrogate surrogate(graph);
//   TreeSurrogate::Workspace work(surrogate);
//   std::vector<std::uint32_t> chosen(surrogate.districts());
//   const double objective = surrogate.solve(weights, work, chosen);  // numbers of surrogate.sets()
//
// The layered programme of partition_program.hpp does the work. Where it would be too large, the general
// backend solves set partitioning instead: as exact, thousands of times slower, and with ties broken its own
// way. Where even the sets are too many to list, the constructor throws InputError; district_search.hpp is
// for such graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/partition_program.hpp"
#include "solvers/spanning_tree/tree_values.hpp"

namespace polystep::solvers {

class MilpSolver;

class TreeSurrogate {
 public:
  explicit TreeSurrogate(DistrictGraph graph, const PartitionProgramOptions& options = {});

  const DistrictGraph& graph() const { return graph_; }
  const ConnectedSets& sets() const { return sets_; }
  const TreeValues& values() const { return values_; }
  const PartitionProgram* program() const { return program_.get(); }  // null where the backend solves
  std::size_t districts() const { return graph_.sizes().count; }

  // What one thread needs. Nothing is kept from one solve to the next.
  class Workspace {
   public:
    explicit Workspace(const TreeSurrogate& surrogate);
    ~Workspace();
    Workspace(Workspace&&) noexcept;

   private:
    friend class TreeSurrogate;
    AlignedDoubles values_;  // [sets × kLanes]
    PartitionProgram::Workspace program_;
    std::unique_ptr<MilpSolver> general_;
    std::vector<double> one_;  // one lane of weights [edges]
  };

  // The best districts for weights [edges] as numbers of sets, ascending, into chosen [districts], and their
  // total. NaN where a weight is not finite or the backend fails; then nothing is chosen.
  double solve(std::span<const double> weights, Workspace& work, std::span<std::uint32_t> chosen) const;

  // Eight weight vectors, equal to solve bit for bit. weights: [edges × kLanes], objective: [kLanes],
  // chosen: [kLanes × districts]
  void solve_tile(const double* weights, Workspace& work, double* objective, std::uint32_t* chosen) const;

  // The best districts for any costs [sets].
  double solve_costs(std::span<const double> costs, Workspace& work, std::span<std::uint32_t> chosen) const;

  // The decision that belongs to chosen districts: 1 for their tree and depot edges, else 0. [edges]
  void mark_edges(std::span<const double> weights, std::span<const std::uint32_t> chosen,
                  std::span<double> decision) const;

 private:
  DistrictGraph graph_;
  ConnectedSets sets_;
  TreeValues values_;
  std::unique_ptr<PartitionProgram> program_;
};

}  // namespace polystep::solvers
