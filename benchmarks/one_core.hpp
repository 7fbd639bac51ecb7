// Keeps a benchmark and the processes it starts on one core, so that the time of all of them is counted.
#pragma once

#include <sched.h>

#include <cstddef>

namespace polystep {

// Pins this process, and the workers it starts meanwhile, to the core it runs on.
class OnOneCore {
 public:
  OnOneCore() {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof(one), &one);
  }
  ~OnOneCore() { sched_setaffinity(0, sizeof(before_), &before_); }

 private:
  cpu_set_t before_;
};

}  // namespace polystep
