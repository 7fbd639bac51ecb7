#include "base/toml_text.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// The library quotes what it stumbled over as it is, line ends included; a message stays one line.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (char& letter : line) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) letter = '?';
  }
  return line;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError(
        fmt::format("{} line {}, column {}: {}", name, at.line, at.column, on_one_line(error.description())));
  }
}

}  // namespace polystep
