// Scheduling tasks on machines when the price of energy changes from slot to slot: the model.
//
// Every task runs once, without a break, on one machine and within its time window. In every slot, what the
// tasks on a machine use of its resource must fit its capacity. A task draws the same energy in each slot it
// runs, whatever the machine, so a schedule's cost depends on the starts alone: machines only ask whether
// tasks with given starts can be packed onto them, a question that prices have no part in.
//
// Costs are compared as whole numbers. Prices are first rounded to a grid fine enough (the largest price
// divided by 2^46 for a day of 48 slots) that the sum over any run of slots is exact; each task's cost is
// rounded once more, to a grid on which sums over tasks are exact. Sums then do not depend on their order,
// equal prices give exact ties, and which schedule is best does not depend on how it was found.
//
// Of schedules with equal cost the one whose starts have the smallest sum is best, and of those the one that
// starts a task earlier, tasks compared in file order. The sum of starts is part of the whole number that
// stands for the cost (its last digits), so bounds see it and ties cost no extra search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polystep::solvers {

struct SchedulingTask {
  int duration = 1;    // slots
  int earliest = 0;    // first slot it may run in
  int latest_end = 1;  // the slot it must have ended by
  int resource = 0;    // used of its machine in every slot it runs
  double power = 0;    // drawn in every slot it runs
};

struct SchedulingInstance {
  int slots = 0;
  double slot_hours = 0.5;
  std::vector<int> capacities;  // [machines]
  std::vector<SchedulingTask> tasks;
};

// Some slots in a row.
struct SlotRange {
  int first = 0;
  int length = 1;

  std::uint64_t bits() const { return (~std::uint64_t{0} >> (64 - length)) << first; }  // bit per slot
};

// A task as the search sees it. Its options are its possible starts, earliest first.
struct Job {
  std::size_t first_option;  // of this job's options among those of all jobs
  std::size_t options;
  int earliest;
  int duration;
  int resource;
  double scaled_energy;  // per slot, in units that make costs whole numbers

  SlotRange run(std::size_t option) const { return {earliest + static_cast<int>(option), duration}; }
  std::uint64_t all_options() const { return ~std::uint64_t{0} >> (64 - options); }  // bit per option
  std::uint64_t options_covering(SlotRange range) const;  // bit per option that runs in all these slots
};

class Scheduling {
 public:
  static constexpr int kMostSlots = 64;          // slots are bits of one word
  static constexpr std::size_t kMostTasks = 64;  // and so are tasks
  static constexpr std::size_t kMostMachines = 1000;
  static constexpr int kMostResource = 1000000;

  explicit Scheduling(SchedulingInstance instance);  // InputError where it makes no sense

  const SchedulingInstance& instance() const { return instance_; }
  std::size_t slots() const { return static_cast<std::size_t>(instance_.slots); }
  std::size_t tasks() const { return instance_.tasks.size(); }
  std::span<const Job> jobs() const { return jobs_; }  // [tasks]
  std::vector<std::size_t> jobs_by_size() const;       // largest resource use first
  std::size_t options() const { return options_; }     // of all jobs

  // The most that all machines together can use in a slot: less than the sum of capacities where no set of
  // tasks fills a machine to the brim.
  int usable_capacity() const { return usable_capacity_; }

  // The cost of every option of every job, as whole numbers with the delay beyond the earliest start in the
  // last digits. Sums over jobs stay below 2^59. False where a price is not finite.
  // prices: [slots]; costs: [options]
  bool option_costs(std::span<const double> prices, std::span<std::int64_t> costs) const;

  // Energy drawn per slot. The sums are exact, so schedules that draw the same have equal profiles, bit for
  // bit. starts: [tasks]; profile: [slots]
  void profile(std::span<const int> starts, std::span<double> profile) const;

 private:
  void check() const;
  void list_jobs();

  SchedulingInstance instance_;
  std::vector<Job> jobs_;
  std::vector<double> energies_;  // [tasks], per slot
  std::size_t options_ = 0;
  int usable_capacity_ = 0;
};

// What a schedule's energy costs: profile . prices, added up slot by slot.
double energy_cost(std::span<const double> profile, std::span<const double> prices);

}  // namespace polystep::solvers
