// Which valid name a person most likely meant.

#include <algorithm>
#include <cctype>
#include <limits>

#include "polystep/options.hpp"

namespace polystep {
namespace {

// What a slip of case or of '_' for '-' should not count.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& letter : out) {
    letter = letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return out;
}

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau-Levenshtein in
// its optimal string alignment form: no letter is edited twice).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> distance((a.size() + 1) * width);  // [prefixes of a × prefixes of b]
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return distance[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

// More edits than this are a different word rather than a slip.
std::size_t likely_edits(std::size_t length) { return length <= 3 ? 1 : length <= 6 ? 2 : 3; }

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestName = 100;  // nobody mistypes that much; keeps hostile input cheap
  if (name.empty() || name.size() > kLongestName) return "";
  const std::string wanted = folded(name);
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::string offered = folded(candidate);
    std::size_t distance = edit_distance(wanted, offered);
    // A word cut short ("max-sec") is as likely a slip as one wrong letter.
    if (wanted.size() >= 3 && offered.starts_with(wanted)) distance = std::min<std::size_t>(distance, 1);
    if (distance <= likely_edits(wanted.size()) && distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace polystep
