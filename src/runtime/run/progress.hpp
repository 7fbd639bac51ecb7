// Shows a person how a run is getting on.
//
// On a terminal: one line, redrawn in place. Into a file or a pipe: a plain line now and then. Quiet:
// nothing. What a line says is made by pure functions (progress_text.hpp); this class decides when and where.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "runtime/run/progress_text.hpp"

namespace polystep {

enum class ProgressStyle { kQuiet, kLines, kBar };

// The bar where standard error is a terminal that can redraw a line, lines elsewhere.
ProgressStyle progress_style_for_stderr(bool quiet);

// Where the display goes and what it needs to know of the outside; tests bring their own.
struct ProgressOutput {
  std::function<void(std::string_view)> write;
  std::function<std::size_t()> columns;  // of the terminal, asked at every redraw: windows are resized
  std::function<std::chrono::steady_clock::time_point()> now;

  static ProgressOutput to_stderr();
};

class Progress {
 public:
  explicit Progress(ProgressStyle style, ProgressOutput output = ProgressOutput::to_stderr());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears an unfinished bar, so that an error message starts on a clean line

  // Cheap enough to call after every step; draws only when it is time. Elapsed time is filled in here.
  void update(ProgressState state);

  // Shows the last state for good and ends the line.
  void finish(ProgressState state);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void draw(const ProgressState& state);

  ProgressStyle style_;
  ProgressOutput output_;
  Time started_;
  Time drawn_;
  bool anything_drawn_ = false;
  bool finished_ = false;
};

}  // namespace polystep
