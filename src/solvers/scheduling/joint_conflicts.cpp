#include "solvers/scheduling/joint_conflicts.hpp"

#include <bit>

namespace polystep::solvers {
namespace {

constexpr std::size_t kMostKnown = 256;

bool covers(const SlotRange& run, const SlotRange& core) {
  return run.first <= core.first && core.first + core.length <= run.first + run.length;
}

}  // namespace

JointConflicts::JointConflicts(const Scheduling& scheduling)
    : by_size_(scheduling.jobs_by_size()), packing_(scheduling) {
  known_.reserve(kMostKnown);
}

const Conflict* JointConflicts::known_in(const Conflict& runs) const {
  for (const Conflict& conflict : known_) {
    std::uint64_t rest = conflict.jobs;
    for (; rest != 0; rest &= rest - 1) {
      const auto job = static_cast<std::size_t>(std::countr_zero(rest));
      if ((runs.jobs >> job & 1) == 0 || !covers(runs.core[job], conflict.core[job])) break;
    }
    if (rest == 0) return &conflict;
  }
  return nullptr;
}

const Conflict& JointConflicts::learn(Conflict runs) {
  leave_out_jobs(runs);
  shorten_runs(runs);
  if (known_.size() < kMostKnown) return known_.emplace_back(runs);
  Conflict& replaced = known_[oldest_];
  oldest_ = (oldest_ + 1) % kMostKnown;
  return replaced = runs;
}

bool JointConflicts::can_pack(const Conflict& runs) {
  packing_.clear();
  for (const std::size_t job : by_size_)
    if ((runs.jobs >> job & 1) != 0 && !packing_.add(job, runs.core[job])) return false;
  return true;
}

void JointConflicts::leave_out_jobs(Conflict& runs) {
  for (std::size_t rank = by_size_.size(); rank-- > 0;) {  // small tasks are rarely to blame
    const std::uint64_t all = runs.jobs;
    runs.jobs &= ~(std::uint64_t{1} << by_size_[rank]);
    if (runs.jobs != all && can_pack(runs)) runs.jobs = all;
  }
}

// From both ends, by halving: the shorter the runs, the easier they are to pack.
void JointConflicts::shorten_runs(Conflict& runs) {
  for (std::uint64_t rest = runs.jobs; rest != 0; rest &= rest - 1) {
    SlotRange& core = runs.core[static_cast<std::size_t>(std::countr_zero(rest))];
    for (const bool at_front : {true, false}) {
      int most =
          core.length - 1;  // slots that may be cut off without ending the conflict are no more than this
      while (most > 0) {
        const int cut = (most + 1) / 2;
        const SlotRange longer = core;
        core = {longer.first + (at_front ? cut : 0), longer.length - cut};
        if (can_pack(runs)) {
          core = longer;
          most = cut - 1;
        } else {
          most -= cut;
        }
      }
    }
  }
}

}  // namespace polystep::solvers
