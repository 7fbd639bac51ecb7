// The benchmark on large cities as Markdown.
#pragma once

#include <string>
#include <vector>

#include "statistics/districting_comparison.hpp"

namespace polystep {

std::string render_districting_tables(const std::vector<DistrictingTable>& tables);

}  // namespace polystep
