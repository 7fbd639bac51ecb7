// What one solve takes here and now: a few timed ones, before anything long starts.
#pragma once

#include "polystep/task.hpp"

namespace polystep {

struct SolveTiming {
  double seconds = 0;      // of one row on one thread: deciding it and finding out what that costs
  std::size_t solves = 0;  // that were timed; they count nowhere else
  // Of a unit of learning from remembered answers on one thread, where the method can learn so.
  double learning_unit = 0;
};

// Decides a few training rows by what an untrained predictor would plausibly say. One solve will do where it
// takes seconds. Throws Stopped where it is to stop.
SolveTiming time_solves(const Task& task);

}  // namespace polystep
