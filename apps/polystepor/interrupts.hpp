// Ctrl-C and termination requests, for commands that stop in good order.
#pragma once

namespace polystep {

// From now on the first such signal only asks to stop; a second one ends the program at once.
void catch_interrupts();
bool interrupt_requested();

inline constexpr int kInterrupted = 130;  // exit code

}  // namespace polystep
