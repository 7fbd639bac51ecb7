#include "polystep/schedule.hpp"

#include <gtest/gtest.h>

#include "polystep/error.hpp"

namespace polystep {
namespace {

TEST(Schedule, ConstantIgnoresTime) {
  const Schedule schedule = Schedule::constant(0.7);
  EXPECT_EQ(schedule.value(0), 0.7);
  EXPECT_EQ(schedule.value(1000), 0.7);
}

TEST(Schedule, LinearGoesFromStartToEndAndStays) {
  const Schedule down{.kind = ScheduleKind::kLinear, .start = 2, .end = 1, .horizon = 10};
  EXPECT_EQ(down.value(0), 2);
  EXPECT_DOUBLE_EQ(down.value(5), 1.5);
  EXPECT_DOUBLE_EQ(down.value(9), 1.1);
  EXPECT_EQ(down.value(10), 1);
  EXPECT_EQ(down.value(99), 1);
  const Schedule up{.kind = ScheduleKind::kLinear, .start = 0.5, .end = 0.95, .horizon = 49};
  EXPECT_EQ(up.value(0), 0.5);
  EXPECT_EQ(up.value(49), 0.95);
}

TEST(Schedule, CosineHoldsItsEnd) {
  const Schedule schedule{.kind = ScheduleKind::kCosine, .start = 3, .end = 1, .horizon = 4};
  EXPECT_EQ(schedule.value(0), 3);
  EXPECT_DOUBLE_EQ(schedule.value(2), 2);
  EXPECT_EQ(schedule.value(4), 1);
  EXPECT_EQ(schedule.value(5), 1);
}

TEST(Schedule, RefusesWhatCannotBeUsed) {
  EXPECT_THROW(check_schedule({.kind = ScheduleKind::kCosine, .start = 1, .end = 0, .horizon = 0}, "x"),
               InputError);
  EXPECT_THROW(check_schedule(Schedule::constant(1.0 / 0.0), "x"), InputError);
  EXPECT_THROW(
      check_schedule({.kind = ScheduleKind::kLinear, .start = 1, .end = 0.0 / 0.0, .horizon = 3}, "x"),
      InputError);
  EXPECT_NO_THROW(check_schedule(Schedule::constant(1), "x"));
}

}  // namespace
}  // namespace polystep
