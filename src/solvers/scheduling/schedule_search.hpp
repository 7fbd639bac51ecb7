// Finds the cheapest schedule, exactly: branch and bound on conflicts between cheapest starts.
//
// Every task at its cheapest start is a lower bound, and where those starts can be packed onto the machines
// it is the answer: most solves end there. Otherwise some tasks are in conflict, usually few that crowd into
// one slot. One of them has to stay out of that slot, so the search branches on which, and each branch is the
// same problem with fewer starts allowed. Tasks that are in nobody's way are never branched on.
//
// A search that does not end soon goes on with a second bound, from costs that include a charge for capacity
// (capacity_multipliers.hpp); where tasks crowd it saves about a quarter of the nodes.
//
// A search object is one thread's. It remembers schedules of earlier solves (a pool, for a good upper bound),
// conflicts, and the charges that served last. Memory makes it faster and never changes an answer: the best
// schedule, ties included, is defined by the model alone (see scheduling.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "polystep/problem.hpp"
#include "solvers/knapsack/capacity_multipliers.hpp"
#include "solvers/scheduling/joint_conflicts.hpp"
#include "solvers/scheduling/machine_packing.hpp"
#include "solvers/scheduling/scheduling.hpp"
#include "solvers/scheduling/slot_conflicts.hpp"

namespace polystep::solvers {

class ScheduleSearch {
 public:
  explicit ScheduleSearch(const Scheduling& scheduling);  // which must outlive the search

  // The start of every task. kFailed where no schedule exists or a price is not finite; starts are then left
  // as they were. There is no time limit. prices: [slots]; starts: [tasks]
  SolveStatus solve(std::span<const double> prices, std::span<int> starts);

  // How the solves so far ended, for measurements. Every solve is searched to its end: the rest found a
  // better schedule than those remembered, or there was no schedule.
  std::uint64_t nodes() const { return nodes_; }        // branched on
  std::uint64_t packed() const { return packed_; }      // solves whose cheapest starts fit: no search
  std::uint64_t recalled() const { return recalled_; }  // solves that proved a remembered schedule best

 private:
  using Cost = std::int64_t;
  template <class T>
  using PerJob = std::array<T, Scheduling::kMostTasks>;
  using Choice = PerJob<std::uint8_t>;  // an option for every job; 0 beyond the last job

  // A part of the search space: all schedules whose options are allowed.
  struct Box {
    PerJob<std::uint64_t> allowed;  // bit per option
    PerJob<Cost> least_charged;     // of the allowed options
    Choice cheapest;                // of the allowed options
    Cost bound;                     // cost of the cheapest options
    Cost charged_bound;             // the same with charges
  };

  void open_root(Box& box) const;
  bool restrict_to(Box& box, std::size_t job, std::uint64_t options) const;
  bool search(const Box& root, std::uint64_t node_limit);
  bool branch(const Box& box, const Conflict& conflict);
  bool explore(const Box& box);
  Conflict find_conflict(const Box& box);
  Conflict conflict_in_slots(const Box& box, std::uint64_t slots);
  Cost cheapest_without(const Box& box, std::size_t job, std::uint64_t options) const;
  Cost least_increase(const Box& box, const Conflict& conflict) const;
  void charge_for_capacity(Box& root);
  bool may_beat_best(const Box& box) const;
  void consider(const Choice& choice, Cost cost);
  void recall_best();
  void remember_best();

  std::span<const Job> jobs_;
  std::vector<std::size_t> by_size_;  // [jobs], largest resource use first: packing fails early if it must
  const Scheduling& scheduling_;
  MachinePacking packing_;
  SlotConflicts slot_conflicts_;
  JointConflicts joint_conflicts_;
  CapacityMultipliers multipliers_;
  std::vector<Cost> costs_;    // [options]
  std::vector<Cost> charged_;  // [options], with charges for capacity
  bool charging_ = false;      // the charged bound is in use
  Choice best_{};
  Cost best_cost_ = 0;
  bool has_best_ = false;
  bool infeasible_ = false;  // proven: no schedule exists, whatever the prices
  std::vector<Choice> pool_;
  std::size_t oldest_ = 0;  // of the pool, next to be replaced
  std::uint64_t nodes_ = 0;
  std::uint64_t packed_ = 0;
  std::uint64_t recalled_ = 0;
  std::uint64_t last_node_ = 0;  // where the present search gives up
};

}  // namespace polystep::solvers
