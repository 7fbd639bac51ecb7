// When checkpoints are due, by made-up clocks.
#include "runtime/run/checkpoint_pace.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

TEST(CheckpointPace, WaitsForTheIntervalAtFirst) {
  const CheckpointPace pace(5, 100);
  EXPECT_FALSE(pace.due(100));
  EXPECT_FALSE(pace.due(104.9));
  EXPECT_TRUE(pace.due(105));
  EXPECT_TRUE(pace.due(500));
}

TEST(CheckpointPace, QuickCheckpointsFollowTheInterval) {
  CheckpointPace pace(5, 0);
  pace.written(5, 5.01);
  EXPECT_FALSE(pace.due(10));
  EXPECT_TRUE(pace.due(10.02));
}

TEST(CheckpointPace, SlowCheckpointsWaitNineteenTimesWhatTheLastOneTook) {
  CheckpointPace pace(5, 0);
  pace.written(5, 7);  // two seconds
  EXPECT_FALSE(pace.due(12));
  EXPECT_FALSE(pace.due(44.9));
  EXPECT_TRUE(pace.due(45));
  pace.written(45, 45.5);  // and then half a second: the last one counts
  EXPECT_FALSE(pace.due(54.9));
  EXPECT_TRUE(pace.due(55));
}

TEST(CheckpointPace, WithoutAnIntervalOnlyTheCostCounts) {
  CheckpointPace pace(0, 0);
  EXPECT_TRUE(pace.due(0));
  pace.written(1, 2);
  EXPECT_FALSE(pace.due(20.9));
  EXPECT_TRUE(pace.due(21));
}

// Steps of 0.3 seconds, checkpoints of 1.7: over a long run writing takes at most a twentieth of the time.
TEST(CheckpointPace, WritingTakesAtMostATwentieth) {
  CheckpointPace pace(5, 0);
  double now = 0, writing = 0;
  int written = 0;
  for (int step = 0; step < 20000; ++step) {
    now += 0.3;
    if (!pace.due(now)) continue;
    pace.written(now, now + 1.7);
    now += 1.7;
    writing += 1.7;
    ++written;
  }
  EXPECT_LE(writing / now, 0.0502);  // the first one comes early
  EXPECT_GT(written, 150);           // and no longer than that is waited
}

}  // namespace
}  // namespace polystep
