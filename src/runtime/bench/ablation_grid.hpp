// The grid of the ablation: preset best of polystepor as it is, and with each of its parts switched off in
// turn.
#pragma once

#include <string>
#include <vector>

#include "runtime/bench/benchmark_grid.hpp"

namespace polystep {

// A part of the preset and the option value that switches it off.
struct PresetPart {
  std::string name;  // "instance weights"
  std::string option;
  std::string off;
};

const std::vector<PresetPart>& preset_parts();

// What the runs with the part switched off are recorded as.
std::string preset_without(const PresetPart& part);

// Cells of a task lie together, the whole preset first. The request's methods and preset are not used.
std::vector<GridCell> ablation_grid(const ProblemRegistry& problems, const GridRequest& request);

}  // namespace polystep
