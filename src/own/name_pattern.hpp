// Patterns over names of a model: '*' stands for any letters, '?' for one.
//
// What the stars stood for can be put into another pattern, so that "demand_*" in the model and "load_*" in a
// table name the same things.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polystep {

// What each star of the pattern stands for, the shortest first; nothing where the name does not match.
std::optional<std::vector<std::string>> match_pattern(std::string_view pattern, std::string_view name);

std::size_t stars_in(std::string_view pattern);

// The pattern with its stars replaced in turn; there must be as many.
std::string fill_pattern(std::string_view pattern, const std::vector<std::string>& stars);

}  // namespace polystep
