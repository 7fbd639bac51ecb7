// What predictions come to that ignore the features: one number for every parameter of every row.
//
// Along such levels decisions go from too cautious to too daring. A method that does not lie below this curve
// has learned a level and nothing else.
#pragma once

#include <span>
#include <vector>

#include "polystep/task.hpp"
#include "polystep/team.hpp"
#include "statistics/alloy_comparison.hpp"

namespace polystep {

// On the test rows of a task; its predictor is not asked. Throws InputError where no decision of its problem
// can turn out infeasible.
std::vector<BlindPoint> blind_curve(const Task& task, std::span<const double> levels, Team& team);

}  // namespace polystep
