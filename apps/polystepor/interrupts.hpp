// Ctrl-C and termination requests, for commands that stop in good order.
#pragma once

#include "commands.hpp"
#include "runtime/run/run_watch.hpp"

namespace polystep {

// From now on the first such signal only asks to stop; a second one ends the program at once.
void catch_interrupts();
bool interrupt_requested();

// The watch of a command that is usually short: it catches interrupts and shows nothing in its first second.
RunWatch::Setting watched_command(const WatchArguments& arguments);

inline constexpr int kInterrupted = 130;  // exit code

}  // namespace polystep
