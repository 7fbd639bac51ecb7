// The scheduling model: profiles, whole-number costs, usable capacity, and what it refuses.
#include "solvers/scheduling/scheduling.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "scheduling_instances.hpp"

namespace polystep::solvers {
namespace {

SchedulingInstance two_tasks() {
  SchedulingInstance instance;
  instance.slots = 5;
  instance.capacities = {4, 9};
  instance.tasks = {{.duration = 2, .earliest = 0, .latest_end = 4, .resource = 3, .power = 0.3},
                    {.duration = 3, .earliest = 1, .latest_end = 5, .resource = 2, .power = 0.7}};
  return instance;
}

TEST(Scheduling, ProfileAddsUpTheTasksThatRun) {
  const Scheduling scheduling(two_tasks());
  std::vector<double> profile(5);
  scheduling.profile(std::vector<int>{1, 2}, profile);
  const double expected[] = {0, 0.15, 0.5, 0.35, 0.35};
  for (std::size_t slot = 0; slot < 5; ++slot) EXPECT_NEAR(profile[slot], expected[slot], 1e-14);
  EXPECT_NEAR(energy_cost(profile, std::vector<double>{1, 2, 3, 4, -5}), 0.3 + 1.5 + 1.4 - 1.75, 1e-13);
}

// Three equal tasks change places with one of another size: the profile has the same bits.
TEST(Scheduling, ProfilesDoNotDependOnTheOrderOfTasks) {
  SchedulingInstance instance;
  instance.slots = 4;
  instance.capacities = {9};
  for (const double power : {0.1, 0.1, 0.7, 0.1})
    instance.tasks.push_back({.duration = 1, .earliest = 0, .latest_end = 4, .resource = 1, .power = power});
  const Scheduling scheduling(instance);
  std::vector<double> one(4), other(4);
  scheduling.profile(std::vector<int>{0, 0, 0, 3}, one);
  scheduling.profile(std::vector<int>{3, 0, 0, 0}, other);
  EXPECT_EQ(one, other);
  EXPECT_EQ(one[1], 0.0);
}

TEST(Scheduling, EqualRunsOfPricesCostTheSameButForTheDelay) {
  const Scheduling scheduling(two_tasks());
  std::vector<std::int64_t> costs(scheduling.options());
  ASSERT_EQ(costs.size(), 5u);
  ASSERT_TRUE(scheduling.option_costs(std::vector<double>(5, 0.1), costs));
  for (const Job& job : scheduling.jobs())
    for (std::size_t option = 1; option < job.options; ++option)
      EXPECT_EQ(costs[job.first_option + option] - costs[job.first_option],
                static_cast<std::int64_t>(option));
}

TEST(Scheduling, CapacityThatNoSetOfTasksFillsIsNotUsable) {
  EXPECT_EQ(Scheduling(two_tasks()).usable_capacity(), 3 + 5);  // 4 holds a 3, 9 holds 3 + 2
}

TEST(Scheduling, OptionsThatCoverSlots) {
  const Scheduling scheduling(two_tasks());
  const Job& job = scheduling.jobs()[0];  // two slots, starts 0 to 2
  EXPECT_EQ(job.options_covering({0, 1}), 0b001u);
  EXPECT_EQ(job.options_covering({1, 1}), 0b011u);
  EXPECT_EQ(job.options_covering({1, 2}), 0b010u);
  EXPECT_EQ(job.options_covering({3, 1}), 0b100u);
  EXPECT_EQ(job.options_covering({1, 3}), 0u);
  EXPECT_EQ(job.options_covering({4, 1}), 0u);
}

std::string refusal(void (*damage)(SchedulingInstance&)) {
  SchedulingInstance instance = two_tasks();
  damage(instance);
  return input_error([&] { Scheduling{instance}; });
}

TEST(Scheduling, RefusesWhatMakesNoSense) {
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.slots = 65; }),
            "scheduling: found 65 slots, expected 1 to 64");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.slot_hours = 0; }),
            "scheduling: found slots of 0 hours, expected more than 0 and at most 24");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.capacities.clear(); }),
            "scheduling: found 0 machines, expected 1 to 1000");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.capacities[1] = -1; }),
            "scheduling: machine 1 has capacity -1, expected 0 to 1000000");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.tasks.clear(); }),
            "scheduling: found 0 tasks, expected 1 to 64");
  EXPECT_EQ(
      refusal([](SchedulingInstance& i) { i.tasks[1].latest_end = 3; }),
      "scheduling: task 1 runs 3 slots between 1 and 3, expected at least one, within its window and the 5 "
      "slots of the day");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.tasks[0].resource = -4; }),
            "scheduling: task 0 uses -4 of the resource, expected 0 to 1000000");
  EXPECT_EQ(refusal([](SchedulingInstance& i) { i.tasks[0].power = -0.5; }),
            "scheduling: task 0 has power -0.5, expected 0 to 1e12");
}

}  // namespace
}  // namespace polystep::solvers
