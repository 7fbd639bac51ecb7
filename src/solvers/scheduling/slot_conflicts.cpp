#include "solvers/scheduling/slot_conflicts.hpp"

#include <algorithm>
#include <bit>

namespace polystep::solvers {
namespace {

constexpr int kKnownBits = 12;  // 4096 answers, 64 KiB

}  // namespace

SlotConflicts::SlotConflicts(const Scheduling& scheduling)
    : jobs_(scheduling.jobs()),
      usable_capacity_(scheduling.usable_capacity()),
      capacities_(scheduling.instance().capacities),
      by_size_(scheduling.jobs_by_size()),
      room_(capacities_.size()),
      known_(std::size_t{1} << kKnownBits) {}

std::uint64_t SlotConflicts::among(std::uint64_t running) {
  Known& known = known_[running * 0x9e3779b97f4a7c15u >> (64 - kKnownBits)];
  if (known.running != running) known = {running, find(running)};
  return known.conflict;
}

std::uint64_t SlotConflicts::find(std::uint64_t running) {
  if (fits(running)) return 0;
  for (std::size_t rank = by_size_.size(); rank-- > 0;) {  // small tasks are rarely to blame
    const std::uint64_t without = running & ~(std::uint64_t{1} << by_size_[rank]);
    if (without != running && !fits(without)) running = without;
  }
  return running;
}

bool SlotConflicts::fits(std::uint64_t running) {
  int use = 0;
  for (std::uint64_t rest = running; rest != 0; rest &= rest - 1)
    use += jobs_[static_cast<std::size_t>(std::countr_zero(rest))].resource;
  if (use > usable_capacity_) return false;
  room_ = capacities_;
  return deal(0, running);
}

// Depth first, largest task first.
bool SlotConflicts::deal(std::size_t rank, std::uint64_t running) {
  while (rank < by_size_.size() && (running >> by_size_[rank] & 1) == 0) ++rank;
  if (rank == by_size_.size()) return true;
  const int resource = jobs_[by_size_[rank]].resource;
  if (resource == 0) return true;  // as do all that follow
  for (std::size_t machine = 0; machine < room_.size(); ++machine) {
    const auto end = room_.begin() + static_cast<std::ptrdiff_t>(machine);
    if (room_[machine] < resource || std::find(room_.begin(), end, room_[machine]) != end) continue;
    room_[machine] -= resource;
    if (deal(rank + 1, running)) return true;
    room_[machine] += resource;
  }
  return false;
}

}  // namespace polystep::solvers
