#include "runtime/run/progress_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace polystep {
namespace {

// Two fixed widths: a bar that filled the rest of the line would jump with every digit beside it.
constexpr std::size_t kWideTerminal = 99;
std::size_t bar_width(std::size_t columns) { return columns >= kWideTerminal ? 30 : 10; }

double share_done(const ProgressState& state) {
  if (state.steps <= 0) return 0;
  return std::clamp(static_cast<double>(state.step) / static_cast<double>(state.steps), 0.0, 1.0);
}

// Rounded down: 100% is for a run that is done.
std::string percentage(const ProgressState& state) {
  return fmt::format("{:3}%", static_cast<int>(100 * share_done(state)));
}

bool done(const ProgressState& state) { return state.steps > 0 && state.step >= state.steps; }

// What there is to say, most important first.
std::vector<std::string> parts(const ProgressState& state) {
  std::vector<std::string> out;
  if (state.steps > 0)
    out.push_back(fmt::format("{} {}/{}", state.unit, state.step, state.steps));
  else
    out.push_back(state.counted ? fmt::format("{} {}", state.unit, state.step) : std::string(state.unit));
  if (!state.detail.empty() && !done(state)) out.emplace_back(state.detail);
  const std::optional<double> left = state.left ? state.left : seconds_left(state);
  const std::string elapsed = format_duration(state.elapsed_seconds);
  if (done(state)) {
    out.push_back(elapsed);
  } else {
    out.push_back(left ? fmt::format("{} left", format_duration(*left)) : fmt::format("{} so far", elapsed));
  }
  if (state.failed > 0) out.push_back(fmt::format("{} failed", state.failed));
  if (state.validation_cost) out.push_back(fmt::format("validation {:.6g}", *state.validation_cost));
  if (state.flip_rate) out.push_back(fmt::format("flips {:.2g}%", 100 * *state.flip_rate));
  return out;
}

std::string bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  return fmt::format("[{}{}] ", std::string(filled, '#'), std::string(width - filled, '-'));
}

}  // namespace

std::string format_duration(double seconds) {
  constexpr double kLongest = 1e4 * 86400;  // longer than any run: an estimate gone wild
  if (!(seconds >= 0) || seconds > kLongest) return "?";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
  return fmt::format("{}d{:02}h", whole / 86400, whole / 3600 % 24);
}

std::optional<double> seconds_left(const ProgressState& state) {
  const std::int64_t taken = state.step - state.first_step;
  if (!state.timed || taken <= 0 || state.steps <= 0) return {};
  const auto remaining = static_cast<double>(std::max<std::int64_t>(state.steps - state.step, 0));
  return state.elapsed_seconds / static_cast<double>(taken) * remaining;
}

std::string progress_bar(const ProgressState& state, std::size_t columns) {
  const std::vector<std::string> said = parts(state);
  std::string head = state.steps > 0 ? percentage(state) + " " : "";
  std::string tail;
  for (const std::string& part : said) {
    const std::string next = tail.empty() ? part : ", " + part;
    if (head.size() + tail.size() + next.size() > columns) break;
    tail += next;
  }
  const std::string drawn = bar(share_done(state), bar_width(columns));
  if (state.steps > 0 && head.size() + drawn.size() + tail.size() <= columns) head += drawn;
  return (head + tail).substr(0, columns);
}

std::string progress_line(const ProgressState& state) {
  const std::string head = state.steps > 0 ? percentage(state) + " " : "";
  return fmt::format("{}{}", head, fmt::join(parts(state), ", "));
}

}  // namespace polystep
