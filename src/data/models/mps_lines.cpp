#include "data/models/mps_lines.hpp"

#include <array>
#include <utility>

namespace polystep {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Fields of the fixed format, by their first column and length, from 1 as its descriptions count.
constexpr std::array<std::pair<std::size_t, std::size_t>, 6> kFields = {
    {{2, 2}, {5, 8}, {15, 8}, {25, 12}, {40, 8}, {50, 12}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

bool MpsLines::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    length_ = line.find_last_not_of(kBlanks) + 1;
    line = line.substr(0, length_);
    if (line.empty() || line.front() == '*') continue;
    section_ = kBlanks.find(line.front()) == std::string_view::npos;
    words_.clear();
    if (fields_ == MpsFields::kFixed && !section_)
      cut_at_positions(line);
    else
      separate(line);
    return true;
  }
  return false;
}

void MpsLines::separate(std::string_view line) {
  std::size_t at = 0;
  while ((at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words_.push_back({line.substr(at, end - at), number_, at + 1});
    at = end;
  }
}

void MpsLines::cut_at_positions(std::string_view line) {
  for (const auto& [first, length] : kFields) {
    if (line.size() < first) break;
    const std::string_view field = trimmed(line.substr(first - 1, length));
    if (field.empty()) continue;
    words_.push_back({field, number_, static_cast<std::size_t>(field.data() - line.data()) + 1});
  }
  const auto gap = [&](std::size_t column) { return line.size() >= column && line[column - 1] != ' '; };
  for (const std::size_t column : {1u, 4u, 13u, 14u, 23u, 24u, 37u, 38u, 39u, 48u, 49u})
    if (gap(column))
      refuse_at(file_, {line.substr(column - 1, 1), number_, column},
                "found text between the fields, expected a blank there in fixed format");
  if (words_.empty()) separate(line);
}

}  // namespace polystep
