// The ablation as Markdown: one table per problem, differences to the whole with their paired test.
#pragma once

#include <string>
#include <vector>

#include "statistics/ablation.hpp"

namespace polystep {

std::string render_ablation(const std::vector<AblationTable>& tables);

}  // namespace polystep
