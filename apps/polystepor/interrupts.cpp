#include "interrupts.hpp"

#include <csignal>

namespace polystep {
namespace {

volatile std::sig_atomic_t requested = 0;

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int caught) {
      requested = 1;
      std::signal(caught, SIG_DFL);
    });
  }
}

bool interrupt_requested() { return requested != 0; }

}  // namespace polystep
