// Comparison tables as one HTML page that needs nothing else: no scripts, no fonts, no network.
#pragma once

#include <string>
#include <vector>

#include "statistics/comparison.hpp"

namespace polystep {

std::string render_html(const std::vector<ProblemComparison>& tables, const std::string& title);

}  // namespace polystep
