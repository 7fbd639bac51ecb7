// The pieces of `polystepor explain` as plain text: steps, flip distances, and their histogram.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "methods/polystepor/flip_distances.hpp"
#include "statistics/diagnosis.hpp"

namespace polystep {

// At most `most` steps, evenly spread, always with the first and the last one.
std::vector<StepMetrics> sampled_steps(std::span<const StepMetrics> steps, std::size_t most);

std::string steps_table(std::span<const StepMetrics> steps);

// The value below which the given share of `ascending` lies, by linear interpolation.
double quantile(std::span<const double> ascending, double share);

struct HistogramBin {
  double low = 0;
  double high = 0;
  std::size_t count = 0;
};

// Bins of half a decade each; those at the ends are widened so that there are at most `most`.
std::vector<HistogramBin> half_decades(std::span<const double> ascending, std::size_t most);

// `reach`: how far out the last probes lay, where there were any.
std::string flip_distances_text(const FlipDistances& found, std::optional<double> reach);
std::string cost_changes_text(const CostChanges& found);

}  // namespace polystep
