#include "solvers/scheduling/machine_packing.hpp"

#include <algorithm>

namespace polystep::solvers {
MachinePacking::MachinePacking(const Scheduling& scheduling)
    : jobs_(scheduling.jobs()),
      capacities_(scheduling.instance().capacities),
      loads_(capacities_.size()),
      machine_(jobs_.size(), kNowhere),
      range_(jobs_.size()) {
  packed_.reserve(jobs_.size());
  dependent_.reserve(jobs_.size());
  clear();
}

void MachinePacking::clear() {
  for (Load& load : loads_) load.fill(0);
  std::fill(machine_.begin(), machine_.end(), kNowhere);
  packed_.clear();
}

bool MachinePacking::add_as_is(std::size_t job, SlotRange range) {
  range_[job] = range;
  for (std::size_t machine = 0; machine < loads_.size(); ++machine) {
    if (!has_room(machine, job)) continue;
    put(machine, job);
    packed_.push_back(job);
    return true;
  }
  return false;
}

bool MachinePacking::add(std::size_t job, SlotRange range) {
  if (add_as_is(job, range)) return true;
  if (!rearrange(job)) return false;
  packed_.push_back(job);
  return true;
}

void MachinePacking::remove(std::size_t job) {
  take(job);
  packed_.erase(std::find(packed_.begin(), packed_.end(), job));
}

bool MachinePacking::has_room(std::size_t machine, std::size_t job) const {
  const std::int32_t limit = capacities_[machine] - jobs_[job].resource;
  const std::int32_t* const load = loads_[machine].data() + range_[job].first;
  std::int32_t over = 0;  // negative once the load of a slot exceeds the limit
  for (int slot = 0; slot < range_[job].length; ++slot) over |= limit - load[slot];
  return over >= 0;
}

void MachinePacking::put(std::size_t machine, std::size_t job) {
  std::int32_t* const load = loads_[machine].data() + range_[job].first;
  for (int slot = 0; slot < range_[job].length; ++slot) load[slot] += jobs_[job].resource;
  machine_[job] = static_cast<int>(machine);
}

void MachinePacking::take(std::size_t job) {
  std::int32_t* const load = loads_[static_cast<std::size_t>(machine_[job])].data() + range_[job].first;
  for (int slot = 0; slot < range_[job].length; ++slot) load[slot] -= jobs_[job].resource;
  machine_[job] = kNowhere;
}

bool MachinePacking::rearrange(std::size_t newcomer) {
  find_dependent(newcomer);
  saved_loads_ = loads_;
  saved_machine_ = machine_;
  for (const std::size_t job : dependent_)
    if (job != newcomer) take(job);
  placed_ = 0;
  if (place_dependent()) return true;
  loads_ = saved_loads_;
  machine_ = saved_machine_;
  return false;
}

// The newcomer, the tasks that run while it does, the tasks that run while those do, and so on.
void MachinePacking::find_dependent(std::size_t newcomer) {
  dependent_.assign(1, newcomer);
  std::uint64_t busy = range_[newcomer].bits();
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::size_t job : packed_) {
      const std::uint64_t run = range_[job].bits();
      if ((run & busy) == 0 || std::find(dependent_.begin(), dependent_.end(), job) != dependent_.end())
        continue;
      dependent_.push_back(job);
      busy |= run;
      grows = true;
    }
  }
}

// Depth first, the task with the fewest machines left before the others.
bool MachinePacking::place_dependent() {
  if (placed_ == dependent_.size()) return true;
  std::size_t machines_with_room = 0;
  const std::size_t position = most_constrained(machines_with_room);
  if (machines_with_room == 0) return false;
  const std::size_t slot = placed_++;
  std::swap(dependent_[slot], dependent_[position]);
  const std::size_t job = dependent_[slot];
  for (std::size_t machine = 0; machine < loads_.size(); ++machine) {
    if (!has_room(machine, job) || is_twin_of_earlier(machine)) continue;
    put(machine, job);
    if (place_dependent()) return true;
    take(job);
  }
  placed_ = slot;
  return false;
}

std::size_t MachinePacking::most_constrained(std::size_t& machines_with_room) const {
  std::size_t chosen = placed_;
  machines_with_room = loads_.size() + 1;
  for (std::size_t position = placed_; position < dependent_.size() && machines_with_room > 0; ++position) {
    const std::size_t job = dependent_[position];
    std::size_t machines = 0;
    for (std::size_t machine = 0; machine < loads_.size(); ++machine) machines += has_room(machine, job);
    const bool larger =
        machines == machines_with_room && jobs_[job].resource > jobs_[dependent_[chosen]].resource;
    if (machines < machines_with_room || larger) {
      machines_with_room = machines;
      chosen = position;
    }
  }
  return chosen;
}

// A machine just like one that was tried before it cannot do better.
bool MachinePacking::is_twin_of_earlier(std::size_t machine) const {
  for (std::size_t earlier = 0; earlier < machine; ++earlier)
    if (capacities_[earlier] == capacities_[machine] && loads_[earlier] == loads_[machine]) return true;
  return false;
}

}  // namespace polystep::solvers
