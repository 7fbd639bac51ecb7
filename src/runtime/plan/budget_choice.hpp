// Fits a run to a budget: how many bags, steps, rows per step and checks.
//
// A ladder of rungs, each about twice the work of the one below, says what is given up first and what is
// added last. The highest rung that fits is taken, and the steps are then lengthened as far as the budget
// goes, at most to those of the next rung. The preset's own values are one of the rungs.
#pragma once

#include <span>

#include "runtime/plan/budget.hpp"
#include "runtime/plan/forecast.hpp"

namespace polystep {

struct BudgetChoice {
  Pace pace;
  Forecast forecast;
  bool at_top = false;  // the budget would allow more than the top of the ladder
};

// Options that the user gave and that the choice therefore leaves alone.
struct PinnedOptions {
  bool bags = false;
  bool batch = false;
  bool checks = false;
};

// The rungs around a preset's own pace, cheapest first.
std::vector<Pace> ladder(const Pace& preset, const PinnedOptions& pinned);

// Throws InputError where not even the lowest rung fits; `where` starts its sentence.
BudgetChoice fit_to_budget(const Budget& budget, std::span<const Pace> rungs, const WorkModel& model,
                           const std::string& where);

// The same, but the lowest rung where none fits.
BudgetChoice fit_or_least(const Budget& budget, std::span<const Pace> rungs, const WorkModel& model);

}  // namespace polystep
