// The words of the progress display, without a terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polystep {

struct ProgressState {
  std::int64_t step = 0;        // done so far
  std::int64_t steps = 0;       // in all; 0: unknown
  std::int64_t first_step = 0;  // done before this process started (a resumed run); needed for the time left
  double elapsed_seconds = 0;   // of this process
  std::optional<double> validation_cost{};
  std::optional<double> flip_rate{};  // share of probes that changed a decision, 0..1
  std::string_view unit = "step";     // what is counted, or what is under way where nothing is
  bool counted = true;
  std::int64_t failed = 0;       // of them
  bool timed = true;             // whether the time left can be told from the speed so far
  std::string_view detail = {};  // what is under way within the step: "batch 3/20"
  std::optional<double> left{};  // seconds, where it is known better than from the speed so far
};

// "7s", "3m05s", "2h07m", "4d03h"; "?" for anything that is not a sensible time.
std::string format_duration(double seconds);

// Time left at the average speed so far; nothing before the first step or where the end is unknown.
std::optional<double> seconds_left(const ProgressState& state);

// " 34% [######------] step 51/150, 2m10s left, validation 12.345, flips 1.2%", never longer than `columns`
// characters: the bar gives way first, then what is said last.
std::string progress_bar(const ProgressState& state, std::size_t columns);

// The same as one plain line for a log.
std::string progress_line(const ProgressState& state);

}  // namespace polystep
