// Schedules against the enumeration of all, ties included; what was solved before must not matter.
#include "solvers/scheduling/schedule_search.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "data/benchmarks/scheduling_load.hpp"
#include "scheduling_instances.hpp"

namespace polystep::solvers {
namespace {

SchedulingInstance small(std::vector<int> capacities, std::vector<SchedulingTask> tasks, int slots) {
  SchedulingInstance instance;
  instance.slots = slots;
  instance.capacities = std::move(capacities);
  instance.tasks = std::move(tasks);
  return instance;
}

std::vector<int> solved(const SchedulingInstance& instance, const std::vector<double>& prices) {
  const Scheduling scheduling(instance);
  std::vector<int> starts(scheduling.tasks(), -1);
  EXPECT_EQ(ScheduleSearch(scheduling).solve(prices, starts), SolveStatus::kSolved);
  return starts;
}

// 2,100 instances, about a third of them without a schedule. Whole-number prices tie all the time: there, the
// schedule must be the very one the tie rule names.
TEST(ScheduleSearch, FindsWhatEnumerationFinds) {
  RandomStream random(1, Purpose::kTest);
  int feasible = 0, branched = 0;
  for (int round = 0; round < 300; ++round) {
    for (const Prices kind : kAllPrices) {
      const SchedulingInstance instance = draw_scheduling(random, {});
      const std::vector<double> prices = draw_prices(random, kind, instance.slots);
      const auto best = enumerate_schedules(instance, prices);
      const Scheduling scheduling(instance);
      ScheduleSearch search(scheduling);
      std::vector<int> starts(scheduling.tasks(), -1);
      const SolveStatus status = search.solve(prices, starts);
      ASSERT_EQ(status == SolveStatus::kSolved, best.has_value());
      branched += search.nodes() > 0;
      if (!best) continue;
      ++feasible;
      ASSERT_TRUE(is_feasible(instance, starts));
      if (is_whole(kind)) {
        ASSERT_EQ(starts, best->starts);
      } else {
        ASSERT_NEAR(plain_cost(instance, starts, prices), best->cost, 1e-9);
      }
    }
  }
  EXPECT_GT(feasible, 1000);
  EXPECT_GT(branched, 200);
}

// Searches long enough to charge for capacity.
TEST(ScheduleSearch, StaysExactWhereTasksCrowd) {
  RandomStream random(3, Purpose::kTest);
  int long_searches = 0;
  for (int round = 0; round < 30; ++round) {
    const SchedulingInstance instance = draw_crowded(random, 7, 20);
    const std::vector<double> prices = draw_valley(random, instance.slots);
    const Scheduling scheduling(instance);
    ScheduleSearch search(scheduling);
    std::vector<int> starts(scheduling.tasks());
    ASSERT_EQ(search.solve(prices, starts), SolveStatus::kSolved);
    ASSERT_TRUE(is_feasible(instance, starts));
    ASSERT_NEAR(plain_cost(instance, starts, prices), best_cost_by_bounding(instance, prices), 1e-9);
    long_searches += search.nodes() > 60;
  }
  EXPECT_GT(long_searches, 5);
}

// One search through many prices, against a new search for each.
void expect_memory_without_effect(const SchedulingInstance& instance, RandomStream& random, int solves) {
  const Scheduling scheduling(instance);
  ScheduleSearch warm(scheduling);
  std::vector<int> by_warm(scheduling.tasks(), -1), by_cold(scheduling.tasks(), -1);
  std::vector<double> prices = draw_prices(random, Prices::kReal, instance.slots);
  for (int solve = 0; solve < solves; ++solve) {
    if (solve % 3 == 0) {
      prices = draw_prices(random, kAllPrices[random.below(std::size(kAllPrices))], instance.slots);
    } else {
      prices[random.below(prices.size())] += static_cast<double>(random.below(3)) - 1.0;
    }
    const SolveStatus status = warm.solve(prices, by_warm);
    ASSERT_EQ(status, ScheduleSearch(scheduling).solve(prices, by_cold));
    ASSERT_EQ(by_warm, by_cold);
  }
}

TEST(ScheduleSearch, MemoryNeverChangesAnAnswer) {
  RandomStream random(2, Purpose::kTest);
  for (int round = 0; round < 60; ++round)
    expect_memory_without_effect(
        draw_scheduling(random, {.most_tasks = 8, .most_slots = 16, .most_delay = 6, .capacity_range = 14}),
        random, 30);
  for (int load = 1; load <= kLoads; ++load)
    expect_memory_without_effect(generated_scheduling_load(load, 3), random, 60);
}

TEST(ScheduleSearch, OneTaskGoesToItsCheapestRun) {
  const auto instance =
      small({5}, {{.duration = 2, .earliest = 1, .latest_end = 6, .resource = 5, .power = 3}}, 6);
  EXPECT_EQ(solved(instance, {0, 4, 3, 1, 2, 1}),
            (std::vector<int>{3}));  // 1 + 2, and so from slot 4: earlier
  EXPECT_EQ(solved(instance, {0, 4, 3, 1, 2, -9}), (std::vector<int>{4}));
}

TEST(ScheduleSearch, OneMachineRunsOneTaskAtATime) {
  const SchedulingTask task{.duration = 2, .earliest = 0, .latest_end = 6, .resource = 3, .power = 2};
  EXPECT_EQ(solved(small({5}, {task, task, task}, 6), {1, 1, 1, 1, 1, 1}), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(solved(small({6}, {task, task, task}, 6), {9, 9, 1, 1, 2, 2}), (std::vector<int>{2, 2, 4}));
}

// Every slot fits two machines, but no dealing of the tasks to machines fits all slots.
TEST(ScheduleSearch, TasksDoNotChangeMachines) {
  const std::vector<SchedulingTask> tasks = {
      {.duration = 2, .earliest = 0, .latest_end = 2, .resource = 2, .power = 2},
      {.duration = 2, .earliest = 0, .latest_end = 2, .resource = 2, .power = 2},
      {.duration = 3, .earliest = 0, .latest_end = 3, .resource = 1, .power = 2},
      {.duration = 3, .earliest = 0, .latest_end = 3, .resource = 1, .power = 2},
      {.duration = 1, .earliest = 2, .latest_end = 4, .resource = 3, .power = 2}};
  // Slots 0 and 1 force the two small tasks onto different machines; slot 2 then has no machine with room 3.
  const auto instance = small({3, 3}, tasks, 4);
  EXPECT_EQ(solved(instance, {1, 1, 1, 50}).back(), 3);
}

TEST(ScheduleSearch, FailsWhereThereIsNoSchedule) {
  const SchedulingTask task{.duration = 2, .earliest = 0, .latest_end = 3, .resource = 3, .power = 2};
  const Scheduling crowded(small({5}, {task, task}, 3));
  ScheduleSearch search(crowded);
  std::vector<int> starts{-1, -1};
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(search.solve(std::vector<double>{1, 2, 3}, starts), SolveStatus::kFailed);
  EXPECT_EQ(starts, (std::vector<int>{-1, -1}));
  const Scheduling too_large(small({2, 2}, {task}, 3));
  EXPECT_EQ(ScheduleSearch(too_large).solve(std::vector<double>{1, 2, 3}, starts), SolveStatus::kFailed);
}

TEST(ScheduleSearch, FailsOnPricesThatAreNotFiniteAndRecovers) {
  const Scheduling scheduling(generated_scheduling_load(1, 0));
  ScheduleSearch search(scheduling);
  std::vector<int> starts(scheduling.tasks());
  std::vector<double> prices(48, 1.0);
  for (const double bad : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    prices[17] = bad;
    EXPECT_EQ(search.solve(prices, starts), SolveStatus::kFailed);
  }
  prices[17] = 1.0;
  EXPECT_EQ(search.solve(prices, starts), SolveStatus::kSolved);
}

// Multiplying all prices by a power of two changes nothing, however large or small they become.
TEST(ScheduleSearch, ScaleOfPricesDoesNotMatter) {
  const Scheduling scheduling(generated_scheduling_load(2, 1));
  RandomStream random(4, Purpose::kTest);
  const std::vector<double> prices = draw_prices(random, Prices::kMixedSigns, 48);
  std::vector<int> expected(scheduling.tasks()), starts(scheduling.tasks());
  ScheduleSearch(scheduling).solve(prices, expected);
  for (const int exponent : {-800, -300, -1, 1, 300, 1000}) {
    std::vector<double> scaled = prices;
    for (double& price : scaled) price = std::ldexp(price, exponent);
    EXPECT_EQ(ScheduleSearch(scheduling).solve(scaled, starts), SolveStatus::kSolved);
    EXPECT_EQ(starts, expected) << exponent;
  }
}

}  // namespace
}  // namespace polystep::solvers
