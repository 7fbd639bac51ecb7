// A number that changes over the steps of a run: temperature, step length, probe radius, momentum.
//
// The three fields are named on purpose: swapping start and end by position is an easy slip that silently
// turns a decaying schedule into a constant one.
//
//   options.temperature = {.kind = ScheduleKind::kCosine, .start = 10, .end = 0.1, .horizon = 150};
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace polystep {

enum class ScheduleKind {
  kConstant,  // start, at every step
  kLinear,    // a straight line from start (step 0) to end (step horizon)
  kCosine,    // half a cosine wave from start (step 0) to end (step horizon)
};

inline constexpr std::array<std::pair<std::string_view, ScheduleKind>, 3> kScheduleKinds = {
    {{"constant", ScheduleKind::kConstant},
     {"linear", ScheduleKind::kLinear},
     {"cosine", ScheduleKind::kCosine}}};

struct Schedule {
  ScheduleKind kind = ScheduleKind::kConstant;
  double start = 0;
  double end = 0;           // ignored by a constant schedule
  std::size_t horizon = 0;  // step at which `end` is reached and then held; ignored by a constant schedule

  static Schedule constant(double value) { return {ScheduleKind::kConstant, value, value, 0}; }

  // The value at step t, counted from 0. A run of T steps with horizon T uses steps 0..T-1, so its last value
  // is one step short of `end`.
  double value(std::size_t t) const;
};

// Throws InputError unless the schedule has finite ends and, where it moves, a horizon of at least 1. `name`
// is what the schedule is for ("temperature").
void check_schedule(const Schedule& schedule, std::string_view name);

}  // namespace polystep
