// Packing by adding and removing tasks, against trying every machine for every task.
#include "solvers/scheduling/machine_packing.hpp"

#include <gtest/gtest.h>

#include "scheduling_instances.hpp"

namespace polystep::solvers {
namespace {

// The instance reduced to the tasks present.
bool packs_by_trying(const SchedulingInstance& instance, const std::vector<int>& starts) {
  SchedulingInstance present = instance;
  present.tasks.clear();
  std::vector<int> present_starts;
  for (std::size_t task = 0; task < starts.size(); ++task) {
    if (starts[task] < 0) continue;
    present.tasks.push_back(instance.tasks[task]);
    present_starts.push_back(starts[task]);
  }
  return is_feasible(present, present_starts);
}

TEST(MachinePacking, AddsATaskExactlyWhereAllCanBePacked) {
  RandomStream random(6, Purpose::kTest);
  int added = 0, refused = 0, moved = 0;
  for (int round = 0; round < 400; ++round) {
    const SchedulingInstance instance = draw_scheduling(
        random, {.most_tasks = 8, .most_slots = 10, .least_capacity = 5, .capacity_range = 5});
    const Scheduling scheduling(instance);
    MachinePacking packing(scheduling);
    std::vector<int> starts(instance.tasks.size(), -1);  // -1: not packed
    for (int change = 0; change < 30; ++change) {
      const std::size_t task = random.below(starts.size());
      if (starts[task] >= 0) {
        packing.remove(task);
        starts[task] = -1;
        continue;
      }
      const auto option = random.below(scheduling.jobs()[task].options);
      const SlotRange run = scheduling.jobs()[task].run(option);
      starts[task] = run.first;
      const bool expected = packs_by_trying(instance, starts);
      const bool at_once = packing.add_as_is(task, run);
      ASSERT_TRUE(expected || !at_once);
      ASSERT_EQ(at_once || packing.add(task, run), expected);
      if (!expected) starts[task] = -1;
      (expected ? added : refused) += 1;
      moved += expected && !at_once;
    }
  }
  EXPECT_GT(added, 1000);
  EXPECT_GT(refused, 500);
  EXPECT_GT(moved, 20);
}

}  // namespace
}  // namespace polystep::solvers
