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

class TeamOfThreads : public testing::TestWithParam<std::size_t> {};

TEST_P(TeamOfThreads, RunsEveryItemOnce) {
  ThreadTeam team(GetParam());
  EXPECT_EQ(team.threads(), GetParam());
  for (const std::size_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    std::vector<int> runs(count, 0);  // not atomic: each item owns its slot
    team.for_each(count, [&](std::size_t item, std::size_t) { ++runs[item]; });
    EXPECT_EQ(runs, std::vector<int>(count, 1));
  }
}

TEST_P(TeamOfThreads, NeverRunsTwoItemsOnOneWorker) {
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

TEST_P(TeamOfThreads, PublishesResultsFromBatchToBatch) {
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

TEST_P(TeamOfThreads, RethrowsTheFailureOfTheLowestItemAndGoesOn) {
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

INSTANTIATE_TEST_SUITE_P(Threads, TeamOfThreads, testing::Values(1, 2, 3, 8, 32));

TEST(ThreadTeam, UsesItsThreadsAtTheSameTime) {
  ThreadTeam team(3);
  std::atomic<int> arrived{0};
  team.for_each(3, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived.load() < 3) std::this_thread::yield();  // one thread after the other would wait for ever
  });
  EXPECT_EQ(arrived.load(), 3);
}

TEST(ThreadTeam, RefusesZeroThreads) {
  EXPECT_EQ(input_error([] { ThreadTeam(0); }), "the number of threads is 0, expected at least 1");
}

class NestedCalls : public testing::TestWithParam<std::size_t> {};

// The items of a nested call stay on the worker that made it, in ascending order, three levels deep.
TEST_P(NestedCalls, RunInlineOnTheCallingWorker) {
  ThreadTeam team(GetParam());
  std::vector<std::vector<std::size_t>> order(9);
  std::atomic<int> strangers{0};
  team.for_each(order.size(), [&](std::size_t outer, std::size_t worker) {
    team.for_each(5, [&](std::size_t middle, std::size_t inner_worker) {
      team.for_each(3, [&](std::size_t inner, std::size_t innermost_worker) {
        order[outer].push_back(3 * middle + inner);
        if (inner_worker != worker || innermost_worker != worker) ++strangers;
      });
    });
  });
  EXPECT_EQ(strangers.load(), 0);
  std::vector<std::size_t> ascending(15);
  for (std::size_t i = 0; i < ascending.size(); ++i) ascending[i] = i;
  for (const auto& seen : order) EXPECT_EQ(seen, ascending);
}

TEST_P(NestedCalls, ThrowWhatTheirLowestItemThrewAndLeaveTheThreadTeamUsable) {
  ThreadTeam team(GetParam());
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::string caught;
    try {
      team.for_each(30, [&](std::size_t outer, std::size_t) {
        team.for_each(10, [&](std::size_t inner, std::size_t) {
          if (outer >= 4 && inner >= 6)
            throw std::runtime_error(std::to_string(outer) + "." + std::to_string(inner));
        });
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "4.6");
  }
  std::vector<int> runs(12, 0);
  team.for_each(runs.size(), [&](std::size_t item, std::size_t) { ++runs[item]; });
  EXPECT_EQ(runs, std::vector<int>(12, 1));
}

// A failure that an item catches itself is not one of the outer call.
TEST_P(NestedCalls, FailuresCaughtInsideAnItemStayThere) {
  ThreadTeam team(GetParam());
  std::vector<int> caught(8, 0);
  team.for_each(caught.size(), [&](std::size_t outer, std::size_t) {
    try {
      team.for_each(3, [](std::size_t inner, std::size_t) {
        if (inner == 1) throw std::runtime_error("inner");
      });
    } catch (const std::runtime_error&) {
      ++caught[outer];
    }
  });
  EXPECT_EQ(caught, std::vector<int>(8, 1));
}

// A call on another team is not nested: it has threads of its own.
TEST_P(NestedCalls, OfAnotherThreadTeamUseItsOwnWorkers) {
  ThreadTeam outer(GetParam());
  std::atomic<int> runs{0};
  outer.for_each(4, [&](std::size_t, std::size_t) {
    ThreadTeam inner(2);
    inner.for_each(6, [&](std::size_t, std::size_t worker) {
      if (worker < 2) ++runs;
    });
  });
  EXPECT_EQ(runs.load(), 24);
}

INSTANTIATE_TEST_SUITE_P(Threads, NestedCalls, testing::Values(1, 2, 7));

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
