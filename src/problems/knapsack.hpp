// 0-1 knapsack whose item values are predicted: the half-hour slots of a day, valued at the price of energy.
#pragma once

#include <vector>

#include "polystep/task.hpp"
#include "solvers/knapsack/knapsack.hpp"

namespace polystep {

ProblemEntry knapsack_entry();

}  // namespace polystep
