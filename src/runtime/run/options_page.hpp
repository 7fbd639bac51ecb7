// The reference page of all options, made from the tables that check them, so the two cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "polystep/options.hpp"

namespace polystep {

struct OptionsSection {
  std::string title;         // "Method polystepor"
  std::string introduction;  // one line under the title; may be empty
  OptionTable options;
};

// Markdown for docs/options.md: one heading and one table (name, values, default, meaning) per section.
std::string render_options_page(const std::vector<OptionsSection>& sections);

}  // namespace polystep
