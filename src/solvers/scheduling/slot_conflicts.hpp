// Which tasks cannot all run in the same slot, because no way of dealing them to the machines fits.
//
// A slot on its own is a small bin-packing question about a set of tasks. Neither prices nor starts have a
// part in it, so answers are kept from solve to solve.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/scheduling/scheduling.hpp"

namespace polystep::solvers {

class SlotConflicts {
 public:
  explicit SlotConflicts(const Scheduling& scheduling);

  // A smallest conflict (none of its tasks could be left out) among tasks that run at the same time; 0 where
  // they fit. The answer depends on the set alone. running: bit per task
  std::uint64_t among(std::uint64_t running);

 private:
  struct Known {
    std::uint64_t running = 0;
    std::uint64_t conflict = 0;
  };

  std::uint64_t find(std::uint64_t running);
  bool fits(std::uint64_t running);
  bool deal(std::size_t rank, std::uint64_t running);

  std::span<const Job> jobs_;
  int usable_capacity_;
  std::vector<int> capacities_;       // [machines]
  std::vector<std::size_t> by_size_;  // [tasks], largest resource use first
  std::vector<int> room_;             // [machines], while tasks are dealt
  std::vector<Known> known_;          // answers, at a place given by a hash of the set
};

}  // namespace polystep::solvers
