#include "runtime/run/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace polystep {
namespace {

ProgressState halfway() {
  return {.step = 51,
          .steps = 150,
          .first_step = 0,
          .elapsed_seconds = 51,
          .validation_cost = 12.345678,
          .flip_rate = 0.0123};
}

TEST(FormatDuration, UsesTwoUnitsAtMost) {
  EXPECT_EQ(format_duration(0), "0s");
  EXPECT_EQ(format_duration(7.4), "7s");
  EXPECT_EQ(format_duration(59.6), "1m00s");
  EXPECT_EQ(format_duration(185), "3m05s");
  EXPECT_EQ(format_duration(3599.9), "1h00m");
  EXPECT_EQ(format_duration(7620), "2h07m");
  EXPECT_EQ(format_duration(86400 * 4 + 3600 * 3), "4d03h");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::nan("")), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(format_duration(1e300), "?");
}

TEST(SecondsLeft, UsesOnlyTheStepsOfThisProcess) {
  EXPECT_EQ(seconds_left({.step = 50, .steps = 150, .elapsed_seconds = 25}), 50.0);
  EXPECT_EQ(seconds_left({.step = 110, .steps = 150, .first_step = 100, .elapsed_seconds = 20}), 80.0);
  EXPECT_EQ(seconds_left({.step = 150, .steps = 150, .elapsed_seconds = 20}), 0.0);
  EXPECT_EQ(seconds_left({.step = 0, .steps = 150, .elapsed_seconds = 20}), std::nullopt);
  EXPECT_EQ(seconds_left({.step = 100, .steps = 150, .first_step = 100, .elapsed_seconds = 20}),
            std::nullopt);
  EXPECT_EQ(seconds_left({.step = 5, .steps = 0, .elapsed_seconds = 20}), std::nullopt);
}

TEST(ProgressBar, SaysEverythingWhereThereIsRoom) {
  EXPECT_EQ(progress_bar(halfway(), 200),
            " 34% [##########--------------------] step 51/150, 1m39s left, validation 12.3457, flips 1.2%");
  EXPECT_EQ(progress_line(halfway()), " 34% step 51/150, 1m39s left, validation 12.3457, flips 1.2%");
}

TEST(ProgressBar, CountsNothingWhereNothingIsCounted) {
  EXPECT_EQ(progress_line({.elapsed_seconds = 7, .unit = "timing a few solves", .counted = false}),
            "timing a few solves, 7s so far");
  EXPECT_EQ(progress_line({.elapsed_seconds = 7, .unit = "row"}), "row 0, 7s so far");
  EXPECT_EQ(progress_line({.step = 3, .elapsed_seconds = 7, .unit = "row"}), "row 3, 7s so far");
}

TEST(ProgressBar, FitsEveryWidth) {
  for (std::size_t columns = 1; columns < 120; ++columns) {
    EXPECT_LE(progress_bar(halfway(), columns).size(), columns);
  }
  EXPECT_EQ(progress_bar(halfway(), 80),
            " 34% [###-------] step 51/150, 1m39s left, validation 12.3457, flips 1.2%");
  EXPECT_EQ(progress_bar(halfway(), 60), " 34% step 51/150, 1m39s left, validation 12.3457, flips 1.2%");
  EXPECT_EQ(progress_bar(halfway(), 40), " 34% step 51/150, 1m39s left");
  EXPECT_EQ(progress_bar(halfway(), 3), " 34");
}

TEST(ProgressBar, ReachesAHundredPercentOnlyAtTheEnd) {
  EXPECT_TRUE(progress_bar({.step = 999, .steps = 1000}, 80).starts_with(" 99% "));
  EXPECT_EQ(progress_bar({.step = 2, .steps = 2, .elapsed_seconds = 61}, 80),
            "100% [##########] step 2/2, 1m01s");
}

TEST(ProgressBar, CopesWithAnUnknownEnd) {
  EXPECT_EQ(progress_bar({.step = 3, .steps = 0, .elapsed_seconds = 4}, 80), "step 3, 4s so far");
  EXPECT_EQ(progress_line({.step = 3, .steps = 0, .elapsed_seconds = 4}), "step 3, 4s so far");
}

// A display whose clock and terminal the test holds.
struct FakeTerminal {
  std::string written;
  std::size_t columns = 60;
  std::chrono::steady_clock::time_point now{};

  ProgressOutput output() {
    return {.write = [this](std::string_view text) { written += text; },
            .columns = [this] { return columns; },
            .now = [this] { return now; }};
  }
  void wait(int milliseconds) { now += std::chrono::milliseconds(milliseconds); }
  std::size_t count(char letter) const {
    return static_cast<std::size_t>(std::count(written.begin(), written.end(), letter));
  }
};

TEST(Progress, RedrawsTheBarAtMostTenTimesPerSecond) {
  FakeTerminal terminal;
  Progress progress(ProgressStyle::kBar, terminal.output());
  for (int step = 1; step <= 1000; ++step) {
    terminal.wait(1);
    progress.update({.step = step, .steps = 1000});
  }
  EXPECT_EQ(terminal.count('\r'), 10u);
  EXPECT_EQ(terminal.count('\n'), 0u);
  progress.finish({.step = 1000, .steps = 1000});
  EXPECT_TRUE(terminal.written.ends_with("step 1000/1000, 1s\n"));
}

TEST(Progress, FollowsTheWidthOfTheWindow) {
  FakeTerminal terminal;
  terminal.columns = 12;
  Progress progress(ProgressStyle::kBar, terminal.output());
  progress.update({.step = 1, .steps = 100000});
  EXPECT_LE(terminal.written.size(), 4u + 11u);  // the control sequence and all columns but the last
}

TEST(Progress, WritesPlainLinesNowAndThenElsewhere) {
  FakeTerminal terminal;
  Progress progress(ProgressStyle::kLines, terminal.output());
  for (int step = 1; step <= 120; ++step) {
    terminal.wait(100);
    progress.update({.step = step, .steps = 120});
  }
  progress.finish({.step = 120, .steps = 120});
  EXPECT_EQ(terminal.count('\n'), 7u);  // first, five after 2 s each, last
  EXPECT_EQ(terminal.count('\r'), 0u);
  EXPECT_EQ(terminal.count('\x1b'), 0u);
  EXPECT_TRUE(terminal.written.starts_with("  0% step 1/120, 12s left\n")) << terminal.written;
}

TEST(Progress, SaysNothingWhenQuiet) {
  FakeTerminal terminal;
  Progress progress(ProgressStyle::kQuiet, terminal.output());
  progress.update({.step = 1, .steps = 2});
  progress.finish({.step = 2, .steps = 2});
  EXPECT_EQ(terminal.written, "");
}

TEST(Progress, ClearsTheBarWhenARunFails) {
  FakeTerminal terminal;
  try {
    Progress progress(ProgressStyle::kBar, terminal.output());
    progress.update({.step = 1, .steps = 2});
    throw std::runtime_error("failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(terminal.written.ends_with("\r\x1b[K"));
}

TEST(ProgressStyle, IsQuietOnRequest) { EXPECT_EQ(progress_style_for_stderr(true), ProgressStyle::kQuiet); }

}  // namespace
}  // namespace polystep
