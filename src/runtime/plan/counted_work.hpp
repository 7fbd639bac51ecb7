// What a run will take, by counting: the solver calls that a learner says it will ask for, times what a solve
// takes. For runs whose solves are too dear to rehearse; solves that are proven unnecessary count too.
#pragma once

#include <optional>

#include "runtime/plan/forecast.hpp"
#include "runtime/plan/solve_timing.hpp"

namespace polystep {

// None where the method cannot say. `pace` is that of the request's options.
std::optional<WorkModel> count_work(const Task& task, const RunRequest& request, const Pace& pace,
                                    double reading_seconds, const SolveTiming& timing, Team& team);

}  // namespace polystep
