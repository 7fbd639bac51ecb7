#include "runtime/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/write_all.hpp"

namespace polystep {
namespace {

constexpr std::chrono::milliseconds kBarInterval(100);
constexpr std::chrono::milliseconds kLineInterval(2000);
constexpr std::string_view kClearLine = "\r\x1b[K";

std::size_t stderr_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

ProgressStyle progress_style_for_stderr(bool quiet) {
  if (quiet) return ProgressStyle::kQuiet;
  const char* terminal = std::getenv("TERM");
  const bool redraws = terminal != nullptr && std::string_view(terminal) != "dumb";
  return redraws && ::isatty(STDERR_FILENO) == 1 ? ProgressStyle::kBar : ProgressStyle::kLines;
}

ProgressOutput ProgressOutput::to_stderr() {
  return {
      .write = [](std::string_view text) { write_all(STDERR_FILENO, text); },  // a closed stderr stops no run
      .columns = stderr_columns,
      .now = std::chrono::steady_clock::now};
}

Progress::Progress(ProgressStyle style, ProgressOutput output)
    : style_(style), output_(std::move(output)), started_(output_.now()), drawn_(started_) {}

Progress::~Progress() {
  if (style_ == ProgressStyle::kBar && anything_drawn_ && !finished_) output_.write(kClearLine);
}

void Progress::update(ProgressState state) {
  if (style_ == ProgressStyle::kQuiet || finished_) return;
  const Time now = output_.now();
  const auto interval = style_ == ProgressStyle::kBar ? kBarInterval : kLineInterval;
  if (anything_drawn_ && now - drawn_ < interval) return;
  drawn_ = now;
  state.elapsed_seconds = std::chrono::duration<double>(now - started_).count();
  draw(state);
}

void Progress::finish(ProgressState state) {
  if (style_ == ProgressStyle::kQuiet || finished_) return;
  state.elapsed_seconds = std::chrono::duration<double>(output_.now() - started_).count();
  draw(state);
  if (style_ == ProgressStyle::kBar) output_.write("\n");
  finished_ = true;
}

void Progress::draw(const ProgressState& state) {
  anything_drawn_ = true;
  if (style_ == ProgressStyle::kLines) {
    output_.write(progress_line(state) + "\n");
    return;
  }
  // The last column stays free: writing there makes some terminals start a new line.
  const std::size_t columns = output_.columns();
  output_.write(fmt::format("{}{}", kClearLine, progress_bar(state, columns > 1 ? columns - 1 : 1)));
}

}  // namespace polystep
