// Comparison tables as Markdown, for a terminal or a repository.
#pragma once

#include <string>
#include <vector>

#include "statistics/comparison.hpp"

namespace polystep {

// One section per problem; where there are several, an index comes first.
std::string render_markdown(const std::vector<ProblemComparison>& tables, const std::string& title);

}  // namespace polystep
