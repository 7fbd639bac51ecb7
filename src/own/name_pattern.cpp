#include "own/name_pattern.hpp"

#include <algorithm>

namespace polystep {

// Only the last star ever needs to grow: what comes before it matched at its earliest place, and any later
// place would leave less for the rest. So this takes pattern × name steps, however many stars there are.
std::optional<std::vector<std::string>> match_pattern(std::string_view pattern, std::string_view name) {
  struct Star {
    std::size_t in_pattern, from, to;  // the star, and the letters of the name it covers
  };
  std::vector<Star> stars;
  std::size_t p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      stars.push_back({p++, n, n});
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (!stars.empty()) {
      Star& last = stars.back();
      n = ++last.to;
      p = last.in_pattern + 1;
    } else {
      return std::nullopt;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') stars.push_back({p++, n, n});
  if (p != pattern.size()) return std::nullopt;
  std::vector<std::string> covered;
  for (const Star& star : stars) covered.emplace_back(name.substr(star.from, star.to - star.from));
  return covered;
}

std::size_t stars_in(std::string_view pattern) {
  return static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '*'));
}

std::string fill_pattern(std::string_view pattern, const std::vector<std::string>& stars) {
  std::string filled;
  std::size_t next = 0;
  for (const char letter : pattern)
    if (letter == '*')
      filled += stars[next++];
    else
      filled += letter;
  return filled;
}

}  // namespace polystep
