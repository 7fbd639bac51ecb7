// Plans of frugal trainings: their solver calls are known beforehand, and what is learned from the answers
// takes a known number of trainings, of which a small one is timed. Nothing has to be rehearsed.
#pragma once

#include "runtime/plan/budget.hpp"
#include "runtime/plan/forecast.hpp"
#include "runtime/plan/solve_timing.hpp"

namespace polystep {

// Calls per training row beyond which nothing more was seen to be learned.
inline constexpr double kMostFrugalCalls = 100;
// What is asked for where nobody says otherwise, and the fewest that are worth it (docs/dear-solves.md).
inline constexpr double kUsualFrugalCalls = 30, kFewestFrugalCalls = 10;
inline constexpr double kLeastFrugalCalls = 3;  // that teach anything at all

// Whether the request is one that trains frugally.
bool trains_frugally(const RunRequest& request);

// What a unit of learning takes on one thread where the request would train frugally; 0 where it cannot.
double time_learning(const Task& task, const RunRequest& request, Team& team);

// What the request takes as its options say.
Forecast frugal_forecast(const Task& task, const RunRequest& request, double reading_seconds,
                         const SolveTiming& timing, Team& team);

// Calls per training row that a budget leaves beside learning and the final evaluation; may be below 0.
double affordable_calls(const Task& task, const RunRequest& request, const Budget& budget,
                        double reading_seconds, const SolveTiming& timing, Team& team);

// Sets the calls to what the budget leaves, at most kMostFrugalCalls. Throws InputError where it leaves less
// than one; `where` starts its sentence.
void fit_calls(const Task& task, RunRequest& request, double reading_seconds, const SolveTiming& timing,
               Team& team, const std::string& where);

}  // namespace polystep
