// Plans of frugal trainings: their solver calls are known beforehand, so that nothing has to be rehearsed.
#pragma once

#include "runtime/plan/budget.hpp"
#include "runtime/plan/forecast.hpp"
#include "runtime/plan/solve_timing.hpp"

namespace polystep {

// Calls per training row beyond which nothing more was seen to be learned.
inline constexpr double kMostFrugalCalls = 100;
// What is asked for where nobody says otherwise, and the fewest that are worth it (docs/dear-solves.md).
inline constexpr double kUsualFrugalCalls = 30, kFewestFrugalCalls = 10;

// Whether the request is one that trains frugally.
bool trains_frugally(const RunRequest& request);

// What the request takes as its options say.
Forecast frugal_forecast(const Task& task, const RunRequest& request, double reading_seconds,
                         const SolveTiming& timing, Team& team);

// Calls per training row that a budget leaves beside the final evaluation; may be below 0.
double affordable_calls(const Task& task, const Budget& budget, double reading_seconds,
                        const SolveTiming& timing, Team& team);

// Sets the calls to what the budget leaves, at most kMostFrugalCalls. Throws InputError where it leaves less
// than one; `where` starts its sentence.
void fit_calls(const Task& task, RunRequest& request, double reading_seconds, const SolveTiming& timing,
               Team& team, const std::string& where);

}  // namespace polystep
