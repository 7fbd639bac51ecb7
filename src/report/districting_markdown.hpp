// The benchmarks on large and on small cities as Markdown.
#pragma once

#include <string>
#include <vector>

#include "statistics/districting_comparison.hpp"
#include "statistics/small_city_comparison.hpp"

namespace polystep {

std::string render_districting_tables(const std::vector<DistrictingTable>& tables);
std::string render_small_city_table(const std::vector<SmallCityRow>& rows, std::size_t cities);

}  // namespace polystep
