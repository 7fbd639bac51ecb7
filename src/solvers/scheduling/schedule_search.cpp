#include "solvers/scheduling/schedule_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr std::size_t kPoolSize = 32;
constexpr std::uint64_t kPlainNodes = 60;  // before capacity is charged for
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::max();

std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index; }
std::size_t lowest(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

// The cheapest of some options, which must not be none.
std::size_t cheapest_of(const std::int64_t* costs, std::uint64_t options) {
  std::size_t cheapest = lowest(options);
  for (options &= options - 1; options != 0; options &= options - 1)
    if (const std::size_t option = lowest(options); costs[option] < costs[cheapest]) cheapest = option;
  return cheapest;
}

}  // namespace

ScheduleSearch::ScheduleSearch(const Scheduling& scheduling)
    : jobs_(scheduling.jobs()),
      by_size_(scheduling.jobs_by_size()),
      scheduling_(scheduling),
      packing_(scheduling),
      slot_conflicts_(scheduling),
      joint_conflicts_(scheduling),
      multipliers_(scheduling),
      costs_(scheduling.options()),
      charged_(scheduling.options()) {
  pool_.reserve(kPoolSize);
}

SolveStatus ScheduleSearch::solve(std::span<const double> prices, std::span<int> starts) {
  if (infeasible_ || !scheduling_.option_costs(prices, costs_)) return SolveStatus::kFailed;
  Box root;
  open_root(root);
  if (find_conflict(root).jobs == 0) {
    best_ = root.cheapest;
    ++packed_;
  } else {
    recall_best();
    const bool known = has_best_;
    const Choice remembered = best_;
    charging_ = false;
    if (!search(root, kPlainNodes)) {
      charge_for_capacity(root);
      search(root, kNoLimit);
    }
    infeasible_ = !has_best_;
    if (infeasible_) return SolveStatus::kFailed;
    recalled_ += known && best_ == remembered ? 1 : 0;
    remember_best();
  }
  for (std::size_t job = 0; job < jobs_.size(); ++job) starts[job] = jobs_[job].earliest + best_[job];
  return SolveStatus::kSolved;
}

void ScheduleSearch::open_root(Box& box) const {
  box.cheapest.fill(0);
  box.bound = box.charged_bound = 0;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Cost* const cost = costs_.data() + jobs_[job].first_option;
    Cost least = cost[0];
    for (std::size_t option = 1; option < jobs_[job].options; ++option) least = std::min(least, cost[option]);
    // Costs carry the delay in their last digits, so no two options of a job cost the same.
    box.cheapest[job] = static_cast<std::uint8_t>(std::find(cost, cost + jobs_[job].options, least) - cost);
    box.allowed[job] = jobs_[job].all_options();
    box.bound += least;
  }
}

// False where that leaves the job no option.
bool ScheduleSearch::restrict_to(Box& box, std::size_t job, std::uint64_t options) const {
  const std::uint64_t allowed = box.allowed[job] & options;
  if (allowed == 0) return false;
  if (allowed == box.allowed[job]) return true;
  box.allowed[job] = allowed;
  const Cost* const cost = costs_.data() + jobs_[job].first_option;
  if ((allowed >> box.cheapest[job] & 1) == 0) {
    const std::size_t cheapest = cheapest_of(cost, allowed);
    box.bound += cost[cheapest] - cost[box.cheapest[job]];
    box.cheapest[job] = static_cast<std::uint8_t>(cheapest);
  }
  if (charging_) {
    const Cost* const charged = charged_.data() + jobs_[job].first_option;
    const Cost least = charged[cheapest_of(charged, allowed)];
    box.charged_bound += least - box.least_charged[job];
    box.least_charged[job] = least;
  }
  return true;
}

// False where the limit was reached; the best schedule so far is then not proven to be the best of all.
bool ScheduleSearch::search(const Box& root, std::uint64_t node_limit) {
  last_node_ = node_limit == kNoLimit ? kNoLimit : nodes_ + node_limit;
  return explore(root);
}

bool ScheduleSearch::explore(const Box& box) {
  if (!may_beat_best(box)) return true;
  const Conflict conflict = find_conflict(box);
  if (conflict.jobs == 0) {
    consider(box.cheapest, box.bound);
    return true;
  }
  if (nodes_ == last_node_) return false;
  ++nodes_;
  return branch(box, conflict);
}

// Of the jobs in conflict, one must stay out of its core. The n-th branch has the n-th job stay out and those
// before it stay in, so no schedule is met twice; cheap concessions come first.
bool ScheduleSearch::branch(const Box& box, const Conflict& conflict) {
  std::array<std::pair<Cost, std::size_t>, Scheduling::kMostTasks> concessions;
  std::size_t count = 0;
  for (std::uint64_t rest = conflict.jobs; rest != 0; rest &= rest - 1) {
    const std::size_t job = lowest(rest);
    const std::uint64_t common = jobs_[job].options_covering(conflict.core[job]);
    concessions[count++] = {cheapest_without(box, job, common), job};
  }
  std::sort(concessions.begin(), concessions.begin() + static_cast<std::ptrdiff_t>(count));
  Box kept = box;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t job = concessions[k].second;
    const std::uint64_t common = jobs_[job].options_covering(conflict.core[job]);
    Box conceding = kept;
    if (restrict_to(conceding, job, ~common) && !explore(conceding)) return false;
    if (!restrict_to(kept, job, common) || !may_beat_best(kept)) break;
  }
  return true;
}

// By how much the job's cheapest option becomes dearer without these options.
ScheduleSearch::Cost ScheduleSearch::cheapest_without(const Box& box, std::size_t job,
                                                      std::uint64_t options) const {
  const std::uint64_t left = box.allowed[job] & ~options;
  if (left == 0) return kImpossible;
  const Cost* const cost = costs_.data() + jobs_[job].first_option;
  return cost[cheapest_of(cost, left)] - cost[box.cheapest[job]];
}

ScheduleSearch::Cost ScheduleSearch::least_increase(const Box& box, const Conflict& conflict) const {
  Cost least = kImpossible;
  for (std::uint64_t rest = conflict.jobs; rest != 0; rest &= rest - 1) {
    const std::size_t job = lowest(rest);
    least = std::min(least, cheapest_without(box, job, jobs_[job].options_covering(conflict.core[job])));
  }
  return least;
}

// What keeps the cheapest options from being packed; no jobs where nothing does. Slots are looked at one by
// one before packings are searched: that is much quicker.
Conflict ScheduleSearch::find_conflict(const Box& box) {
  packing_.clear();
  for (std::size_t rank = 0; rank < by_size_.size(); ++rank) {
    const std::size_t job = by_size_[rank];
    const SlotRange run = jobs_[job].run(box.cheapest[job]);
    if (packing_.add_as_is(job, run)) continue;
    if (const Conflict conflict = conflict_in_slots(box, run.bits()); conflict.jobs != 0) return conflict;
    Conflict runs;
    for (std::size_t k = 0; k < by_size_.size(); ++k) {
      runs.jobs |= bit(by_size_[k]);
      runs.core[by_size_[k]] = jobs_[by_size_[k]].run(box.cheapest[by_size_[k]]);
    }
    if (const Conflict* const known = joint_conflicts_.known_in(runs)) return *known;
    if (packing_.add(job, run)) continue;
    for (std::size_t k = rank + 1; k < by_size_.size(); ++k) runs.jobs &= ~bit(by_size_[k]);
    return joint_conflicts_.learn(runs);
  }
  return {};
}

// Of the conflicts in these slots, if there are any, the one that is dearest to resolve.
Conflict ScheduleSearch::conflict_in_slots(const Box& box, std::uint64_t slots) {
  Conflict dearest;
  Cost increase = -1;
  for (; slots != 0; slots &= slots - 1) {
    const std::size_t slot = lowest(slots);
    std::uint64_t running = 0;
    for (std::size_t job = 0; job < jobs_.size(); ++job)
      running |= (jobs_[job].run(box.cheapest[job]).bits() >> slot & 1) << job;
    Conflict conflict;
    conflict.jobs = slot_conflicts_.among(running);
    if (conflict.jobs == 0) continue;
    conflict.core.fill({static_cast<int>(slot), 1});
    const Cost least = least_increase(box, conflict);
    if (least > increase) dearest = conflict, increase = least;
  }
  return dearest;
}

void ScheduleSearch::charge_for_capacity(Box& root) {
  const Cost magnitude = root.bound < 0 ? -root.bound : root.bound;
  multipliers_.improve(costs_, has_best_ ? best_cost_ : root.bound + magnitude / 16);
  root.charged_bound = -multipliers_.charge(costs_, charged_);
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Cost* const charged = charged_.data() + jobs_[job].first_option;
    root.least_charged[job] = charged[cheapest_of(charged, root.allowed[job])];
    root.charged_bound += root.least_charged[job];
  }
  charging_ = true;
}

bool ScheduleSearch::may_beat_best(const Box& box) const {
  if (!has_best_) return true;
  if (charging_ && box.charged_bound > best_cost_) return false;
  return box.bound < best_cost_ || (box.bound == best_cost_ && box.cheapest < best_);
}

void ScheduleSearch::consider(const Choice& choice, Cost cost) {
  if (has_best_ && (cost > best_cost_ || (cost == best_cost_ && choice >= best_))) return;
  best_ = choice;
  best_cost_ = cost;
  has_best_ = true;
}

void ScheduleSearch::recall_best() {
  has_best_ = false;
  for (const Choice& known : pool_) {
    Cost cost = 0;
    for (std::size_t job = 0; job < jobs_.size(); ++job) cost += costs_[jobs_[job].first_option + known[job]];
    consider(known, cost);
  }
}

void ScheduleSearch::remember_best() {
  if (std::find(pool_.begin(), pool_.end(), best_) != pool_.end()) return;
  if (pool_.size() < kPoolSize) {
    pool_.push_back(best_);
    return;
  }
  pool_[oldest_] = best_;
  oldest_ = (oldest_ + 1) % kPoolSize;
}

}  // namespace polystep::solvers
