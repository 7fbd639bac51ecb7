// How much a run does where nobody said so: decided once, by what a few timed solves take, before anything
// long starts.
//
// A preset's own values suit solves of nanoseconds. Where they would take longer than people wait, a cheaper
// way is chosen. The choice is written into the request's options as explicit values, so that the run
// directory, a resumed run and a repetition need no clock: same options, same bits. An option of the method,
// `fidelity`, turns it off (probes) or names what is wanted.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "polystep/method.hpp"
#include "runtime/plan/solve_timing.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

inline constexpr const char* kFidelityOption = "fidelity";
inline constexpr const char* kFidelityAuto = "auto";
inline constexpr const char* kFidelityProbes = "probes";
inline constexpr const char* kFidelityFrugal = "frugal";

// Solves below this are not called dear where most of them are proven unnecessary, or where all that the
// preset asks for take less than kLongSeconds.
inline constexpr double kDearSolveSeconds = 5e-4;

// What people wait for a training they know nothing of, and what they do not.
inline constexpr double kUsualSeconds = 60, kLongSeconds = 300;
// Core-seconds of quick solves from which remembered decisions are taken instead where rows can share them:
// there they teach more than probes, in less time (docs/dear-solves.md).
inline constexpr double kSharedSeconds = 2.5;

// All there is to choose by.
struct FidelityQuestion {
  const Task& task;
  const RunRequest& request;  // options as preset, file and flags have them
  SolveTiming timing;
  std::size_t threads = 1;
  double reading_seconds = 0;
  std::optional<Budget> budget = {};  // what the user is ready to spend; none: kUsualSeconds
  // Finds the timing's learning_unit, which only some choices need; not given: that is known.
  std::function<double()> time_learning = {};
};

// What was chosen, in options of the method.
struct FidelityChoice {
  std::string fidelity = kFidelityProbes;  // the option's value from now on
  OptionValues values;                     // of other options, none of which the user gave
  std::string reason;                      // one sentence for a person
  double learning_unit = 0;                // of the timing, where it was needed
};

// Depends on the question alone, and on what it finds out about learning; solves nothing.
FidelityChoice choose_fidelity(const FidelityQuestion& question, Team& team);

// Times a few solves and settles the request's fidelity where it is still open; its `chosen` says how it came
// out. Does nothing for methods without the option. `max_seconds` are left for all.
void settle_fidelity(const Task& task, RunRequest& request, double reading_seconds, Team& team);

// What was chosen and why, for a person; empty where nothing was open.
std::string describe_choice(const RunRequest& request);

}  // namespace polystep
