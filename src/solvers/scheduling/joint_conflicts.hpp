// Which tasks cannot be packed together although every single slot would fit: each machine suits some of the
// slots, but tasks do not change machines while they run.
//
// A conflict is reduced to its core: as few tasks as possible, each for as few slots as possible. It then
// rules out every schedule in which those tasks run throughout their cores, wherever they start. Prices have
// no part in it, so conflicts are kept from solve to solve.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solvers/scheduling/machine_packing.hpp"
#include "solvers/scheduling/scheduling.hpp"

namespace polystep::solvers {

// Tasks that cannot all run throughout their cores.
struct Conflict {
  std::uint64_t jobs = 0;                                // bit per job; 0: no conflict
  std::array<SlotRange, Scheduling::kMostTasks> core{};  // of the jobs in conflict
};

class JointConflicts {
 public:
  explicit JointConflicts(const Scheduling& scheduling);

  // A conflict learned earlier that these runs contain, or null.
  const Conflict* known_in(const Conflict& runs) const;

  // Reduces runs that cannot be packed to a core, and keeps it.
  const Conflict& learn(Conflict runs);

 private:
  bool can_pack(const Conflict& runs);
  void leave_out_jobs(Conflict& runs);
  void shorten_runs(Conflict& runs);

  std::vector<std::size_t> by_size_;  // [jobs], largest resource use first
  MachinePacking packing_;
  std::vector<Conflict> known_;
  std::size_t oldest_ = 0;  // next to be replaced
};

}  // namespace polystep::solvers
