#include "polystep/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <vector>

#include "input_error.hpp"

namespace polystep {
namespace {

class ExecutorWithThreads : public testing::TestWithParam<std::size_t> {};

TEST_P(ExecutorWithThreads, RunsEveryItemOnce) {
  Executor executor(GetParam());
  EXPECT_EQ(executor.threads(), GetParam());
  for (const std::size_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    std::vector<int> runs(count, 0);  // not atomic: each item owns its slot
    executor.for_each(count, [&](std::size_t item, std::size_t) { ++runs[item]; });
    EXPECT_EQ(runs, std::vector<int>(count, 1));
  }
}

TEST_P(ExecutorWithThreads, NeverRunsTwoItemsOnOneWorker) {
  Executor executor(GetParam());
  std::vector<std::atomic<int>> running(GetParam());
  std::atomic<int> clashes{0};
  executor.for_each(500, [&](std::size_t item, std::size_t worker) {
    if (running.at(worker).fetch_add(1) != 0) ++clashes;
    if (item % 50 == 0) std::this_thread::yield();
    running[worker].fetch_sub(1);
  });
  EXPECT_EQ(clashes.load(), 0);
}

TEST_P(ExecutorWithThreads, PublishesResultsFromBatchToBatch) {
  Executor executor(GetParam());
  std::vector<double> slots(37, 1.0);
  double total = 0;
  for (int batch = 0; batch < 300; ++batch) {
    executor.for_each(slots.size(),
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
  Executor executor(GetParam());
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::string caught;
    try {
      executor.for_each(100, [](std::size_t item, std::size_t) {
        if (item >= 13) throw std::runtime_error("item " + std::to_string(item));
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "item 13");
  }
  std::atomic<int> runs{0};
  executor.for_each(20, [&](std::size_t, std::size_t) { ++runs; });
  EXPECT_EQ(runs.load(), 20);
}

INSTANTIATE_TEST_SUITE_P(Threads, ExecutorWithThreads, testing::Values(1, 2, 3, 8, 32));

TEST(Executor, UsesItsThreadsAtTheSameTime) {
  Executor executor(3);
  std::atomic<int> arrived{0};
  executor.for_each(3, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived.load() < 3) std::this_thread::yield();  // one thread after the other would wait for ever
  });
  EXPECT_EQ(arrived.load(), 3);
}

TEST(Executor, RefusesZeroThreads) {
  EXPECT_EQ(input_error([] { Executor(0); }), "the number of threads is 0, expected at least 1");
}

class NestedCalls : public testing::TestWithParam<std::size_t> {};

// The items of a nested call stay on the worker that made it, in ascending order, three levels deep.
TEST_P(NestedCalls, RunInlineOnTheCallingWorker) {
  Executor executor(GetParam());
  std::vector<std::vector<std::size_t>> order(9);
  std::atomic<int> strangers{0};
  executor.for_each(order.size(), [&](std::size_t outer, std::size_t worker) {
    executor.for_each(5, [&](std::size_t middle, std::size_t inner_worker) {
      executor.for_each(3, [&](std::size_t inner, std::size_t innermost_worker) {
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

TEST_P(NestedCalls, ThrowWhatTheirLowestItemThrewAndLeaveTheExecutorUsable) {
  Executor executor(GetParam());
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::string caught;
    try {
      executor.for_each(30, [&](std::size_t outer, std::size_t) {
        executor.for_each(10, [&](std::size_t inner, std::size_t) {
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
  executor.for_each(runs.size(), [&](std::size_t item, std::size_t) { ++runs[item]; });
  EXPECT_EQ(runs, std::vector<int>(12, 1));
}

// A failure that an item catches itself is not one of the outer call.
TEST_P(NestedCalls, FailuresCaughtInsideAnItemStayThere) {
  Executor executor(GetParam());
  std::vector<int> caught(8, 0);
  executor.for_each(caught.size(), [&](std::size_t outer, std::size_t) {
    try {
      executor.for_each(3, [](std::size_t inner, std::size_t) {
        if (inner == 1) throw std::runtime_error("inner");
      });
    } catch (const std::runtime_error&) {
      ++caught[outer];
    }
  });
  EXPECT_EQ(caught, std::vector<int>(8, 1));
}

// A call on another executor is not nested: it has threads of its own.
TEST_P(NestedCalls, OfAnotherExecutorUseItsOwnWorkers) {
  Executor outer(GetParam());
  std::atomic<int> runs{0};
  outer.for_each(4, [&](std::size_t, std::size_t) {
    Executor inner(2);
    inner.for_each(6, [&](std::size_t, std::size_t worker) {
      if (worker < 2) ++runs;
    });
  });
  EXPECT_EQ(runs.load(), 24);
}

INSTANTIATE_TEST_SUITE_P(Threads, NestedCalls, testing::Values(1, 2, 7));

TEST(Executor, StartsAndStopsQuickly) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Executor executor(4);
    if (repeat % 2 == 0) executor.for_each(2, [](std::size_t, std::size_t) {});
  }
}

TEST(Executor, SleepsWhenIdle) {
  Executor executor(4);
  executor.for_each(4, [](std::size_t, std::size_t) {});
  const std::clock_t before = std::clock();  // processor time of all threads
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

}  // namespace
}  // namespace polystep
