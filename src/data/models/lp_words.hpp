// An LP file as words: numbers, names, signs and comparisons, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/models/model_words.hpp"

namespace polystep {

struct LpWord {
  enum class Kind { kNumber, kName, kSign, kComparison, kColon, kEnd };

  Kind kind = Kind::kEnd;
  ModelWord word;
  bool first_on_line = false;  // where a section may start
};

// The last word is of kind kEnd. Comments, from a backslash to the end of the line, are left out.
std::vector<LpWord> lp_words(std::string_view text, const std::string& file);

}  // namespace polystep
