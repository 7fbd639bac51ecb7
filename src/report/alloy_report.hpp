// Runs on alloys as Markdown tables and as a picture of infeasibility against regret, beside the published
// figures and the feature-blind curve.
#pragma once

#include <string>
#include <vector>

#include "report/plot_svg.hpp"
#include "statistics/alloy_comparison.hpp"

namespace polystep {

std::string alloy_markdown(const std::vector<AlloyTable>& tables, const std::vector<BlindPoint>& blind);

// One setting: a point per method on fresh rows where these were measured, else on test rows; the published
// points where `with_published`.
Plot alloy_plot(const AlloyTable& table, const std::vector<BlindPoint>& blind, bool with_published);

}  // namespace polystep
