// A run's plan: what it will do and take. Made before the run, by a rehearsal on the task itself.
#pragma once

#include <optional>

#include "runtime/plan/budget_choice.hpp"

namespace polystep {

struct RunPlan {
  Pace pace;
  Forecast forecast;
  bool may_stop_early = false;
  bool at_top = false;                       // of what a budget can buy
  double rehearsal_seconds = 0;              // what finding out took
  bool counted = false;                      // solves are too dear to rehearse: calls were counted instead
  double solve_seconds = 0;                  // what a solve takes
  const MethodEntry* alternative = nullptr;  // a registered method worth a try here
};

// Rehearses the request and, where it has a budget, fits bags, steps, batch and checks to it. They are
// written into the request as explicit values together with the forecast, and its budget is cleared: the run,
// its resumption and its repetition need no clock. A method or a budget that cannot be planned is an
// InputError.
//
// A rehearsal takes at most a fifth of a budget of seconds and of the run's max_seconds, and ten seconds
// where solves are dear; what would take longer is counted instead.
RunPlan plan_run(const Task& task, RunRequest& request, double reading_seconds, Team& team);

}  // namespace polystep
