// A run's plan for a person, as `plan` and `check` print it.
#pragma once

#include <optional>
#include <string>

#include "runtime/plan/run_plan.hpp"

namespace polystep {

std::string plan_text(const RunRequest& request, const Task& task, const RunPlan& plan,
                      const std::optional<Budget>& budget);

}  // namespace polystep
