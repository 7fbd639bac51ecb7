#include "runtime/run/options_page.hpp"

#include <fmt/format.h>

namespace polystep {
namespace {

// A '|' or a line break would end the table cell early.
std::string cell(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '|') {
      out += "\\|";
    } else {
      out += letter == '\n' ? ' ' : letter;
    }
  }
  return out;
}

void render_section(const OptionsSection& section, std::string& page) {
  page += fmt::format("\n## {}\n", section.title);
  if (!section.introduction.empty()) page += fmt::format("\n{}\n", section.introduction);
  if (section.options.specs().empty()) {
    page += "\nNo options.\n";
    return;
  }
  page += "\n| Option | Values | Default | Meaning |\n| --- | --- | --- | --- |\n";
  for (const OptionSpec& spec : section.options.specs()) {
    page += fmt::format("| `{}` | {} | `{}` | {} |\n", spec.name, cell(spec.expectation()),
                        cell(format_value(spec.fallback)), cell(spec.help));
  }
}

}  // namespace

std::string render_options_page(const std::vector<OptionsSection>& sections) {
  std::string page =
      "# Options\n\n"
      "Written by the program from its own tables. Set an option with `--set name=value` or in a run's\n"
      "configuration file, in the section named after the problem or the method.\n";
  for (const OptionsSection& section : sections) render_section(section, page);
  return page;
}

}  // namespace polystep
