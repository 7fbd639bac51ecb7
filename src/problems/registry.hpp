// The problems the program comes with, without those that users bring.
#pragma once

#include "polystep/task.hpp"

namespace polystep {

ProblemRegistry benchmark_problems();

}  // namespace polystep
