#include "interrupts.hpp"

#include <atomic>
#include <csignal>
#include <limits>

namespace polystep {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler, read by threads");

constexpr double kSilence = 1;  // seconds

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int caught) {
      requested = true;
      std::signal(caught, SIG_DFL);
    });
  }
}

bool interrupt_requested() { return requested; }

RunWatch::Setting watched_command(const WatchArguments& arguments) {
  catch_interrupts();
  return {.interrupted = interrupt_requested,
          .seconds = arguments.max_seconds.value_or(std::numeric_limits<double>::infinity()),
          .progress = progress_style_for_stderr(arguments.quiet),
          .silence = kSilence};
}

}  // namespace polystep
