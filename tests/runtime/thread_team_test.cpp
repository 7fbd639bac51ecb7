#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <vector>

#include "input_error.hpp"
#include "polystep/team.hpp"

namespace polystep {
namespace {

class ExecutorWithThreads : public testing::TestWithParam<std::size_t> {};

TEST_P(ExecutorWithThreads, RunsEveryItemOnce) {
  ThreadTeam team(GetParam());
  EXPECT_EQ(team.threads(), GetParam());
  for (const std::size_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    std::vector<int> runs(count, 0);  // not atomic: each item owns its slot
    team.for_each(count, [&](std::size_t item, std::size_t) { ++runs[item]; });
    EXPECT_EQ(runs, std::vector<int>(count, 1));
  }
}

TEST_P(ExecutorWithThreads, NeverRunsTwoItemsOnOneWorker) {
  ThreadTeam team(GetParam());
  std::vector<std::atomic<int>> running(GetParam());
  std::atomic<int> clashes{0};
  team.for_each(500, [&](std::size_t item, std::size_t worker) {
    if (running.at(worker).fetch_add(1) != 0) ++clashes;
    if (item % 50 == 0) std::this_thread::yield();
    running[worker].fetch_sub(1);
  });
  EXPECT_EQ(clashes.load(), 0);
}

TEST_P(ExecutorWithThreads, PublishesResultsFromBatchToBatch) {
  ThreadTeam team(GetParam());
  std::vector<double> slots(37, 1.0);
  double total = 0;
  for (int batch = 0; batch < 300; ++batch) {
    team.for_each(slots.size(),
                  [&](std::size_t item, std::size_t) { slots[item] = slots[item] * 0.999 + total; });
    total = 0;
    for (const double slot : slots) total += slot * 1e-3;
  }
  double expected_total = 0;
  std::vector<double> expected(37, 1.0);
  for (int batch = 0; batch < 300; ++batch) {
    for (double& slot : expected) slot = slot * 0.999 + expected_total;
    expected_total = 0;
    for (const double slot : expected) expected_total += slot * 1e-3;
  }
  EXPECT_EQ(total, expected_total);  // to the bit
}

TEST_P(ExecutorWithThreads, RethrowsTheFailureOfTheLowestItemAndGoesOn) {
  ThreadTeam team(GetParam());
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::string caught;
    try {
      team.for_each(100, [](std::size_t item, std::size_t) {
        if (item >= 13) throw std::runtime_error("item " + std::to_string(item));
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "item 13");
  }
  std::atomic<int> runs{0};
  team.for_each(20, [&](std::size_t, std::size_t) { ++runs; });
  EXPECT_EQ(runs.load(), 20);
}

INSTANTIATE_TEST_SUITE_P(Threads, ExecutorWithThreads, testing::Values(1, 2, 3, 8, 32));

TEST(ThreadTeam, UsesItsThreadsAtTheSameTime) {
  ThreadTeam team(3);
  std::atomic<int> arrived{0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  team.for_each(3, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived.load() < 3 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_EQ(arrived.load(), 3);
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);  // one thread after the other would wait for ever
}

TEST(ThreadTeam, RefusesZeroThreadsAndNestedCalls) {
  EXPECT_EQ(input_error([] { ThreadTeam(0); }), "the number of threads is 0, expected at least 1");
  ThreadTeam team(2);
  const auto nested = [&](std::size_t, std::size_t) { team.for_each(2, [](std::size_t, std::size_t) {}); };
  EXPECT_THROW(team.for_each(2, nested), std::logic_error);
}

TEST(ThreadTeam, StartsAndStopsQuickly) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    ThreadTeam team(4);
    if (repeat % 2 == 0) team.for_each(2, [](std::size_t, std::size_t) {});
  }
}

TEST(ThreadTeam, SleepsWhenIdle) {
  ThreadTeam team(4);
  team.for_each(4, [](std::size_t, std::size_t) {});
  const std::clock_t before = std::clock();  // processor time of all threads
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

}  // namespace
}  // namespace polystep
