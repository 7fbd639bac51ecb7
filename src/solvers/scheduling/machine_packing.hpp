// Packs tasks with fixed starts onto machines, one task at a time, moving earlier ones where it must.
//
// Adding a task succeeds exactly if all tasks present can be packed together: where no machine has room for
// the newcomer, every arrangement of the tasks it depends on is searched. Which machine a task is on has no
// meaning outside; removing a task leaves a packing of the others, in whatever arrangement.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solvers/scheduling/scheduling.hpp"

namespace polystep::solvers {

class MachinePacking {
 public:
  explicit MachinePacking(const Scheduling& scheduling);

  void clear();
  // Adds a job that runs in these slots, not necessarily for its whole duration. False where it cannot be
  // packed; nothing has changed then. add_as_is does not move other jobs, so its false may be wrong.
  bool add(std::size_t job, SlotRange range);
  bool add_as_is(std::size_t job, SlotRange range);
  void remove(std::size_t job);

 private:
  static constexpr int kNowhere = -1;
  using Load = std::array<std::int32_t, Scheduling::kMostSlots>;

  bool has_room(std::size_t machine, std::size_t job) const;
  void put(std::size_t machine, std::size_t job);
  void take(std::size_t job);
  bool rearrange(std::size_t newcomer);
  void find_dependent(std::size_t newcomer);
  bool place_dependent();
  std::size_t most_constrained(std::size_t& machines_with_room) const;
  bool is_twin_of_earlier(std::size_t machine) const;

  std::span<const Job> jobs_;
  std::vector<int> capacities_;         // [machines]
  std::vector<Load> loads_;             // [machines]
  std::vector<int> machine_;            // [jobs], kNowhere where not packed
  std::vector<SlotRange> range_;        // [jobs], of packed jobs
  std::vector<std::size_t> packed_;     // jobs, in no order that matters
  std::vector<std::size_t> dependent_;  // jobs that a rearrangement may move; the unplaced ones come last
  std::size_t placed_ = 0;              // how many of them are placed
  std::vector<Load> saved_loads_;
  std::vector<int> saved_machine_;
};

}  // namespace polystep::solvers
